"""The extension of IPython: "%load_ext ptxsan", then "%%ptxsan" checks what a cell launches and shows the report as HTML."""

from __future__ import annotations

import html
import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any

from ._command import PtxsanError, run
from ._process import checked, under_exec
from ._report import Report, parse


def load(shell: Any) -> None:
    """Adds the magic command to an interpreter of IPython."""

    def ptxsan(line: str, cell: str) -> None:
        """%%ptxsan [FLAG OF ptxsan exec ...]: checks the kernels that the cell launches.

        Where the notebook's kernel runs under exec, the cell is one of the notebook, and takes no flags. Otherwise it is a program of
        its own, which knows nothing of other cells.
        """
        report = _here(shell, line, cell) if under_exec() else _apart(line, cell)
        _show(report)

    shell.register_magic_function(ptxsan, "cell")


def _here(shell: Any, line: str, cell: str) -> Report | None:
    if line.strip():
        raise PtxsanError(f"%%ptxsan {line}: this process is under ptxsan exec already, whose flags hold")
    with checked() as result:
        shell.run_cell(cell)
    return result.report


def _apart(line: str, cell: str) -> Report:
    with tempfile.TemporaryDirectory(prefix="ptxsan-") as work:
        program, output = Path(work, "cell.py"), Path(work, "report.json")
        program.write_text(cell, encoding="utf-8")
        flags = ["--format=json", f"--output={output}", f"--root={work}", *shlex.split(line)]
        ended = run(["exec", *flags, "--", sys.executable, str(program)])
        print(ended.stdout, end="")
        print(ended.stderr, end="", file=sys.stderr)
        if not output.is_file():
            raise PtxsanError(f"ptxsan exec ended with {ended.returncode}")
        return parse(json.loads(output.read_text(encoding="utf-8")))


def _show(report: Report | None) -> None:
    """Displays a report in a frame of its own, so that its styles are not those of the notebook."""
    from IPython.display import display

    if report is None:
        print("ptxsan: the cell has not used CUDA")
        return
    with tempfile.TemporaryDirectory(prefix="ptxsan-") as work:
        saved, page = Path(work, "report.json"), Path(work, "report.html")
        saved.write_text(json.dumps(report.document), encoding="utf-8")
        ended = run(["report", "--format", "html", "--output", str(page), "convert", str(saved)])
        if not page.is_file():
            raise PtxsanError(ended.stderr.strip())
        document = html.escape(page.read_text(encoding="utf-8"))
    frame = f'<iframe srcdoc="{document}" style="width: 100%; height: 30em; border: 0"></iframe>'
    display({"text/html": frame, "text/plain": f"ptxsan: {report.verdict}"}, raw=True)
