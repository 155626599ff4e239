"""Numbers out of text: compiled and plain reading agree, and both agree with Python's own."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from floatframe.io.deck import text_numbers as text

LAST_PLACES = 4.5e-16  # two units: the compiled reading rounds digits, power of ten and product


def as_bytes(content: str | bytes) -> np.ndarray:
    return np.frombuffer(content.encode() if isinstance(content, str) else content, dtype=np.uint8)


READERS = [text.plain_free_block, text._free_block]


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("content", "values", "offsets"),
    [
        ("1,2,,3,\r\n  ** remark\n\n 4 , 5.5D+3, -.5-2\n,7\n", [1, 2, 0, 3, 4, 5500, -0.005, 0, 7], [0, 4, 7, 9]),
        ("1e-320,2.5e-310,123456789012345678901234567890\n", [1e-320, 2.5e-310, 1.2345678901234568e29], [0, 3]),
        ("+1.E2,-7.,.5,1e+02,3E-1", [100, -7, 0.5, 100, 0.3], [0, 5]),
        ("9007199254740991,0.1,1e22\n", [9007199254740991, 0.1, 1e22], [0, 3]),
        ("", [], [0]),
    ],
)
def test_free_fields(read, content, values, offsets):
    data = as_bytes(content)
    rows = read(data, 0, data.size, b"*")
    assert_array_equal(rows.values, values)
    assert_array_equal(rows.offsets, offsets)


@pytest.mark.parametrize("read", READERS)
@pytest.mark.parametrize(
    ("content", "position"), [("1,2x,3", 2), ("nan,1", 0), ("1, 1e400", 3), ("1\n2,-", 4), ("1,0x1", 2)]
)
def test_what_is_not_a_number_is_found_at_its_place(read, content, position):
    data = as_bytes(content)
    with pytest.raises(text.BadNumber) as error:
        read(data, 0, data.size, b"*")
    assert error.value.position == position


def test_compiled_reading_equals_python_on_random_numbers():
    generator = np.random.default_rng(1)
    values = generator.standard_normal(5000) * 10.0 ** generator.integers(-250, 250, 5000)
    lines = [f"{a:.17g}, {b:.9e},{c:g}, {d:.5f}" for a, b, c, d in values.reshape(-1, 4)]
    data = as_bytes("\n".join(lines))
    found = text._free_block(data, 0, data.size, b"*")
    expected = text.plain_free_block(data, 0, data.size)
    assert_array_equal(found.offsets, expected.offsets)
    assert (np.abs(found.values - expected.values) <= LAST_PLACES * np.abs(expected.values)).all()


def test_keyword_lines_are_found_with_their_numbers():
    content = "*NODE\n1,2\n** remark\n  *END\r\n\n*X" + "\n*Y" * 3
    data = as_bytes(content)
    expected = text.plain_keyword_lines(data)
    from floatframe.io.deck import _kernels_text

    assert_array_equal(_kernels_text.keyword_lines(data, 0, ord("*")), expected)
    assert expected[:, 1].tolist() == [1, 4, 6, 7, 8, 9]
    assert all(data[position] == ord("*") for position in expected[:, 0])
