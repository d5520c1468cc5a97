"""The tab of the studies' pages, which are there in a clone of the project."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from .forms import query_form
from .guard import HEADERS
from .rendering import language_of, page

REPORT = Path(__file__).parents[2] / "results" / "report"
"""The pages of the studies, in a clone: English ones, and the others in a folder by their language."""

POLICY = "Content-Security-Policy"
DRAWN = {POLICY: HEADERS[POLICY].replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}
"""What these pages may do besides: their charts have styles."""


class Study(NamedTuple):
    """A study's page: its name, its question, the sentences of its answer, and all its text."""

    name: str
    question: str
    answer: tuple[str, ...]
    text: str


@cache
def files() -> frozenset[str]:
    """All files of the pages by their names, as addresses have them."""
    return frozenset(path.relative_to(REPORT).as_posix() for path in REPORT.rglob("*.*"))


@cache
def studies(lang: str) -> tuple[Study, ...]:
    """The studies in a language, in the order of their questions; none in an installed package."""
    folder = "" if lang == "en" else f"{lang}/"
    found = [_study(name) for name in sorted(files()) if re.fullmatch(rf"{folder}\w+\.html", name)]
    return tuple(sorted((study for study in found if study.answer), key=lambda study: study.question))


def _study(name: str) -> Study:
    source = (REPORT / name).read_text("utf-8")
    parts = {tag: re.search(rf"<{tag}[^>]*>(.*?)</{tag}>", source, re.S) for tag in ("h1", "main")}
    answer = re.search(r'<div class="answer">(.*?)</div>', source, re.S)
    sentences = re.findall(r"<p>(.*?)</p>", answer[1], re.S) if answer else []
    h1, main = (_plain(found[1]) if found else "" for found in parts.values())
    return Study(name, h1, tuple(map(_plain, sentences)), main)


def _plain(source: str) -> str:
    """The text of some HTML, without charts."""
    return " ".join(html.unescape(re.sub(r"<svg.*?</svg>|<[^>]+>", " ", source, flags=re.S)).split())


def found(lang: str, words: str) -> list[tuple[Study, str]]:
    """The studies in which all words occur, each with the sentence of its answer that has most of them."""
    wanted = words.lower().split()
    matching = [study for study in studies(lang) if all(word in study.text.lower() for word in wanted)]
    return [
        (study, max(study.answer, key=lambda sentence: sum(word in sentence.lower() for word in wanted)))
        for study in matching
    ]  # fmt: skip


def _page(request: Request) -> Response:
    form, lang = query_form(request), language_of(request).name
    return page(request, "results.html", form=form, there=bool(studies(lang)), found=found(lang, form.get("words")))


def _file(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in files():
        raise HTTPException(404)
    return FileResponse(REPORT / name, headers=DRAWN)


ROUTES = (Route("/results", _page), Route("/results/pages/{name:path}", _file))
