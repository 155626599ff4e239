"""The `floatframe` program: its commands, and the one place where errors become exit codes.

Exit codes: 0 done, 1 the computation or file failed, 2 wrong use, 130 interrupted.
"""

from __future__ import annotations

import gc
import os
import re
import sys
import warnings
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper
from typing import Annotated

import typer
from typer.exceptions import TyperException

from floatframe.cli.common import (
    INTERRUPTED,
    OnceCommand,
    Verbose,
    complain,
    flattened,
    problem_list,
    settings,
    show_json,
)
from floatframe.errors import FloatframeError, shown_problems
from floatframe.version import __version__

OK, FAILED, WRONG_USE = 0, 1, 2

# what can be asked for, in the order of the help
COMMANDS = (
    *("info", "mesh", "convert", "modes", "buckling", "reduce", "drop"),
    *("equilibrium", "linear", "simulate", "choose", "drift", "sweep", "fit", "export-code"),
    *("response", "random", "srs", "statespace"),
    *("stress", "life"),
    *("plot", "contributions", "view", "report", "umexport", "demo"),
    *("track", "conicity", "wheel-rail", "assess"),
    *("studio", "import-check", "cards", "samples", "warmup", "doctor"),
)
# commands that are not beside this module
_ROOMS = {
    **dict.fromkeys(("mesh", "buckling"), "structures"),
    **dict.fromkeys(("track", "conicity", "wheel-rail", "assess"), "railway"),
    **dict.fromkeys(("response", "random", "srs", "statespace"), "responses"),
    **dict.fromkeys(("stress", "life"), "durability"),
    **dict.fromkeys(("plot", "contributions", "drift", "choose"), "plots"),
    **dict.fromkeys(("studio", "warmup"), "program"),
}


def _epilog(examples: str) -> str:
    """Return examples, one in a line, as the help shows them; the mark keeps its lines apart."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in examples.split("\n") if line)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"floatframe {__version__}")
        raise typer.Exit


def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    verbose: Verbose = False,
) -> None:
    pass


def application(words: Sequence[str] = ()) -> typer.Typer:
    """Return the program with the command that is asked for, with all of them where none is, as in `--help`."""
    app = typer.Typer(
        name="floatframe",
        help="Machines with rigid and flexible parts: finite elements, modal reduction, multibody simulation.",
        rich_markup_mode=None,  # plain help needs no rich and comes in half the time
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_options)
    first = next((word for word in words if not word.startswith("-")), "")
    for name in (first,) if first in COMMANDS else COMMANDS:
        module = import_module(".".join(filter(None, ("floatframe.cli", _ROOMS.get(name), name.replace("-", "_")))))
        app.command(name, cls=OnceCommand, epilog=_epilog(module.EXAMPLES))(flattened(module.run_command))
    return app


def _sentence(error: TyperException) -> str:
    """Return what is wrong with the words of a command; typer speaks of an input where it should say what was found."""
    said = re.sub(r"dir ('.*') is a file$", r"\1 is a file, expected a folder", error.format_message().rstrip("."))
    mistakes = getattr(error.__cause__, "errors", None)
    if mistakes is None:
        return said
    said = said.partition(", unable to parse")[0].replace("Value error, ", "")
    return said.replace("Input should be", f"'{mistakes()[0]['input']}' must be")


def _open_standard_streams() -> None:
    """Give closed standard streams the null device: else the next file that is opened would take what is printed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # it gets the lowest free number, which is this
    sys.stdin = sys.stdin or os.fdopen(0, closefd=False)
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a terminal of ASCII has no °


def _give_fonts_a_place() -> None:
    """Keep Matplotlib's list of fonts beside the kernels where there is no home; else every run makes it."""
    home = os.path.expanduser("~")
    if "MPLCONFIGDIR" not in os.environ and not (os.path.isdir(home) and os.access(home, os.W_OK)):
        from floatframe.native import cache_folder, cache_is_writable

        if cache_is_writable(cache_folder()):
            os.environ["MPLCONFIGDIR"] = str(cache_folder())


def _printed(code: int) -> int:
    """Return the exit code once all that was printed is where it belongs; what has no space is dropped and said."""
    try:
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if code == OK and not isinstance(error, BrokenPipeError):
            complain(f"what was printed is lost: {error.strerror}")
        return code or FAILED
    return code


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program and leave with its exit code."""
    _open_standard_streams()
    _give_fonts_a_place()
    gc.set_threshold(100_000, 50, 50)  # what is loaded stays: looking through it takes a tenth of a short command
    warnings.simplefilter(
        "ignore", RuntimeWarning
    )  # of NumPy about 1e300 squared; results that are not finite are named
    code = _printed(run(arguments))
    gc.freeze()  # nor is it looked through once more at the end
    sys.exit(code)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code; errors are one line on stderr, with -v the traceback too."""
    settings.verbose = settings.complained = False
    words = list(sys.argv[1:] if arguments is None else arguments) or ["--help"]
    try:
        code = application(words)(args=words, prog_name="floatframe", standalone_mode=False)
        if code == INTERRUPTED and not settings.complained:  # what typer makes of Ctrl-C, without a word
            raise KeyboardInterrupt
        return code if isinstance(code, int) else OK
    except TyperException as error:
        complain(f"{_sentence(error)}; see --help")
        return error.exit_code
    except FloatframeError as error:
        if "--json" in words and getattr(error, "path", None) is not None:
            show_json("floatframe-problems/1", problem_list(error))
        for number, sentence in enumerate(shown_problems(error.problems)):
            complain(sentence, None if number else error)
        return FAILED
    except BrokenPipeError:  # the reader has seen enough, as in `floatframe info FILE | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except OSError as error:
        place = f"'{error.filename}' cannot be used: " if error.filename else ""
        complain(f"{place}{error.strerror or error or type(error).__name__}", error)
        return FAILED
    except MemoryError as error:
        complain(f"memory is not enough for this{f' ({error})' if str(error) else ''}; use a smaller model", error)
        return FAILED
    except (KeyboardInterrupt, typer.Abort):
        complain("interrupted")
        return INTERRUPTED
    except RecursionError as error:
        complain("the input is nested too deeply; write expressions and files with fewer levels", error)
        return FAILED
    except Exception as error:  # a mistake of ours is one line too
        unfinite = type(error).__name__ == "LinAlgError" or "infs or NaNs" in str(error)  # as SciPy says it
        if isinstance(error, OverflowError) or unfinite:
            complain(
                f"the computation found no finite numbers ({error}); look for values in the input that are far too "
                "large or too small, such as 1e200",
                error,
            )
            return FAILED
        complain(
            f"this should not happen, please report it with the output of -v: {type(error).__name__}: {error}", error
        )
        return FAILED
