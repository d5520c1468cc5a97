"""What a form sent, and what is wrong with it, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import parse_qsl, urlencode

from starlette.requests import Request

from ..core.errors import InputError

MOST_FIELDS = 200


@dataclass
class Form:
    """The values of a form by field, and one line for each field that is wrong; ``""`` is the form as a whole."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    errors: dict[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.values)

    def get(self, name: str, default: str = "") -> str:
        """The value of a field without blanks around it; the default if it is empty."""
        return next((value.strip() for value in self.values.get(name, ()) if value.strip()), default)

    def all(self, name: str) -> tuple[str, ...]:
        """The values of a field that may have several."""
        return tuple(value.strip() for value in self.values.get(name, ()) if value.strip())

    def refuse(self, error: InputError | str, main: str = "", flags: Mapping[str, str] | None = None) -> None:
        """Put an error beside its field: the one whose flag it begins with, otherwise ``main``.

        ``flags`` maps flags to fields where these are not called alike.

        >>> form = Form()
        >>> form.refuse(InputError("--hands '0' is out of range (valid: 1 to 10)"), "question")
        >>> form.refuse(InputError("'foo' is not an expression"), "question")
        >>> sorted(form.errors)
        ['hands', 'question']
        """
        flag = str(error).replace(":", " ").split(" ")[0]
        usual = flag[2:].replace("-", "_") if flag.startswith("--") else main
        message = error.message if isinstance(error, InputError) else error
        self.errors.setdefault((flags or {}).get(flag, usual), message)

    @property
    def query(self) -> str:
        """The form as the query of an address."""
        return urlencode([(name, value) for name, values in self.values.items() for value in values])


def query_form(request: Request) -> Form:
    """The form in the address of a request; the language is no part of it."""
    values: dict[str, tuple[str, ...]] = {}
    try:
        pairs = parse_qsl(request.url.query, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise InputError("the form has too many fields (valid: {most} at most)", MOST_FIELDS) from None
    for name, value in pairs:
        if name != "lang":
            values[name] = (*values.get(name, ()), value)
    return Form(values)
