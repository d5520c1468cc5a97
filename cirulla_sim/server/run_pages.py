"""Requests carried out in threads while their pages watch: bounded in number and time, stopped when nobody watches.

Runs as pages see them: progress, the answer so far, stopping, and files to keep.
"""

from __future__ import annotations

import logging
import math
import os
import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from ..core import console
from ..core.errors import InputError
from ..core.locale import Language, language
from ..experiments.progress import Watch
from ..ruleset.catalogue import catalogue
from ..verbs import functions
from .choice_cards import judged_choices
from .rendering import fill_template, language_of, readable, refusal

if TYPE_CHECKING:
    from ..reporting.result import Result
    from ..storage.tables import ResultTable


MOST_SECONDS = 120.0
"""How long a run may simulate."""

SILENCE = 10.0
"""Seconds after which a run ends that no page has asked about."""

SIMULATING, UNDER_WAY, OF_ONE, MOST_RUNS = 2, 32, 8, 100
"""Runs that simulate at a time beside advice, and as many that advise; runs that are under way, those of one computer,
and those that are kept to be looked at."""

THREADS = max(1, (os.cpu_count() or 2) - 1)
"""Threads of a run: a processor is left for answers."""

PACE_KNOWN = 3.0
"""Seconds of simulating before a page says when it will end: the first trials are no measure of the others."""

DRAFTS, RARER = 1.0, 5
"""Seconds between two tables of a run under way, and how many times as long as it takes to make one, at least."""

Work = Callable[[Watch], "Result"]

log = logging.getLogger(__name__)


class PageRun(Watch):
    """A request under way in a thread of its own, and later its result or what was wrong with it.

    ``result`` is complete once ``ended`` is set, and covers the trials so far before; ``number`` trials are simulated,
    of which ``done`` are done; it is 0 where nothing is.
    """

    def __init__(self, tab: str, work: Work, client: str = "", may_begin: Callable[[PageRun], bool] = bool) -> None:
        self.id = secrets.token_urlsafe(9)
        self.tab, self.client, self.address = tab, client, ""
        self.number, self.done, self.unit = 0, 0, "hands"
        self.result: Result | None = None
        self.error = ""
        self.ended, self.begun, self._news = Event(), Event(), Event()
        self.simulates = False
        self._work, self._may_begin = work, may_begin
        self._stop = Event()
        self._heard = monotonic()
        self._started = float("inf")
        self._next_draft = self._heard + DRAFTS / 2

    def heard(self) -> None:
        """A page still watches."""
        self._heard = monotonic()

    def stop(self) -> None:
        """End soon, with the trials so far."""
        self._stop.set()

    @property
    def seconds_left(self) -> float | None:
        """Seconds until it ends at its present pace, the bound of time included; None before that is known."""
        passed = monotonic() - self._started
        if passed < PACE_KNOWN or not self.done:
            return None
        return max(0.0, min((self.number - self.done) * passed / self.done, MOST_SECONDS - passed))

    @property
    def reaches(self) -> int | None:
        """About how many trials there will be when its time is over; None if all of them, or that is not known yet."""
        passed = monotonic() - self._started
        if passed < PACE_KNOWN or not self.done or self.number * passed / self.done <= MOST_SECONDS:
            return None
        reached = self.done * MOST_SECONDS / passed
        return int(round(reached, 1 - len(str(int(reached)))))

    def wait(self, seconds: float) -> None:
        """Wait until it has ended or simulates, so long at most."""
        self._news.wait(seconds)

    def carry_out(self) -> None:
        """Carry out the request, in this thread."""
        try:
            self.result = self._work(self)
        except InputError as error:
            self.error = error.message
        except KeyboardInterrupt:
            self.error = "stopped before the first answer (ask again)"
        except Exception:
            log.exception("a run of %s failed", self.tab)
            self.error = "this went wrong, and not because of what you asked (the terminal says more)"
        finally:
            self.ended.set()
            self._news.set()

    # -------------------------------------------------------------------------------- as the runner sees it

    def begin(self, number: int, done: int, unit: str) -> None:
        self.number, self.done, self.unit = number, done, unit
        self.begun.set()
        self._news.set()
        while not (self.simulates or self._may_begin(self)):
            if self.stopped():
                raise KeyboardInterrupt
            sleep(0.05)
        self._started = monotonic()

    def played(self, done: int) -> None:
        self.done = done

    def draft(self, result: Callable[[], ResultTable]) -> None:
        from ..reporting.result import Result  # here since it imports polars, and the page is to open at once

        if (began := monotonic()) > self._next_draft:
            with suppress(InputError):  # of few trials that fulfil a condition there may be no answer yet
                self.result = Result.of(result())
            self._next_draft = monotonic() + max(DRAFTS, RARER * (monotonic() - began))

    def stopped(self) -> bool:
        now = monotonic()
        return self._stop.is_set() or now - self._heard > SILENCE or now - self._started > MOST_SECONDS


class Runs:
    """The runs of a server, the latest ``MOST_RUNS`` of them; a new one is never refused, old ones make room for it."""

    def __init__(self) -> None:
        self._by_key: OrderedDict[Hashable, PageRun] = OrderedDict()
        self._lock = Lock()

    def start(self, tab: str, key: Hashable, work: Work, client: str = "") -> PageRun:
        """The run of a request; one that is under way or whole is not begun again.

        ``key`` says all that the result depends on, ``client`` whose computer asks. Of one computer's runs, and where
        all are too many of those of the computer that has most, the one that was asked for longest ago is stopped.
        """
        with self._lock:
            run = self._by_key.get((tab, key))
            whole = run is not None and run.result is not None and run.result.exit_code != 130
            if run is not None and (whole if run.ended.is_set() else not run.stopped()):
                self._by_key.move_to_end((tab, key))
                run.heard()
                return run
            live = [run for run in self._by_key.values() if not (run.ended.is_set() or run.stopped())]
            own = [run for run in live if run.client == client]
            if len(own) >= OF_ONE:
                own[0].stop()
            elif len(live) >= UNDER_WAY:
                clients = Counter(run.client for run in live)
                next(run for run in live if clients[run.client] == max(clients.values())).stop()
            return self._keep((tab, key), PageRun(tab, work, client, self._may_begin))

    def add(self, tab: str, result: Result) -> PageRun:
        """A result that is there already, as a run that has ended."""
        with self._lock:
            return self._keep(object(), PageRun(tab, lambda watch: result))

    def _keep(self, key: Hashable, run: PageRun) -> PageRun:
        self._by_key[key] = run
        self._by_key.move_to_end(key)
        ended = [key for key, run in self._by_key.items() if run.ended.is_set()]
        for old in ended[: max(0, len(self._by_key) - MOST_RUNS)]:
            del self._by_key[old]
        Thread(target=run.carry_out, daemon=True, name=f"{run.tab} {run.id}").start()
        return run

    def _may_begin(self, run: PageRun) -> bool:
        """Whether a run simulates from now on: of those that wait, one of the computer for which fewest do.

        Advice is short and somebody sits at a table: it waits for other advice only.
        """
        with self._lock:
            begun = [each for each in self._by_key.values() if each.begun.is_set() and not each.ended.is_set()]
            live = [each for each in begun if (each.tab == "advise") == (run.tab == "advise")]
            simulating = Counter(each.client for each in live if each.simulates)
            if simulating.total() < SIMULATING:
                waiting = [each for each in live if not each.simulates]
                run.simulates = run is min(waiting, key=lambda each: simulating[each.client], default=run)
            return run.simulates

    def get(self, id: str) -> PageRun | None:
        """A run by its id."""
        with self._lock:
            return next((run for run in self._by_key.values() if run.id == id), None)


AT_ONCE = 2.0
"""Seconds that a page waits for an answer that is counted."""

TYPES = {
    "csv": "text/csv", "md": "text/markdown", "tex": "application/x-tex", "html": "text/html", "txt": "text/plain",
    "png": "image/png", "svg": "image/svg+xml", "pdf": "application/pdf", "parquet": "application/vnd.apache.parquet",
}  # fmt: skip
PRINT_WIDTHS = {"column": 90, "page": 170}
"""The sizes of charts for print, in mm."""

FORMS = {"csv": "csv", "md": "markdown", "tex": "latex", "html": "html", "txt": "table"}
"""The formats of tables by the endings of their files."""

CHARTS = ("png", "pdf", "svg")

MOST_ROWS = 60
"""Rows of a table that the page shows; the file has all."""

_DRAWING = Lock()
"""One chart at a time: drawing is not safe in several threads."""


def run_of(request: Request) -> PageRun:
    """The run that a request names, which is watched from now on."""
    run: PageRun | None = request.app.state.runs.get(request.path_params["id"])
    if run is None:
        raise HTTPException(404, "This answer is no longer kept: ask again.")
    run.heard()
    return run


def answer_form(
    request: Request,
    verb: str | Callable[..., Result],
    arguments: Callable[[], dict[str, Any] | None],
    refuse: Callable[[InputError], None],
) -> str:
    """The answer of a verb, or of a function like one, as part of a page; what it comes to so far, a script completes.

    Empty if ``arguments`` gives none, after an error, which ``refuse`` takes, and where another site's page asks.
    """
    runs: Runs = request.app.state.runs
    try:
        given = arguments()
        if given is None or request.state.is_foreign:
            return ""
        client = request.client.host if request.client else ""
        work = partial(getattr(functions, verb) if isinstance(verb, str) else verb, threads=THREADS, **given)
        run = runs.start(request.url.path[1:], tuple(given.values()), lambda watch: work(progress=watch), client)
        run.address = str(request.url.include_query_params(games="2k").remove_query_params("lang"))
    except InputError as error:
        refuse(error)
        return ""
    found = render_run(request, run)
    if run.error:
        refuse(InputError(run.error))
        return ""
    return found


def render_run(request: Request, run: PageRun) -> str:
    """A run as part of a page, with its answer if that is there soon."""
    run.wait(AT_ONCE)
    return fill_template(
        request, "run.html", run=run, status=status(run, language_of(request)), answer=render_answer(request, run),
        version=version_of(run),
    )  # fmt: skip


def status(run: PageRun, locale: Language) -> str:
    """What a run does, in a few words."""
    if run.ended.is_set():
        return ""
    if run.begun.is_set() and not run.simulates:
        return locale.say("Waiting for other questions to end.")
    if console.under_way.is_set() and not run.done:
        return locale.say("Compiling, once: 10 to 30 seconds.")
    if not run.begun.is_set():
        return locale.say("Counting…")
    done, number = (locale.numerals(f"{n:,}") for n in (run.done, run.number))
    so_far = locale.say("{done} of {number} simulated", done=done, number=number)
    left = run.seconds_left
    if (reached := run.reaches) is not None:
        ends = locale.say("stops after {seconds} s, with about {n}", seconds=int(MOST_SECONDS),
                          n=locale.numerals(f"{reached:,}"))  # fmt: skip
        return f"{so_far} · {ends}"
    return so_far if left is None else f"{so_far} · {locale.say('about {n} s left', n=math.ceil(left))}"


def render_answer(request: Request, run: PageRun) -> str:
    """The answer of a run, or what it comes to so far, as part of a page; empty if there is none yet."""
    result = run.result
    if result is None or result.frame.is_empty():
        return ""
    from ..reporting.page.section import page_table
    from ..reporting.text.descriptions import headline
    from ..reporting.text.facts import readings
    from ..reporting.text.tables import readers_table

    locale = language_of(request)
    read = " ".join(readings(result.metadata, locale))
    choices = judged_choices(result, locale) if run.tab == "advise" else []
    stored, same, ended = result.metadata.get("request", {}), _unchanged(result), run.ended.is_set()
    titles = {name: locale.translate(house["title"][0]) for name, house in catalogue()["house"].items()}
    unchanged = "" if not same else locale.say(
        "In none of {hands} hands does this change anything: {rules}.",
        hands=locale.numerals(f"{result.metadata['hands']:,}"), rules="; ".join(titles.get(x, x) for x in same),
    )  # fmt: skip
    lines = [line for line in result.describe(locale.name).splitlines() if line not in (read, result.same_numbers)]
    nothing = unchanged if len(same) == len(result.metadata.get("compared", ())) else ""
    first = nothing or headline(result.frame, result.metadata, locale) or lines[0]
    table = readers_table(result.frame, result.metadata, locale, brief=True)
    fields, houses = catalogue()["field"], catalogue()["house"]
    parts = [
        {fields[field]["part"] for name in house.split("+") for field in houses.get(name, {}).get("fields", ())}
        for house in same
    ]  # the parts of the game that each rule without effect is about; a reader's own rule has none
    others = [line for line in lines if readable(line) not in readable(first)]
    return fill_template(
        request, "advice.html" if choices else "answer.html", run=run, result=result, choices=choices, read=read,
        first=first, others=others, unchanged=unchanged, has_chart=_has_chart(result), charts=CHARTS, forms=FORMS,
        table=page_table(table, MOST_ROWS, locale, narrow=True),
        at=stored.get("situation", {}).get("at"), sizes=PRINT_WIDTHS, version=version_of(run), ended=ended,
        offers_games="games" not in stored.get("question", {}) and any(not of or "Game" in of for of in parts),
    )  # fmt: skip


def _unchanged(result: Result) -> list[str]:
    """House rules with which not one hand went another way."""
    import polars as pl  # here so that the page opens at once

    if not result.metadata["schema"].startswith("compare/"):
        return []
    changes = result.frame.filter(kind="difference").group_by("rules", maintain_order=True)
    return [name for name, size in changes.agg(pl.col("estimate").abs().max()).iter_rows() if size == 0]


def version_of(run: PageRun) -> str:
    """A text that changes with the answer."""
    return "final" if run.ended.is_set() else str(run.done)


def _has_chart(result: Result) -> bool:
    """Whether a chart has more to show than one number."""
    from ..reporting.charts.figures import graphic_of

    try:
        return len(result) > 1 and bool(graphic_of(result.frame, result.metadata, None, language("en")))
    except InputError:
        return False


def chart_of(result: Result, ending: str, **look: str | None) -> bytes:
    """The file of a chart, the same bytes as ``plot`` writes; ``look`` are arguments of ``plot``."""
    with _DRAWING, TemporaryDirectory() as folder:
        path = Path(folder, f"chart.{ending}")
        functions.plot(result, output=path, **look)  # type: ignore[arg-type]
        return path.read_bytes()


def preload() -> None:
    """Ask a first question and draw its answer, so that all that this requires is imported when somebody asks."""
    result = functions.odds("barsega", progress=False)
    result.describe()
    chart_of(result, "svg")


# ------------------------------------------------------------------------------------------------ routes


def _progress(request: Request) -> Response:
    """What a run does, with its answer if it is not the one that the page has already, by its ``version``."""
    run = run_of(request)
    ended, version = run.ended.is_set(), version_of(run)
    is_new = request.query_params.get("version") != version
    locale, new = language_of(request), render_answer(request, run) if is_new else None
    return JSONResponse({
        "ended": ended, "status": status(run, locale), "share": run.done / run.number if run.number else 0,
        "version": version, "answer": new, "error": refusal(run.error, locale) if ended else "",
    })  # fmt: skip


def _stop(request: Request) -> Response:
    run_of(request).stop()
    return Response(status_code=204)


def _result(request: Request) -> Result:
    result = run_of(request).result
    if result is None:
        raise HTTPException(404, "There is no answer yet.")
    return result


def _file(content: bytes | str, name: str, request: Request) -> Response:
    """A file to keep, or with ``?shown`` a picture of the page."""
    headers = {} if "shown" in request.query_params else {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=TYPES[name.rpartition(".")[2]], headers=headers)


def _table_file(request: Request) -> Response:
    ending, content = request.path_params["ending"], b""
    if ending == "parquet":
        with TemporaryDirectory() as folder:
            content = _result(request).save(Path(folder, "result.parquet")).read_bytes()
    elif ending in FORMS:
        content = f"{_result(request).text(FORMS[ending], lang=language_of(request).name)}\n".encode()
    else:
        raise HTTPException(404, "There is no such format.")
    return _file(content, f"{run_of(request).tab}.{ending}", request)


def _chart(request: Request) -> Response:
    """A chart, in the language of the page or in another."""
    ending, query, result = request.path_params["ending"], request.query_params, _result(request)
    if ending not in CHARTS:
        raise HTTPException(404, "There is no such format.")
    lang = query.get("in", language_of(request).name)
    drawn = chart_of(result, ending, size=query.get("size"), theme=query.get("theme", "light"), lang=lang)
    return _file(drawn, f"{run_of(request).tab}.{ending}", request)


def _download(request: Request) -> Response:
    """The file that was chosen of the list of all, as ``chart.png?size=column``."""
    name, run = request.query_params.get("file", ""), run_of(request)
    if not re.fullmatch(r"[a-z]+\.[a-z]+(\?size=[a-z]+&in=[a-z]+)?", name):
        raise HTTPException(404, "There is no such format.")
    return RedirectResponse(f"/runs/{run.id}/{name}", 303)


ROUTES = (
    Route("/runs/{id}", _progress),
    Route("/runs/{id}/file", _download),
    Route("/runs/{id}/stop", _stop, methods=["POST"]),
    Route("/runs/{id}/table.{ending}", _table_file),
    Route("/runs/{id}/chart.{ending}", _chart),
)
