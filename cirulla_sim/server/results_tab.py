"""The tab of results: the studies' pages, which are there in a clone of the project, and files of the reader's own."""

from __future__ import annotations

import html
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..core.errors import InputError
from .forms import query_form, rename_file
from .guard import HEADERS
from .rendering import STYLES, language_of, page, refusal
from .run_pages import render_run, run_of

REPORT = Path(__file__).parents[2] / "results" / "report"
"""The pages of the studies, in a clone: English ones, and the others in a folder by their language."""

POLICY = "Content-Security-Policy"
DRAWN = {POLICY: HEADERS[POLICY].replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")}
"""What these pages may do besides: their charts have styles."""


MOST_BYTES = 1 << 24
"""The largest file that is looked at."""


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


def _page(request: Request) -> Response:
    """The studies in which all words that are looked for occur, each with the sentence that has most of them."""
    form, every = query_form(request), studies(language_of(request).name)
    words = form.get("words").lower().split()
    found = [
        (study, max(study.answer, key=lambda sentence: sum(word in sentence.lower() for word in words)))
        for study in every if all(word in study.text.lower() for word in words)
    ]  # fmt: skip
    return page(request, "results.html", form=form, there=bool(every), run="", found=found)


def _file(request: Request) -> Response:
    """A file of the studies; a page of theirs in the reader's language, in the frame of all pages."""
    name = request.path_params["name"]
    if name not in files():
        raise HTTPException(404)
    if not name.endswith(".html"):
        return FileResponse(REPORT / name)
    plain = name.rpartition("/")[2]
    of_reader = "" if language_of(request).name == "en" else f"{language_of(request).name}/"
    if f"{of_reader}{plain}" in files() and of_reader != name.removesuffix(plain):
        return RedirectResponse(f"/results/pages/{of_reader}{plain}?{request.url.query}", 303)
    content = re.search(r"<main[^>]*>(.*)</main>", (REPORT / name).read_text("utf-8"), re.S)
    answer = page(
        request, "study_page.html", page=Path(plain).stem, title=_study(name).question,
        content=content[1] if content else "", styles=("/results/pages/style.css", *STYLES),
    )  # fmt: skip
    answer.headers.update(DRAWN)
    return answer


async def _open(request: Request) -> Response:
    """A result file that is sent: the address where it is shown, or what is wrong with it."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MOST_BYTES:
            return JSONResponse({"error": language_of(request).say("This file is larger than 16 MB.")}, 413)
    return await run_in_threadpool(_opened, request, content)


def _opened(request: Request, content: bytes) -> Response:
    from ..reporting.result import read, showing  # here since it imports polars, and the page is to open at once

    locale, name = language_of(request), request.query_params.get("name", "result.parquet")
    with TemporaryDirectory() as folder:
        path = Path(folder, "result.parquet")
        path.write_bytes(content)
        try:
            with showing(name):
                result = read(path)
                result.describe(locale.name)
        except InputError as error:
            return JSONResponse({"error": refusal(rename_file(error, path, name).message, locale)}, 400)
    run = request.app.state.runs.add("results", result)
    return JSONResponse({"address": f"/results/file/{run.id}"})


def _own(request: Request) -> Response:
    run = render_run(request, run_of(request))
    return page(request, "results.html", form=query_form(request), there=False, found=[], run=run)


ROUTES = (
    Route("/results", _page),
    Route("/results/pages/{name:path}", _file),
    Route("/results/file", _open, methods=["POST"]),
    Route("/results/file/{id}", _own),
)
