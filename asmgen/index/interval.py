"""Intervals of integers, and the interval of a sum, a product, a quotient or another function of two numbers.

0 to 1023 plus 0 to 7           0 to 1030
0 to 1023 divided by 4 to 8     0 to 255
"""

from __future__ import annotations

from isa.named_tuple import NamedTuple

WORD = (1 << 32) - 1


class Interval(NamedTuple):
    """The numbers from `low` to `high`, both included."""

    low: int
    high: int

    @property
    def is_u32(self) -> bool:
        return self.low >= 0 and self.high <= WORD

    @property
    def is_i32(self) -> bool:
        return I32_BOUNDS.low <= self.low and self.high <= I32_BOUNDS.high

    @property
    def is_word(self) -> bool:
        """Whether the lower 32 bits determine the number."""
        return self.is_u32 or self.is_i32

    def contains(self, other: Interval) -> bool:
        return self.low <= other.low and other.high <= self.high

    def plus(self, other: Interval) -> Interval:
        return Interval(self.low + other.low, self.high + other.high)

    def minus(self, other: Interval) -> Interval:
        return Interval(self.low - other.high, self.high - other.low)

    def times(self, other: Interval) -> Interval:
        ends = [a * b for a in self for b in other]
        return Interval(min(ends), max(ends))

    def divided(self, divisor: Interval) -> Interval:
        """The quotients, rounded down, by the positive numbers of `divisor`."""
        least = max(divisor.low, 1)
        return Interval(
            self.low // (least if self.low < 0 else divisor.high),
            self.high // (least if self.high >= 0 else divisor.high),
        )

    def remaining(self, divisor: Interval) -> Interval:
        """The remainders of `divided`."""
        high = divisor.high - 1 if self.low < 0 else min(divisor.high - 1, self.high)
        return Interval(0, max(high, 0))

    def shifted_left(self, count: Interval) -> Interval:
        """Numbers that are not negative, shifted by bits."""
        return Interval(self.low << count.low, self.high << count.high)

    def shifted_right(self, count: Interval) -> Interval:
        """Numbers that are not negative, shifted by bits."""
        return Interval(self.low >> count.high, self.high >> count.low)

    def smaller(self, other: Interval) -> Interval:
        """The minimum of a number of each."""
        return Interval(min(self.low, other.low), min(self.high, other.high))

    def larger(self, other: Interval) -> Interval:
        """The maximum of a number of each."""
        return Interval(max(self.low, other.low), max(self.high, other.high))

    def joined(self, other: Interval) -> Interval:
        """The interval that contains both."""
        return Interval(min(self.low, other.low), max(self.high, other.high))


U32_BOUNDS = Interval(0, WORD)
I32_BOUNDS = Interval(-(1 << 31), (1 << 31) - 1)
I64_BOUNDS = Interval(-(1 << 63), (1 << 63) - 1)
