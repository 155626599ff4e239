"""Compiled kernels of fatigue: rainflow counting, and the damage of many histories without keeping their cycles."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt

import numpy as np

from floatframe.compiled import kernel

PLAIN, GOODMAN, GERBER, SWT, FKM = range(5)  # mean-stress corrections
FEW = 16  # closing many cycles at once pays while at least one reversal in this many goes


@kernel(nogil=True)
def turning_points(values, found, places):
    """Write the reversals of a history, its first and last value among them; return their number."""
    n = values.size
    if n == 0:
        return 0
    found[0], places[0], count, direction = values[0], 0, 1, 0
    for k in range(1, n):
        step = values[k] - values[k - 1]
        if step == 0.0:
            continue
        turn = 1 if step > 0.0 else -1
        if direction == turn or direction == 0:
            if direction == 0:
                count += 1
            direction = turn
        else:
            direction = turn
            count += 1
        found[count - 1], places[count - 1] = values[k], k
    return count


@kernel(nogil=True)
def count_cycles(points, cycles, stack):
    """Count rainflow cycles of reversals by ASTM E1049, 5.4.4; return their number.

    cycles (npoint, 3): count (1 or ½), and the numbers of the two reversals that bound the range; stack (npoint,):
    numbers of reversals not discarded.
    """
    found, height = 0, 0
    for k in range(points.size):
        stack[height] = k
        height += 1
        while height >= 3:
            x = abs(points[stack[height - 1]] - points[stack[height - 2]])
            y = abs(points[stack[height - 2]] - points[stack[height - 3]])
            if x < y:
                break
            cycles[found, 1], cycles[found, 2] = stack[height - 3], stack[height - 2]
            if height == 3:  # the range holds the starting point
                cycles[found, 0] = 0.5
                stack[0], stack[1] = stack[1], stack[2]
                height = 2
            else:
                cycles[found, 0] = 1.0
                stack[height - 3] = stack[height - 1]
                height -= 2
            found += 1
    for k in range(height - 1):
        cycles[found, 0], cycles[found, 1], cycles[found, 2] = 0.5, stack[k], stack[k + 1]
        found += 1
    return found


@kernel(nogil=True)
def equivalent_amplitude(low, high, rule, number):
    """Return the fully reversed amplitude that does as much as a cycle from low to high; see `mean_stress`."""
    amplitude, mean = 0.5 * (high - low), 0.5 * (high + low)
    if amplitude == 0.0:  # a level stretch, whatever its mean
        return 0.0
    if rule == GOODMAN:
        if mean > 0.0:
            amplitude = amplitude / (1.0 - mean / number) if mean < number else inf
    elif rule == GERBER:
        if mean > 0.0:
            amplitude = amplitude / (1.0 - (mean / number) ** 2) if mean < number else inf
    elif rule == SWT:
        amplitude = sqrt(amplitude * high) if high > 0.0 else 0.0
    elif rule == FKM:
        if mean < -amplitude:
            amplitude = amplitude * (1.0 - number)
        elif mean <= amplitude:
            amplitude = amplitude + number * mean
        elif mean <= 3.0 * amplitude:
            amplitude = (1.0 + number) * (amplitude + number / 3.0 * mean) / (1.0 + number / 3.0)
        else:
            amplitude = amplitude * (1.0 + number) ** 2 / (1.0 + number / 3.0)
    return amplitude


@kernel(nogil=True)
def cycle_damage(amplitude, knees, cycles, slopes):
    """Return 1 / N of an amplitude: N = cycles (amplitude / knee)^-slope of the lowest knee below it; 0 below all."""
    for k in range(knees.size):
        if amplitude >= knees[k]:
            return (amplitude / knees[k]) ** slopes[k] / cycles[k]
    return 0.0


@kernel(nogil=True)
def keep_turns(block, kept, count):
    """Append the reversals among the inner columns of histories (k, m) to kept (k, nt); count (k,) grows.

    A level stretch between a rise and a fall leaves one value, one within a rise leaves its first and last value, which
    are equal. Comparing first and moving then keeps both loops without branches.
    """
    turn = np.empty(block.shape[1] - 2, np.uint8)
    for k in range(len(block)):
        before, here, after = block[k, :-2], block[k, 1:-1], block[k, 2:]
        for j in range(turn.size):
            turn[j] = (here[j] > before[j]) != (after[j] > here[j])
        own, n = kept[k], count[k]
        for j in range(turn.size):
            own[n] = here[j]
            n += turn[j]
        count[k] = n


@kernel(nogil=True)
def close_inner(points, inner, begin, end):
    """Take the cycles out of reversals (n,) that lie between larger ranges; return how many stay and how many went.

    points: those that stay are moved to the front; begin, end: reversals of the cycles. A range smaller than the one
    before it and not larger than the one behind it is a cycle of ASTM E1049 however the history goes on, and no two
    such ranges touch, so that all of them go at once, without a branch. Level stretches within a rise are such ranges
    and go with the first call. inner (n,) is workspace.
    """
    n = points.size
    one, two, three, four, here = points[:-3], points[1:-2], points[2:-1], points[3:], inner[1:]
    for k in range(n - 3):
        size = abs(three[k] - two[k])
        here[k] = (size < abs(two[k] - one[k])) & (size <= abs(four[k] - three[k]))
    inner[0] = inner[n - 2] = inner[n - 1] = 0
    stay, gone = 1, 0
    for k in range(1, n):
        begin[gone], end[gone] = points[k], points[min(k + 1, n - 1)]
        gone += inner[k]
        points[stay] = points[k]
        stay += 1 - (inner[k] | inner[k - 1])
    return stay, gone


@kernel(nogil=True)
def close_all(points, begin, end, half_begin, half_end):
    """Write the cycles of reversals (n,) by ASTM E1049, 5.4.4, and its half cycles; return how many there are of both.

    points becomes the stack of the reversals that are not discarded.
    """
    height, whole, half = 0, 0, 0
    for k in range(points.size):
        points[height] = points[k]
        if height > 0 and points[height] == points[height - 1]:
            continue
        height += 1
        while height >= 3:
            a, b = points[height - 3], points[height - 2]
            if abs(points[height - 1] - b) < abs(b - a):
                break
            if height == 3:  # the range holds the starting point
                half_begin[half], half_end[half] = a, b
                half += 1
                points[0], points[1] = b, points[2]
                height = 2
            else:
                begin[whole], end[whole] = a, b
                whole += 1
                points[height - 3] = points[height - 1]
                height -= 2
    for k in range(height - 1):
        half_begin[half], half_end[half] = points[k], points[k + 1]
        half += 1
    return whole, half


@kernel(nogil=True)
def cycles_damage(begin, end, rule, number, knees, cycles, slopes):
    """Return Miner's sum of whole cycles (n,) and their largest equivalent amplitude."""
    total, largest = 0.0, 0.0
    for k in range(begin.size):
        amplitude = equivalent_amplitude(min(begin[k], end[k]), max(begin[k], end[k]), rule, number)
        largest = max(largest, amplitude)
        total += cycle_damage(amplitude, knees, cycles, slopes)
    return total, largest


@kernel(nogil=True)
def history_damage(points, work, inner, rule, number, knees, cycles, slopes):
    """Return Miner's sum of reversals (n,) and the largest equivalent amplitude; points are overwritten.

    work (4, n), inner (n,): workspace. Most cycles lie inside others and are closed many at once; the few that are
    left, and the half cycles, follow the steps of the standard.
    """
    begin, end, half_begin, half_end = work
    whole, n = 0, points.size
    gone = n
    while n >= 4 and FEW * gone >= n:
        n, gone = close_inner(points[:n], inner, begin[whole:], end[whole:])
        whole += gone
    left, half = close_all(points[:n], begin[whole:], end[whole:], half_begin, half_end)
    whole += left
    total, largest = cycles_damage(begin[:whole], end[:whole], rule, number, knees, cycles, slopes)
    open_total, open_largest = cycles_damage(half_begin[:half], half_end[:half], rule, number, knees, cycles, slopes)
    return total + 0.5 * open_total, max(largest, open_largest)


@kernel(nogil=True)
def damages(points, count, rule, number, knees, cycles, slopes, damage, largest):
    """Write damage and largest equivalent amplitude (k,) of the first count (k,) reversals of points (k, nt)."""
    most = count.max()
    work, inner = np.empty((4, most)), np.empty(most, np.uint8)
    for k in range(len(damage)):
        own = points[k, : count[k]]
        damage[k], largest[k] = history_damage(own, work, inner, rule, number, knees, cycles, slopes)
