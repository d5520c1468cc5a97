"""Control variates: numbers of the same trials whose means are known exactly, or from many more trials.

A run whose deals have more bonuses than average has more points too. Its means are corrected by how far the control
variates are from their means, with the coefficients of the least squares fit of the run itself (Lavenberg and Welch, "A
perspective on the use of control variables to increase the efficiency of Monte Carlo simulations", 1981).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

from .estimates import Estimate, Z, share_interval, student


@dataclass(frozen=True)
class Controls:
    """Control variates of ``n`` trials: their means by name, and the sums over the trials of them and their products.

    ``products[i][j]`` is the sum of control i times control j. All sums are whole numbers, so that the fit is exact.
    ``variances`` are the squares of the errors of means that are not known exactly, by name (Cochran, "Sampling
    techniques", 1977, on double sampling).
    """

    means: Mapping[str, Fraction]
    sums: Sequence[int]
    products: Sequence[Sequence[int]]
    n: int
    variances: Mapping[str, Fraction] = field(default_factory=dict)

    def beside(
        self, name: str, estimate: Estimate, total: int, squares: int, crossed: Sequence[int]
    ) -> Controls:  # fmt: skip
        """The same with another control variate, whose mean is an ``estimate`` from many more trials than these.

        ``total``, ``squares`` and ``crossed`` are sums over these: of it, its squares, its products with the others.
        """
        products = [[*row, both] for row, both in zip(self.products, crossed, strict=True)]
        return replace(
            self,
            means={**self.means, name: Fraction(estimate.value)},
            sums=[*self.sums, total],
            products=[*products, [*crossed, squares]],
            variances={**self.variances, name: Fraction(estimate.std_error) ** 2},
        )

    def mean(self, total: int, squares: int, crossed: Sequence[int], scale: float = 1.0) -> Estimate:
        """The mean of numbers with this sum, sum of squares, and sums of products with the controls, times ``scale``.

        Student's interval with a degree of freedom less for each coefficient, whose errors are included.
        """
        n = self.n
        together = [n * both - x * total for both, x in zip(crossed, self.sums, strict=True)]
        inverse, whole, rank = self._inverse
        fitted = [Fraction(sum(a * b for a, b in zip(row, together, strict=True)), whole) for row in inverse]
        value = Fraction(total, n) - _product(fitted, self._apart)
        left = Fraction(n * squares - total * total) - _product(fitted, map(Fraction, together))
        freedom = n - 1 - rank
        variance = left / n / freedom * self._weight
        variance += sum(
            coefficient**2 * self.variances.get(name, 0) for coefficient, name in zip(fitted, self.means, strict=True)
        )
        error = math.sqrt(variance) * abs(scale)
        half = student(freedom) * error
        return Estimate(float(value) * scale, error, float(value) * scale - half, float(value) * scale + half, n)

    @cached_property
    def _apart(self) -> list[Fraction]:
        """How far each control is from its mean."""
        return [Fraction(total, self.n) - mean for total, mean in zip(self.sums, self.means.values(), strict=True)]

    @cached_property
    def _weight(self) -> Fraction:
        """What the residuals' variance is multiplied by: 1/n and what the coefficients add."""
        inverse, whole, _ = self._inverse  # of n times sums of squares
        reached = [_product([Fraction(x, whole) for x in row], self._apart) for row in inverse]
        return Fraction(1, self.n) + self.n * _product(reached, self._apart)

    @cached_property
    def _inverse(self) -> tuple[list[list[int]], int, int]:
        """The inverse of n squared times the controls' covariances, times a number, the number, and their rank.

        The same for all that is fitted, and in whole numbers, which are quicker than fractions.
        """
        n, size = self.n, range(len(self.sums))
        spread = [
            [Fraction(n * both - x * y) for both, y in zip(row, self.sums, strict=True)]
            for row, x in zip(self.products, self.sums, strict=True)
        ]
        columns = [solved(spread, [Fraction(i == j) for i in size]) for j in size]
        whole = math.lcm(*(x.denominator for column, _ in columns for x in column))
        return [[int(column[i] * whole) for column, _ in columns] for i in size], whole, columns[0][1] if columns else 0

    def share(self, total: int, squares: int, crossed: Sequence[int], trials: int) -> Estimate:
        """The same for the share of so many ``trials`` each: the interval of as many as have the same error."""
        uncorrected = self.mean(total, squares, crossed, 1 / trials)
        p, error = min(1.0, max(0.0, uncorrected.value)), (uncorrected.high - uncorrected.value) / Z
        low, high = share_interval(p, p * (1 - p) / error**2 if error else trials * self.n)
        return Estimate(p, uncorrected.std_error, low, high, trials * self.n)


def _product(x: Sequence[Fraction], y: Iterable[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(x, y, strict=True)), Fraction(0))


def solved(matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]) -> tuple[list[Fraction], int]:
    """The solution of linear equations, 0 for what others determine already, and the matrix's rank (Gauss).

    >>> solved([[Fraction(2), Fraction(0)], [Fraction(0), Fraction(0)]], [Fraction(3), Fraction(0)])
    ([Fraction(3, 2), Fraction(0, 1)], 1)
    """
    rows = [[*row, end] for row, end in zip(matrix, right, strict=True)]
    pivots = []
    for column in range(len(rows)):
        pivot = rows[column][column]
        if not pivot:  # of products of numbers with each other, the whole row is 0 then
            continue
        pivots.append(column)
        rows[column] = [x / pivot for x in rows[column]]
        for other in range(len(rows)):
            if other != column and rows[other][column]:
                times = rows[other][column]
                rows[other] = [x - times * y for x, y in zip(rows[other], rows[column], strict=True)]
    return [rows[column][-1] if column in pivots else Fraction(0) for column in range(len(rows))], len(pivots)
