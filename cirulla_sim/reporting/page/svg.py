"""Charts as elements of a page: one picture in the colours of a light and of a dark page."""

from __future__ import annotations

import re
from io import BytesIO

from matplotlib.figure import Figure

from ..charts.look import style

_COLOUR = re.compile(r"(?<=: )#[0-9a-f]{6}\b")


def inlined(light: Figure, dark: Figure, prefix: str) -> str:
    """A chart drawn twice, as one element with the colours of both; two elements if more than colours differ."""
    day, night = _svg(light), _svg(dark)
    one, other = cleaned(day, f"{prefix}l"), cleaned(night, f"{prefix}l")
    if _COLOUR.sub("", one) == _COLOUR.sub("", other):
        return merged(one, other)
    return f'<div class="light">{one}</div><div class="dark">{cleaned(night, f"{prefix}d")}</div>'


def _svg(figure: Figure) -> str:
    written = BytesIO()
    with style():
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
    """An svg file as an element of a page: as wide as there is room, with no names but those that it uses itself.

    >>> cleaned('<?xml?><svg width="10pt" height="5pt" viewBox="0 0 10 5"><path id="a" d="M 1.234 5"/>'
    ...         '<use xlink:href="#a"/><g id="b"/></svg>', "p")
    '<svg aria-hidden="true" viewBox="0 0 10 5"><path id="p0" d="M 1.23 5"/><use href="#p0"/><g/></svg>'
    """
    svg = svg[svg.index("<svg") :].rstrip()
    svg = re.sub(r"<metadata>.*?</metadata>|<title>.*?</title>|<!--.*?-->", "", svg, flags=re.S)
    svg = re.sub(r"<defs>\s*<style.*?</style>\s*</defs>", "", svg, flags=re.S)  # the page's style sheet has it
    head, body = svg.split(">", 1)
    view = re.search(r'viewBox="[^"]*"', head)
    used = dict.fromkeys(re.findall(r'(?:url\(#|href="#)([^)"]+)', body))
    names = {name: f"{prefix}{number}" for number, name in enumerate(used)}
    body = body.replace("xlink:href", "href")
    body = re.sub(r'\sid="([^"]*)"', lambda m: f' id="{names[m[1]]}"' if m[1] in names else "", body)
    body = re.sub(r'(url\(#|href="#)([^)"]+)', lambda m: m[1] + names[m[2]], body)
    body = re.sub(r"<pattern.*?</pattern>", _hatched, body, flags=re.S)
    body = re.sub(r"font-family: [^;\"]*; ?", "", body)
    body = re.sub(r' transform="rotate\(-?0 [^)]*\)"', "", body)
    body = re.sub(r'\b(?:d|x|y|transform)="[^"]*"', _rounded, body)  # never in a text
    body = re.sub(r">\s+<", "><", body)
    return f'<svg aria-hidden="true" {view[0] if view else ""}>{body}'.replace(" >", ">")


def _hatched(pattern: re.Match[str]) -> str:
    """A hatch with a diamond for each of its dots, which are a thousand circles, and its paper as a style."""
    text = re.sub(r'fill="(#[0-9a-f]{6})"', r'style="fill: \1"', pattern[0])
    return re.sub(r"(M \S+ \S+)\s+(?:C [^MCz]*){8}z", r"\1 l .3 -.3 -.3 -.3 -.3 .3 z", text)


def _rounded(attribute: re.Match[str]) -> str:
    return re.sub(r"\s+(?=\")", "", re.sub(r"\s+", " ", re.sub(r"(\.\d\d)\d+", r"\1", attribute[0])))
