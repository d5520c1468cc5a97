"""Random expressions of the question language, each as its text and as a Python function of a hand record."""

from __future__ import annotations

import operator
import random
import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from question_calls import Call, functions

OR, AND, NOT, COMPARISON, SUM, PRODUCT, MINUS, ATOM = range(8)
"""How tightly an operator binds; parts that bind less tightly than needed stand in brackets."""

SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq, "<>": operator.ne, "≠": operator.ne, "<": operator.lt, "<=": operator.le, "≤": operator.le,
    ">": operator.gt, ">=": operator.ge, "≥": operator.ge,
}  # fmt: skip
ARITHMETIC: dict[str, tuple[Callable[[Any, Any], Any], int]] = {
    "+": (operator.add, SUM), "-": (operator.sub, SUM), "*": (operator.mul, PRODUCT), "×": (operator.mul, PRODUCT),
    "//": (operator.floordiv, PRODUCT), "%": (operator.mod, PRODUCT),
}  # fmt: skip
WORDS = ("", "'", "\\", ";", "𝟙", "null", "1e9", "99999999999", ".5", "8x", "stage 9", "with", "by scopa", "(" * 40,
         "not " * 30, "\n", "==", "//", "and", "in", "between", ",", "7d", "K", "nobody", "compagno")  # fmt: skip


class Expression(NamedTuple):
    """An expression as text and as a function; ``whole`` numbers have no fraction."""

    text: str
    value: Callable[[dict], Any]
    binds: int = ATOM
    whole: bool = True

    def within(self, binds: int) -> str:
        """The text where an operator needs a part that binds so tightly."""
        return f"({self.text})" if self.binds < binds else self.text


def in_order(a: Expression, sign: str, b: Expression, other: str, c: Expression, record: dict) -> bool:
    """Whether ``a < b <= c``; all parts are evaluated, to find divisions by zero."""
    first, middle, last = a.value(record), b.value(record), c.value(record)
    return SIGNS[sign](first, middle) and SIGNS[other](middle, last)


class Generator:
    """Draws expressions of some calls, English or Italian, under rules that are a dict."""

    def __init__(self, calls: Sequence[Call], rules: dict, records: Sequence[dict], dice: random.Random) -> None:
        self.rules, self.records, self.dice = rules, records, dice
        self.calls: dict[tuple[str, str], dict[str, list[Call]]] = {}
        for call in calls:  # by kind, group and name, so that functions with many arguments are not more likely
            place = call.gives, functions()[call.name]["group"]
            self.calls.setdefault(place, {}).setdefault(call.name, []).append(call)

    def call(self, *kinds: str) -> tuple[Call, Expression]:
        named = self.calls[self.dice.choice([place for place in self.calls if place[0] in kinds])]
        call = self.dice.choice(named[self.dice.choice(list(named))])
        text = call.text(self.dice.choice)
        return call, Expression(text, lambda record: call.value(record, self.rules), whole=call.name != "margin")

    def number(self, depth: int = 0) -> Expression:
        kind = self.dice.randrange(7) if depth < 3 else 0
        if kind < 3:
            constant = self.dice.randrange(30)
            return self.call("number", "count")[1] if kind else Expression(str(constant), lambda _: constant)
        a, b = self.number(depth + 1), self.number(depth + 1)
        if kind == 3:
            return Expression(f"abs({a.text})", lambda record: abs(a.value(record)), whole=a.whole)
        if kind == 4:
            return Expression(f"-{a.within(ATOM)}", lambda record: -a.value(record), MINUS, a.whole)
        if kind == 5:
            name, of = self.dice.choice((("least", min), ("greatest", max)))
            text = f"{name}({a.text}, {b.text})"
            return Expression(text, lambda record: of(a.value(record), b.value(record)), whole=a.whole and b.whole)
        sign = self.dice.choice(list(ARITHMETIC))
        of, binds = ARITHMETIC[sign]
        if sign in ("//", "%"):  # by a constant, rarely by zero
            by = self.dice.choice((1, 2, 3, 4, 5, 7, 2, 3, 4, 0))
            b = Expression(str(by), lambda _: by)
        text = f"{a.within(binds)} {sign} {b.within(binds + 1)}"
        whole = sign == "//" or (a.whole and b.whole)
        return Expression(text, lambda record: of(a.value(record), b.value(record)), binds, whole)

    def truth(self, depth: int = 0) -> Expression:
        kind = self.dice.randrange(11) if depth < 3 else self.dice.randrange(7)
        if kind >= 7:
            return self.connected(depth)
        if kind == 0:
            return self.call("truth")[1]
        if kind == 1:  # a count that stands alone: at least one
            count = self.call("count")[1]
            return count._replace(value=lambda record: count.value(record) >= 1)
        if kind == 2:
            return self.of_text()
        a, b, c = (self.number(1) for _ in range(3))
        sign, other = (self.dice.choice(list(SIGNS)) for _ in range(2))
        no = self.dice.choice(("", "not "))
        if kind == 3 and a.whole:
            first, last = self.dice.randrange(6), self.dice.randrange(6, 12)
            text = f"{a.within(SUM)} {no}in (20, {first}..{last})"
            return Expression(text, lambda r: (first <= a.value(r) <= last or a.value(r) == 20) != bool(no), COMPARISON)
        if kind == 4:
            text = f"{a.within(SUM)} {no}between {b.within(SUM)} and {c.within(SUM)}"
            return Expression(text, lambda r: in_order(b, "<=", a, "<=", c, r) != bool(no), COMPARISON)
        if kind == 5 and not {sign, other} & {"=", "<>", "≠"}:
            text = f"{a.within(SUM)} {sign} {b.within(SUM)} {other} {c.within(SUM)}"
            return Expression(text, lambda record: in_order(a, sign, b, other, c, record), COMPARISON)
        text = f"{a.within(SUM)} {sign} {b.within(SUM)}"
        return Expression(text, lambda r: SIGNS[sign](a.value(r), b.value(r)), COMPARISON)

    def connected(self, depth: int) -> Expression:
        """Truths with ``and``, ``or`` and ``not``."""
        a, b = self.truth(depth + 1), self.truth(depth + 1)
        word, of, binds = self.dice.choice((
            ("not", None, NOT), ("and", operator.and_, AND), ("e", operator.and_, AND), ("or", operator.or_, OR),
            ("oppure", operator.or_, OR),
        ))  # fmt: skip
        if of is None:
            return Expression(f"not {a.within(NOT)}", lambda record: not a.value(record), NOT)
        text = f"{a.within(binds)} {word} {b.within(binds + 1)}"
        return Expression(text, lambda record: of(bool(a.value(record)), bool(b.value(record))), binds)

    def of_text(self) -> Expression:
        """A set of cards, ranks or suits compared with one that is dealt in some hand."""
        call, written = self.call("text")
        sought = call.value(self.dice.choice(self.records), self.rules)
        return Expression(f"{written.text} = '{sought}'", lambda record: written.value(record) == sought, COMPARISON)


def damaged(text: str, dice: random.Random) -> str:
    """A text with one to three words or signs left out, replaced, added or exchanged."""
    for _ in range(dice.choice((1, 1, 2, 3))):
        parts = re.findall(r"\w+|\s+|[^\w\s]", text) or [""]
        at, other = dice.randrange(len(parts)), dice.randrange(len(parts))
        parts[at], parts[other] = dice.choice(
            ((parts[other], parts[at]), ("", parts[other]), (f" {dice.choice(WORDS)} ", parts[other]))
        )
        text = "".join(parts)
    return text
