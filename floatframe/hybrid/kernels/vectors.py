"""Three-vectors, rotations and quaternions for the kernels: no allocation, results go into given arrays."""

# mypy: allow-untyped-defs, allow-untyped-calls
from __future__ import annotations

import math

from floatframe.hybrid.kernels.options import apart, inner, reordered


@inner
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inner
def cross(a, b):
    """a x b as a tuple."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inner
def turn(R, a):
    """R a as a tuple."""
    return (
        R[0, 0] * a[0] + R[0, 1] * a[1] + R[0, 2] * a[2],
        R[1, 0] * a[0] + R[1, 1] * a[1] + R[1, 2] * a[2],
        R[2, 0] * a[0] + R[2, 1] * a[1] + R[2, 2] * a[2],
    )


@inner
def turn_back(R, a):
    """R^T a as a tuple."""
    return (
        R[0, 0] * a[0] + R[1, 0] * a[1] + R[2, 0] * a[2],
        R[0, 1] * a[0] + R[1, 1] * a[1] + R[2, 1] * a[2],
        R[0, 2] * a[0] + R[1, 2] * a[1] + R[2, 2] * a[2],
    )


@inner
def put(target, a):
    target[0] = a[0]
    target[1] = a[1]
    target[2] = a[2]


@inner
def add(target, a):
    target[0] += a[0]
    target[1] += a[1]
    target[2] += a[2]


@inner
def add_scaled(target, factor, a):
    target[0] += factor * a[0]
    target[1] += factor * a[1]
    target[2] += factor * a[2]


@inner
def difference(a, b):
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inner
def column(R, k):
    return R[0, k], R[1, k], R[2, k]


@inner
def multiply(A, B, out):
    """out = A B for 3 x 3 matrices; out must be neither A nor B."""
    for r in range(3):
        for c in range(3):
            out[r, c] = A[r, 0] * B[0, c] + A[r, 1] * B[1, c] + A[r, 2] * B[2, c]


@inner
def multiply_quaternion(A, q, k, out):
    """out = A R(q[k:k+4]), quaternion scalar first, of any length."""
    w, x, y, z = q[k], q[k + 1], q[k + 2], q[k + 3]
    two = 2.0 / (w * w + x * x + y * y + z * z)
    c0 = (1 - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y))
    c1 = (two * (x * y - w * z), 1 - two * (x * x + z * z), two * (y * z + w * x))
    c2 = (two * (x * z + w * y), two * (y * z - w * x), 1 - two * (x * x + y * y))
    for r in range(3):
        a = (A[r, 0], A[r, 1], A[r, 2])
        out[r, 0] = dot(a, c0)
        out[r, 1] = dot(a, c1)
        out[r, 2] = dot(a, c2)


@inner
def multiply_rotation_vector(A, t, out):
    """out = A Exp(t~) for a rotation vector t."""
    angle2 = dot(t, t)
    if angle2 < 1e-8:
        s = 1.0 - angle2 / 6.0
        c = 0.5 - angle2 / 24.0
    else:
        angle = math.sqrt(angle2)
        s = math.sin(angle) / angle
        c = (1.0 - math.cos(angle)) / angle2
    for r in range(3):
        a = (A[r, 0], A[r, 1], A[r, 2])
        # row vector times (E + s t~ + c t~ t~): a t~ = a x t as a row
        b = cross(a, t)
        d = cross(b, t)
        out[r, 0] = a[0] + s * b[0] + c * d[0]
        out[r, 1] = a[1] + s * b[1] + c * d[1]
        out[r, 2] = a[2] + s * b[2] + c * d[2]


@inner
def turn_quaternion(q, k, x, y, z):
    """q[k:k+4] <- q * exp((x, y, z)/2), renormalised: turn by a rotation vector in body axes."""
    angle2 = x * x + y * y + z * z
    if angle2 < 1e-8:
        c = 1.0 - angle2 / 8.0 + angle2 * angle2 / 384.0
        s = 0.5 - angle2 / 48.0
    else:
        angle = math.sqrt(angle2)
        c = math.cos(0.5 * angle)
        s = math.sin(0.5 * angle) / angle
    x, y, z = s * x, s * y, s * z
    w0, x0, y0, z0 = q[k], q[k + 1], q[k + 2], q[k + 3]
    w1 = w0 * c - x0 * x - y0 * y - z0 * z
    x1 = w0 * x + x0 * c + y0 * z - z0 * y
    y1 = w0 * y - x0 * z + y0 * c + z0 * x
    z1 = w0 * z + x0 * y - y0 * x + z0 * c
    scale = 1.0 / math.sqrt(w1 * w1 + x1 * x1 + y1 * y1 + z1 * z1)
    q[k], q[k + 1], q[k + 2], q[k + 3] = w1 * scale, x1 * scale, y1 * scale, z1 * scale


@inner
def quaternion(R):
    """Unit quaternion of a rotation, scalar first and not negative; by its largest component, so no small divisor."""
    trace = R[0][0] + R[1][1] + R[2][2]
    if trace > 0.0:
        s = math.sqrt(1.0 + trace)
        w, f = 0.5 * s, 0.5 / s
        x, y, z = f * (R[2][1] - R[1][2]), f * (R[0][2] - R[2][0]), f * (R[1][0] - R[0][1])
    elif R[0][0] >= R[1][1] and R[0][0] >= R[2][2]:
        s = math.sqrt(1.0 + R[0][0] - R[1][1] - R[2][2])
        x, f = 0.5 * s, 0.5 / s
        w, y, z = f * (R[2][1] - R[1][2]), f * (R[0][1] + R[1][0]), f * (R[0][2] + R[2][0])
    elif R[1][1] >= R[2][2]:
        s = math.sqrt(1.0 - R[0][0] + R[1][1] - R[2][2])
        y, f = 0.5 * s, 0.5 / s
        w, x, z = f * (R[0][2] - R[2][0]), f * (R[0][1] + R[1][0]), f * (R[1][2] + R[2][1])
    else:
        s = math.sqrt(1.0 - R[0][0] - R[1][1] + R[2][2])
        z, f = 0.5 * s, 0.5 / s
        w, x, y = f * (R[1][0] - R[0][1]), f * (R[0][2] + R[2][0]), f * (R[1][2] + R[2][1])
    return (-w, -x, -y, -z) if w < 0.0 else (w, x, y, z)


@apart
def add_rows(pool, first, stride, x, factor, target):
    """target (m,) += factor times the sum of x[j] pool[first + j stride : … + m].

    Four rows at a time, so that the target is passed over less often.
    """
    n, m = len(x), len(target)
    for j in range(0, n, 4):
        left = n - j
        k = first + j * stride
        a = factor * x[j]
        b = factor * x[j + 1] if left > 1 else 0.0
        c = factor * x[j + 2] if left > 2 else 0.0
        d = factor * x[j + 3] if left > 3 else 0.0
        if a == 0.0 and b == 0.0 and c == 0.0 and d == 0.0:
            continue
        first_row = pool[k : k + m]
        second = pool[k + stride : k + stride + m] if left > 1 else first_row
        third = pool[k + 2 * stride : k + 2 * stride + m] if left > 2 else first_row
        fourth = pool[k + 3 * stride : k + 3 * stride + m] if left > 3 else first_row
        for i in range(m):
            target[i] += a * first_row[i] + b * second[i] + c * third[i] + d * fourth[i]


@reordered
def product(a, b):
    """Scalar product of two vectors (n,)."""
    total = 0.0
    for i in range(len(a)):
        total += a[i] * b[i]
    return total
