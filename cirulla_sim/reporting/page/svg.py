"""Charts as elements of a page: one picture in the colours of a light and of a dark page."""

from __future__ import annotations

import re
from io import BytesIO

from ..charts.sheet import Chart, style

_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_NEEDLESS = re.compile(
    r'<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*<style.*?</style>\s*</defs>|font-family: [^;"]*; ?'
    r'|\s*transform="rotate\(-?0 [^)]*\)"|(?<=>)\s+|\n',
    re.S,
)
"""What a page does not need: it has a style sheet of its own."""


def inlined(light: Chart, dark: Chart, prefix: str) -> str:
    """A chart drawn twice, as one element with the colours of both; two elements if more than colours differ."""
    one, other = cleaned(_svg(light), f"{prefix}l"), cleaned(_svg(dark), f"{prefix}l")
    if _COLOUR.sub("", one) == _COLOUR.sub("", other):
        return merged(one, other)
    return f'<div class="light">{one}</div><div class="dark">{cleaned(_svg(dark), f"{prefix}d")}</div>'


def _svg(figure: Chart) -> str:
    written = BytesIO()
    with style(figure.look):
        figure.savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue().decode("utf-8")


def merged(light: str, dark: str) -> str:
    """Two pictures that differ in colours only, as one.

    >>> merged('<a style="fill: #ffffff"/>', '<a style="fill: #000000"/>')
    '<a style="fill: light-dark(#ffffff,#000000)"/>'
    """
    others = iter(_COLOUR.findall(dark))

    def both(match: re.Match[str]) -> str:
        other = next(others)
        return match[0] if match[0] == other else f"light-dark({match[0]},{other})"

    return _COLOUR.sub(both, light)


def cleaned(svg: str, prefix: str) -> str:
    """An svg file as an element of a page: as wide as there is room, in its type, with no names but those it uses.

    >>> cleaned('<?xml?><svg width="10pt" height="5pt" viewBox="0 0 10 5"><path id="a" d="M 1.234 5"/>'
    ...         '<use xlink:href="#a"/><g id="b"/></svg>', "p")
    '<svg aria-hidden="true" viewBox="0 0 10 5"><path id="p0" d="M 1.23 5"/><use href="#p0"/><g/></svg>'
    """
    head, body = svg[svg.index("<svg") :].split(">", 1)
    view = re.search(r'viewBox="[^"]*"', head)
    body = _NEEDLESS.sub("", body)
    used = dict.fromkeys(re.findall(r'(?:url\(#|href="#)([^)"]+)', body))
    names = {name: f"{prefix}{number}" for number, name in enumerate(used)}
    body = re.sub(r'\sid="([^"]*)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", body)
    body = re.sub(r'(?:xlink:)?(url\(#|href="#)([^)"]+)', lambda m: m[1] + names[m[2]], body)
    body = re.sub(r"(?<=\.\d\d)\d+(?=[^<>]*/?>)", "", body)
    return f'<svg aria-hidden="true" {view[0] if view else ""}>{body}'
