"""Charts as elements of a page: one picture in the colours of a light and of a dark page."""

from __future__ import annotations

import re
from dataclasses import replace
from io import BytesIO

from ..charts.figure_parts import Graphic
from ..charts.look import THEMES, Look
from ..charts.sheet import draw, style

_LIGHT, _DARK = ((theme.ink, theme.muted, theme.hair, theme.paper, *theme.series)
                 for theme in (THEMES["light"], THEMES["dark"]))  # fmt: skip
_OTHER = dict(zip(_LIGHT, _DARK, strict=True))
"""The colours of a dark page, by those of a light one."""

_COLOUR = re.compile(r"#[0-9a-f]{6}\b")
_NEEDLESS = re.compile(
    r'<metadata>.*?</metadata>|<!--.*?-->|<defs>\s*<style.*?</style>\s*</defs>|font-family: [^;"]*; ?'
    r'|\s*transform="rotate\(-?0 [^)]*\)"|(?<=>)\s+|\n',
    re.S,
)
"""What a page does not need: it has a style sheet of its own."""


def inlined(graphic: Graphic, look: Look, prefix: str) -> str:
    """A chart as one element with the colours of a light and a dark page; a map, which is an image, as two."""
    light = _svg(graphic, look)
    if "<image" in light:
        dark = cleaned(_svg(graphic, replace(look, theme="dark")), f"{prefix}d")
        return f'<div class="light">{cleaned(light, f"{prefix}l")}</div><div class="dark">{dark}</div>'
    return _COLOUR.sub(lambda match: f"light-dark({match[0]},{_OTHER[match[0]]})", cleaned(light, prefix))


def _svg(graphic: Graphic, look: Look) -> str:
    written = BytesIO()
    with style(look):
        draw(graphic, look).savefig(written, format="svg", metadata={"Date": None})
    return written.getvalue().decode("utf-8")


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
