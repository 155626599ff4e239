"""`python -m floatframe.io.umexport [folder]` writes the ANSYS macro umexport.mac."""

from __future__ import annotations

import sys

from floatframe.errors import FloatframeError
from floatframe.io.ansys_macro import write_umexport


def main() -> int:
    """Write the macro where the command line says."""
    try:
        sys.stdout.write(f"{write_umexport(sys.argv[1] if len(sys.argv) > 1 else '.')}\n")
    except FloatframeError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
