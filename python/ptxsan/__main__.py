"""python -m ptxsan [FLAG...] APP.py [ARGUMENT...] runs a Python program under "ptxsan exec"."""

import sys

from ._command import PtxsanError, replace

USAGE = "usage: python -m ptxsan [FLAG OF ptxsan exec, as --name=value ...] APP.py [ARGUMENT...]"


def main(arguments: list[str]) -> int:
    """Separates the flags of exec from the program, and runs the program by this interpreter."""
    program = next((i for i, a in enumerate(arguments) if not a.startswith("-") or a in ("-m", "-c")), len(arguments))
    flags = arguments[:program]
    if program == len(arguments) and not {"-h", "--help"} & set(flags):
        print(USAGE, file=sys.stderr)
        return 2
    try:
        replace(["exec", *flags, "--", sys.executable, *arguments[program:]])
    except PtxsanError as error:
        print(f"ptxsan: {error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
