"""`floatframe warmup`: everything that compiles on first use is compiled now."""

from __future__ import annotations

import sys
import time

from floatframe.cli.common import Json, Verbose, progress, show_json

EXAMPLES = """
floatframe warmup
floatframe warmup --json
"""


def run_command(*, as_json: Json = False, verbose: Verbose = False) -> int:
    """Compile all kernels now, so that no later command has to.

    They are kept beside the program, or in the cache folder of the user where that cannot be written to.
    """
    from floatframe import hybrid, modal, network, railway

    began = time.monotonic()
    with progress("compiling") as update:
        hybrid.warm_up(show=update)
        update(None, None, "compiling once: factor, modes, reduction")
        modal.warm_up()
        update(None, None, "compiling once: wheels on rails")
        railway.warm_up()
        update(None, None, "compiling once: networks")
        network.warm_up()
    seconds = time.monotonic() - began
    if as_json:
        show_json("floatframe-warmup/1", {"time_s": seconds})
    else:
        sys.stdout.write(f"all kernels are compiled, in {seconds:.1f} s\n")
    return 0
