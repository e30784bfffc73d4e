"""ptxsan finds data races in GPU kernels without a GPU."""

from typing import Any

from ._check import Launch, check
from ._command import PtxsanError
from ._process import Checked, checked
from ._report import Access, Fault, NotChecked, Place, Race, Report
from ._triton import check_triton

__all__ = [
    *("Access", "Checked", "Fault", "Launch", "NotChecked", "Place", "PtxsanError", "Race", "Report"),
    *("check", "check_triton", "checked"),
]


def load_ipython_extension(shell: Any) -> None:
    """Is what "%load_ext ptxsan" calls."""
    from ._jupyter import load

    load(shell)
