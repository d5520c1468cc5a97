"""Tables in LaTeX, with the lines of the package booktabs."""

from __future__ import annotations

import re
from collections.abc import Sequence

import polars as pl

_SIGNS = {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}",
    ">": r"\textgreater{}", "|": r"\textbar{}", "'": r"\textquotesingle{}", '"': r"\textquotedbl{}",
    "`": r"\textasciigrave{}", "[": "{[}", "*": "{*}", "−": "$-$", "±": r"$\pm$", "×": r"$\times$", "≤": r"$\leq$",
    "≥": r"$\geq$", "→": r"$\rightarrow$", "♥": r"$\heartsuit$", "♦": r"$\diamondsuit$", "♣": r"$\clubsuit$",
    "♠": r"$\spadesuit$", "\u00a0": "~", "\u202f": r"\,", "\n": " ", **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}  # fmt: skip
"""Characters that LaTeX takes for commands or does not have; brackets and stars are commands at the start of a row."""

_ESCAPES = str.maketrans(_SIGNS)


def latex_table(texts: pl.DataFrame, caption: str, numeric: Sequence[bool]) -> str:
    r"""A table of texts, columns that are ``numeric`` to the right.

    >>> print(latex_table(pl.DataFrame({"What": ["a_b"], "Share": ["50%"]}), "", [False, True]))
    % Requires \usepackage[T1]{fontenc} and \usepackage{booktabs}.
    \begin{table}
    \centering
    \begin{tabular}{lr}
    \toprule
    What & Share \\
    \midrule
    a\_b & 50\% \\
    \bottomrule
    \end{tabular}
    \end{table}
    """
    head, *body = (" & ".join(map(escaped, cells)) + r" \\" for cells in (texts.columns, *texts.iter_rows()))
    lines = [
        r"% Requires \usepackage[T1]{fontenc} and \usepackage{booktabs}.",
        r"\begin{table}",
        r"\centering",
        *([rf"\caption{{{escaped(caption)}}}"] if caption else []),
        rf"\begin{{tabular}}{{{''.join('r' if right else 'l' for right in numeric)}}}",
        *(r"\toprule", head, r"\midrule", *body, r"\bottomrule"),
        r"\end{tabular}",
        r"\end{table}",
    ]
    return "\n".join(lines)


def escaped(text: str) -> str:
    r"""A text in LaTeX.

    >>> print(escaped("50% of “a_b” − 1"), escaped("--lang"), escaped("████"))
    50\% of “a\_b” $-$ 1 -{}-lang \rule{0.4em}{1.4ex}
    """
    apart = re.sub(r"([-,])(?=\1)", r"\1{}", text.translate(_ESCAPES))  # two would become a dash or a quotation mark
    return re.sub("█+", lambda bar: rf"\rule{{{len(bar[0]) / 10:g}em}}{{1.4ex}}", apart)
