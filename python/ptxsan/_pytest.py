"""The plugin of pytest: "pytest --ptxsan" runs the session under "ptxsan exec", and findings fail the test that showed them."""

from __future__ import annotations

import fnmatch
import sys
from collections.abc import Generator

import pytest

from ._command import replace
from ._process import ended, under_exec
from ._report import Access, Fault, Race, Report


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("ptxsan")
    group.addoption("--ptxsan", action="store_true", help="run the session under ptxsan exec; findings fail the test that shows them")
    group.addoption("--ptxsan-flag", action="append", default=[], metavar="FLAG", help="a flag of ptxsan exec, such as --arch=sm_90")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "ptxsan(expect, kernel='*'): with --ptxsan, the test must show a 'race' or 'fault' in such a kernel")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Starts the session again, under exec, with the same arguments."""
    if not config.option.ptxsan or under_exec():
        return
    capture = config.pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.stop_global_capturing()
    flags = ["--error-exitcode=0", *config.option.ptxsan_flag]  # findings fail tests, and those that are expected do not
    replace(["exec", *flags, "--", sys.executable, "-m", "pytest", *config.invocation_params.args])


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    try:
        result = yield
    finally:
        report = ended(item.nodeid) if item.config.option.ptxsan else None
        if item.config.option.ptxsan:
            _judge(report, item.get_closest_marker("ptxsan"))
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item) -> Generator[None, object, object]:
    result = yield
    if item.config.option.ptxsan:
        _judge(ended(item.nodeid), None)
    return result


def _judge(report: Report | None, marker: pytest.Mark | None) -> None:
    """Fails a test that has findings of severity error which its mark does not expect, or not those that it expects."""
    found: list[Race | Fault] = [f for f in [*report.races, *report.faults] if f.severity == "error"] if report else []
    if marker is not None and "expect" in marker.kwargs:
        kind, kernel = marker.kwargs["expect"], marker.kwargs.get("kernel", "*")
        if kind not in ("race", "fault"):
            pytest.fail(f"mark ptxsan: expected 'race' or 'fault', found {kind!r}", pytrace=False)
        expected = [f for f in found if isinstance(f, Race if kind == "race" else Fault) and any(fnmatch.fnmatchcase(n, kernel) for n in _names(f))]
        if not expected:
            pytest.fail(f"ptxsan: expected a {kind} in kernel {kernel}, found none", pytrace=False)
        found = [f for f in found if f not in expected]
    if found:
        pytest.fail("\n".join(_text(f) for f in found), pytrace=False)


def _names(finding: Race | Fault) -> tuple[str, str]:
    """Returns the names of the kernel in PTX and for people."""
    of = finding.first if isinstance(finding, Race) else finding
    return of.kernel, of.name


def _text(finding: Race | Fault) -> str:
    if isinstance(finding, Fault):
        return f"ptxsan: {finding.kind}: {finding.message} (kernel {finding.name}, {_where(finding)})"
    sides = [f"  {a.access} at {_where(a)} in {a.name}" for a in (finding.first, finding.second)]
    return "\n".join([f"ptxsan: race ({finding.kind}, {finding.cause})", *sides, f"  missing: {finding.missing}", f"  {finding.hint}"])


def _where(of: Access | Fault) -> str:
    """Returns the place of an operation, with the calls that its code was inlined at."""
    return ", inlined at ".join(map(str, [of.source, *of.source.inlined_at])) if of.source else str(of.ptx)
