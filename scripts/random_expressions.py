"""Random expressions of the question language, each as its text and as a Python function of a hand record.

``Generator`` makes expressions that are valid; ``broken`` damages a text, which may still be valid afterwards.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from question_calls import ITALIAN_PEOPLE, Call, functions
from referee.cards import PACK, RANKS, SUITS

OR, AND, NOT, COMPARISON, SUM, PRODUCT, MINUS, ATOM = range(8)
"""How tightly an operator binds; parts that bind less tightly than needed stand in brackets."""

NUMBER_WORDS = {
    2: ("two", "due"), 3: ("three", "tre"), 4: ("four", "quattro"), 5: ("five", "cinque"), 6: ("six", "sei"),
    7: ("seven", "sette"),
}  # fmt: skip
SIGNS: dict[tuple[str, ...], Callable[[Any, Any], bool]] = {
    ("=", "=="): lambda a, b: a == b,
    ("<>", "!=", "≠"): lambda a, b: a != b,
    ("<",): lambda a, b: a < b,
    ("<=", "≤"): lambda a, b: a <= b,
    (">",): lambda a, b: a > b,
    (">=", "≥"): lambda a, b: a >= b,
}
ORDERS = [spellings for spellings in SIGNS if spellings[0][0] in "<>" and spellings[0] != "<>"]

Value = Callable[[dict], Any]
"""The value of an expression on a hand record."""


class Expression(NamedTuple):
    """An expression as text and as a function; ``whole`` numbers have no fraction."""

    text: str
    value: Value
    binds: int = ATOM
    whole: bool = True


class Generator:
    """Generates expressions with these calls, whose rules are a dict; a share of the names are Italian."""

    def __init__(self, calls: Sequence[Call], rules: dict, records: Sequence[dict], dice: random.Random) -> None:
        self.rules, self.records, self.dice = rules, records, dice
        self.calls: dict[str, dict[str, dict[str, list[Call]]]] = {}
        for call in calls:  # by kind, group and name, so that functions with many arguments are not more likely
            groups = self.calls.setdefault(call.gives, {})
            groups.setdefault(functions()[call.name]["group"], {}).setdefault(call.name, []).append(call)

    # ------------------------------------------------------------------------------------------------ parts

    def call(self, *kinds: str) -> tuple[Call, Expression]:
        """A random call that gives one of these kinds."""
        dice = self.dice
        group = dice.choice([named for kind in kinds for named in self.calls[kind].values()])
        call = dice.choice(group[dice.choice(list(group))])
        italian = dice.random() < 0.3
        text = call.text((lambda spellings: dice.choice(spellings)) if italian else (lambda spellings: spellings[0]))
        return call, Expression(text, lambda record: call.value(record, self.rules), whole=call.name != "margin")

    def bracketed(self, part: Expression, binds: int) -> str:
        """The text of a part where an operator needs one that binds so tightly; sometimes in brackets without need."""
        if part.binds < binds or self.dice.random() < 0.05:
            return f"({part.text})"
        return part.text

    def constant(self, largest: int = 29) -> Expression:
        number = self.dice.randrange(largest + 1)
        return Expression(str(number), lambda record: number)

    def bound(self, largest: int = 29) -> Expression:
        """A number to compare with, sometimes written as a word."""
        number = self.constant(largest)
        value = number.value({})
        if value in NUMBER_WORDS and self.dice.random() < 0.5:
            return number._replace(text=self.dice.choice(NUMBER_WORDS[value]))
        return number

    # ------------------------------------------------------------------------------------------------ numbers

    def number(self, depth: int = 0) -> Expression:
        dice = self.dice
        if depth > 2 or dice.random() < 0.5:
            return self.constant() if dice.random() < 0.2 else self.call("number", "count")[1]
        match dice.randrange(7):
            case 0:
                part = self.number(depth + 1)
                return Expression(f"abs({part.text})", lambda record: abs(part.value(record)), ATOM, part.whole)
            case 1:
                return self.extreme(depth)
            case 2:
                part = self.number(depth + 1)
                text = f"-{self.bracketed(part, ATOM)}"
                return Expression(text, lambda record: -part.value(record), MINUS, part.whole)
            case 3:
                return self.division(depth)
            case 4:
                return self.binary(depth, ("*", "×"), lambda a, b: a * b, PRODUCT)
            case 5:
                return self.binary(depth, ("-",), lambda a, b: a - b, SUM)
        return self.binary(depth, ("+",), lambda a, b: a + b, SUM)

    def binary(self, depth: int, signs: Sequence[str], operation: Callable[[Any, Any], Any], binds: int) -> Expression:
        left, right = self.number(depth + 1), self.number(depth + 1)
        sign = self.dice.choice(signs)
        text = f"{self.bracketed(left, binds)} {sign} {self.bracketed(right, binds + 1)}"
        return Expression(
            text, lambda record: operation(left.value(record), right.value(record)), binds, left.whole and right.whole
        )

    def extreme(self, depth: int) -> Expression:
        name, function = self.dice.choice((("least", min), ("greatest", max)))
        parts = [self.number(depth + 1) for _ in range(self.dice.choice((2, 2, 3)))]
        text = f"{name}({', '.join(part.text for part in parts)})"
        whole = all(part.whole for part in parts)
        return Expression(text, lambda record: function(part.value(record) for part in parts), ATOM, whole)

    def division(self, depth: int) -> Expression:
        """A whole quotient or a remainder, rarely by zero."""
        part, by = self.number(depth + 1), self.dice.choice((1, 2, 3, 4, 5, 7, 2, 3, 4, 0))
        if self.dice.random() < 0.5:
            text = f"{self.bracketed(part, PRODUCT)} // {by}"
            return Expression(text, lambda record: part.value(record) // by, PRODUCT)
        text = f"{self.bracketed(part, PRODUCT)} % {by}"
        return Expression(text, lambda record: part.value(record) % by, PRODUCT, part.whole)

    # ------------------------------------------------------------------------------------------------ truths

    def truth(self, depth: int = 0) -> Expression:
        dice = self.dice
        if depth < 3 and dice.random() < 0.45:
            return self.connected(depth)
        match dice.randrange(7):
            case 0:
                return self.call("truth")[1]
            case 1:  # a count that stands alone: at least one
                call, count = self.call("count")
                return Expression(count.text, lambda record: call.alone(record, self.rules))
            case 2:
                return self.text_comparison()
            case 3:
                return self.chained()
            case 4:
                return self.between()
            case 5:
                return self.among()
        return self.comparison()

    def connected(self, depth: int) -> Expression:
        """Truths connected by ``and``, ``or`` and ``not``; all parts are evaluated, to find divisions by zero."""
        dice = self.dice
        left = self.truth(depth + 1)
        if dice.random() < 0.25:
            text = f"{dice.choice(('not', 'not', 'non'))} {self.bracketed(left, NOT)}"
            return Expression(text, lambda record: not left.value(record), NOT)
        right = self.truth(depth + 1)
        if dice.random() < 0.5:
            word, binds = dice.choice(("and", "and", "e", "AND")), AND
            value: Value = lambda record: bool(left.value(record)) & bool(right.value(record))  # noqa: E731
        else:
            word, binds = dice.choice(("or", "or", "o", "oppure", "OR")), OR
            value = lambda record: bool(left.value(record)) | bool(right.value(record))  # noqa: E731
        return Expression(f"{self.bracketed(left, binds)} {word} {self.bracketed(right, binds + 1)}", value, binds)

    def comparison(self) -> Expression:
        spellings = self.dice.choice(list(SIGNS))
        compare, sign = SIGNS[spellings], self.dice.choice(spellings)
        if self.dice.random() < 0.5:
            left, right = self.call("number", "count")[1], self.bound(7)
        else:
            left, right = self.number(1), self.number(1)
        text = f"{self.bracketed(left, SUM)} {sign} {self.bracketed(right, SUM)}"
        return Expression(text, lambda record: compare(left.value(record), right.value(record)), COMPARISON)

    def chained(self) -> Expression:
        """``a < b <= c``."""
        parts = [self.number(2) for _ in range(3)]
        orders = [self.dice.choice(ORDERS) for _ in range(2)]
        written = [self.bracketed(part, SUM) for part in parts]
        signs = [self.dice.choice(spellings) for spellings in orders]

        def value(record: dict) -> bool:
            a, b, c = (part.value(record) for part in parts)
            return SIGNS[orders[0]](a, b) and SIGNS[orders[1]](b, c)

        return Expression(f"{written[0]} {signs[0]} {written[1]} {signs[1]} {written[2]}", value, COMPARISON)

    def between(self) -> Expression:
        middle, low, high = self.number(1), self.bound(), self.bound() if self.dice.random() < 0.8 else self.number(2)
        no, word = self.dice.choice(("", "", "not ")), self.dice.choice(("between", "between", "tra", "fra"))
        both = "and" if word == "between" else self.dice.choice(("and", "e"))
        text = f"{self.bracketed(middle, SUM)} {no}{word} {low.text} {both} {self.bracketed(high, SUM)}"

        def value(record: dict) -> bool:
            first, number, last = low.value(record), middle.value(record), high.value(record)
            return (first <= number <= last) != bool(no)

        return Expression(text, value, COMPARISON)

    def among(self) -> Expression:
        """``a in (1, 2, 4..6)``: numbers and ranges, of whole numbers only."""
        dice, left = self.dice, self.number(1)
        if not left.whole:
            return self.comparison()
        ranges = []
        for _ in range(dice.choice((1, 2, 3))):
            first = dice.randrange(12)
            ranges.append((first, first + dice.choice((0, 0, 1, 3))))
        items = [str(first) if first == last else f"{first}..{last}" for first, last in ranges]
        no = dice.choice(("", "", "not "))

        def value(record: dict) -> bool:
            number = left.value(record)
            return any(first <= number <= last for first, last in ranges) != bool(no)

        return Expression(f"{self.bracketed(left, SUM)} {no}in ({', '.join(items)})", value, COMPARISON)

    def text_comparison(self) -> Expression:
        """A set of cards, ranks or suits compared with one that is dealt in some hand, in any order."""
        dice = self.dice
        call, written = self.call("text")
        sought = call.value(dice.choice(self.records), self.rules)
        parts = sought.split() if call.name == "cards" else list(sought)
        if dice.random() < 0.5:
            dice.shuffle(parts)
        text = (" " if call.name == "cards" else "").join(parts)
        same = dice.random() < 0.7
        return Expression(
            f"{written.text} {'=' if same else '<>'} '{text}'",
            lambda record: (written.value(record) == sought) == same,
            COMPARISON,
        )


# ------------------------------------------------------------------------------------------------ broken texts

WRONG_PEOPLE = (*ITALIAN_PEOPLE, *ITALIAN_PEOPLE.values(), "fourth", "nobody", "dealer_side", "mee", "partners", "")
WRONG_WORDS = (
    "", "'", '"', "\\", ";", "--", "\x00", "𝟙", "é", "__import__", "null", "-1", "1e9", "10**9", "99999999999", ".5",
    "8x", "..", "4..", "..6", "stage 9", "stage", "stage 0", "after stage", "after stage 1", "with", "with 7", "by",
    "by scopa", "(" * 40, "not " * 30, "%s", "{0}", "\n", "=", "==", "<>", "//", "and", "or", "in", "between", ",",
    *PACK[:3], *RANKS, *SUITS,
)  # fmt: skip


def broken(text: str, dice: random.Random) -> str:
    """A text with one to three mistakes: typos, brackets left out, wrong people, words added, removed or exchanged."""
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        match dice.randrange(6):
            case 0:
                text = with_typo(text, dice)
            case 1:
                brackets = [place for place, letter in enumerate(text) if letter in "(),"]
                place = dice.choice(brackets or [0])
                text = text[:place] + text[place + 1 :]
            case 2:
                named = [*re.finditer(r"\w+", text)]
                people = [match for match in named if match[0] in {*ITALIAN_PEOPLE, *ITALIAN_PEOPLE.values()}]
                match = dice.choice(people or named or [re.match("", text)])
                text = text[: match.start()] + dice.choice(WRONG_PEOPLE) + text[match.end() :]
            case 3:
                parts = re.findall(r"\w+|\s+|[^\w\s]", text) or [""]
                parts.insert(dice.randrange(len(parts) + 1), f" {dice.choice(WRONG_WORDS)} ")
                text = "".join(parts)
            case 4:
                parts = re.findall(r"\w+|\s+|[^\w\s]", text) or [""]
                first, second = dice.randrange(len(parts)), dice.randrange(len(parts))
                parts[first], parts[second] = parts[second], parts[first]
                text = "".join(parts)
            case _:
                parts = re.findall(r"\w+|\s+|[^\w\s]", text) or [""]
                del parts[dice.randrange(len(parts))]
                text = "".join(parts)
    return text


def with_typo(text: str, dice: random.Random) -> str:
    """A text with a letter left out, doubled, replaced or exchanged with the next."""
    if not text:
        return text
    place = dice.randrange(len(text))
    letter, after = text[place], text[place + 1 : place + 2]
    new = dice.choice(("", letter * 2, dice.choice("aeioumst_1 "), after + letter))
    skipped = 2 if new == after + letter else 1
    return text[:place] + new + text[place + skipped :]
