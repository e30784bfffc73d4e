"""Finds and runs the command ptxsan."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence


class PtxsanError(Exception):
    """The command could not check the program: its message says why."""


def find() -> str:
    """Returns the path of the command that was installed with this package.

    A folder that pip's --target or --user chose is not among the interpreter's: there, the search path decides.
    """
    user = sysconfig.get_path("scripts", f"{os.name}_user")
    for folder in (sysconfig.get_path("scripts"), user):
        path = shutil.which("ptxsan", path=folder)
        if path is not None:
            return path
    path = shutil.which("ptxsan")
    if path is None:
        raise PtxsanError("the command ptxsan is not in the search path")
    return path


def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Runs the command and returns its exit code and what it printed."""
    return subprocess.run([find(), *arguments], capture_output=True, text=True, check=False)


def replace(arguments: Sequence[str]) -> None:
    """Replaces this process by the command."""
    sys.stdout.flush()
    sys.stderr.flush()
    path = find()
    os.execv(path, [path, *arguments])
