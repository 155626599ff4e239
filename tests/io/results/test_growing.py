"""Arrays that grow chunk by chunk beside the same records written at once."""

from __future__ import annotations

import h5py
import numpy as np
import pytest

from floatframe.io.results.growing import GrowingArray
from floatframe.io.results.sums import more_sums


@pytest.mark.parametrize(("shape", "chunk"), [((0, 5), (4, 2)), ((0, 4), (4, 2)), ((0, 1), (4, 1)), ((0,), (4,))])
def test_records_are_those_given_however_they_come(tmp_path, shape, chunk):
    whole = np.random.default_rng(3).standard_normal((37, *shape[1:]))
    width = (*shape, 1)[1]
    with h5py.File(tmp_path / "a.h5", "w", libver="v110") as file:
        array = file.create_dataset(
            "x", shape, maxshape=(None, *shape[1:]), chunks=chunk, fillvalue=np.nan, dtype=float
        )
        file.swmr_mode = True
        growing, count = GrowingArray(array, np.zeros(width, np.uint64)), 0
        for pieces in ((1, 2), (1,), (9, 3), (), (16, 1, 1)):  # within a chunk, to its end, over several of them
            for n in pieces:
                growing.append(whole[count : count + n])
                count += n
            growing.bring_whole()
            full = count - count % chunk[0]
            np.testing.assert_array_equal(array[:full], whole[:full])
            growing.bring()
            growing.bring()  # again changes nothing
            with h5py.File(tmp_path / "a.h5", "r", swmr=True) as seen:
                np.testing.assert_array_equal(seen["x"][:], whole[:count])
            np.testing.assert_array_equal(growing.sums, more_sums(np.zeros(width, np.uint64), 0, whole[:count]))
        again = GrowingArray(array, growing.sums)  # from the middle of a chunk, as after a resumed run
        again.append(whole[count:])
        again.bring()
        np.testing.assert_array_equal(array[:], whole)
        np.testing.assert_array_equal(again.sums, more_sums(np.zeros(width, np.uint64), 0, whole))
        array.resize(40, axis=0)
        assert np.isnan(array[37:]).all()  # no record of another place shows there
