"""Compiled kernels of fatigue: rainflow counting, and the damage of many histories without keeping their cycles."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

from math import inf, sqrt

from floatframe.compiled import kernel

PLAIN, GOODMAN, GERBER, SWT, FKM = range(5)  # mean-stress corrections


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
def keep_turns(block, first, last, kept, count):
    """Append what may be reversals among the inner columns of histories (k, m) to kept (k, nt); count (k,) grows.

    A value stays unless the history goes on in one direction there; no branch, which makes it
    hardly slower than reading.     first, last: inner columns.
    """
    for k in range(len(block)):
        row, own, n = block[k], kept[k], count[k]
        for j in range(first, last):
            own[n] = row[j]
            n += (row[j] - row[j - 1]) * (row[j + 1] - row[j]) <= 0.0
        count[k] = n


@kernel(nogil=True)
def history_damage(values, stack, rule, number, knees, cycles, slopes):
    """Return Miner's sum of a history and the largest equivalent amplitude; stack (nvalue,) is workspace."""
    total, largest, height = 0.0, 0.0, 0
    n = values.size
    k = 0
    while k < n:
        # walk to the end of a run in one direction: the next reversal
        value = values[k]
        if height > 0:
            up = value > stack[height - 1]
            if value == stack[height - 1]:
                k += 1
                continue
            while k + 1 < n and ((values[k + 1] >= value) if up else (values[k + 1] <= value)):
                k += 1
                value = values[k]
        stack[height] = value
        height += 1
        k += 1
        while height >= 3:
            a, b = stack[height - 3], stack[height - 2]
            if abs(value - b) < abs(b - a):
                break
            low, high = (a, b) if a < b else (b, a)
            amplitude = equivalent_amplitude(low, high, rule, number)
            largest = max(largest, amplitude)
            if height == 3:
                total += 0.5 * cycle_damage(amplitude, knees, cycles, slopes)
                stack[0], stack[1] = b, value
                height = 2
            else:
                total += cycle_damage(amplitude, knees, cycles, slopes)
                stack[height - 3] = value
                height -= 2
    for j in range(height - 1):
        a, b = stack[j], stack[j + 1]
        low, high = (a, b) if a < b else (b, a)
        amplitude = equivalent_amplitude(low, high, rule, number)
        largest = max(largest, amplitude)
        total += 0.5 * cycle_damage(amplitude, knees, cycles, slopes)
    return total, largest


@kernel(nogil=True)
def damages(histories, count, stack, rule, number, knees, cycles, slopes, damage, largest):
    """Write damage and largest equivalent amplitude (k,) of the first count (k,) values of histories (k, nt)."""
    for k in range(len(damage)):
        own = histories[k, : count[k]]
        damage[k], largest[k] = history_damage(own, stack, rule, number, knees, cycles, slopes)
