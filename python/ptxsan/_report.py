"""The report of a check, as values: the parts of docs/report.schema.json that programs need most."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Place:
    """A line of a file, from 1 on, and the lines that its code was inlined at, innermost first."""

    file: str
    line: int
    inlined_at: tuple[Place, ...] = ()

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Access:
    """One side of a race. The kernel is as in the PTX, the name as people write it, without parameters. The block and the thread are
    None where no thread is known."""

    access: str
    instruction: str
    kernel: str
    name: str
    ptx: Place
    source: Place | None
    block: tuple[int, ...] | None
    thread: tuple[int, ...] | None


@dataclass(frozen=True)
class Race:
    """Two accesses that nothing orders. Size is in bytes; count is the number of times that the race occurred."""

    id: str
    severity: str
    kind: str
    cause: str
    space: str
    symbol: str
    size: int
    count: int
    first: Access
    second: Access
    missing: str
    hint: str


@dataclass(frozen=True)
class Fault:
    """An error that stops a kernel on a GPU, or of a call of CUDA's APIs. The kernel and the name are as in Access."""

    kind: str
    severity: str
    message: str
    kernel: str
    name: str
    ptx: Place | None
    source: Place | None


@dataclass(frozen=True)
class NotChecked:
    """Something that was not checked, and why. The kernel is "" where none is concerned."""

    kernel: str
    why: str


@dataclass(frozen=True)
class Report:
    """The result of a check. The verdict is that of the command; document is the whole report, as JSON has it."""

    verdict: str
    detector: str
    races: list[Race]
    faults: list[Fault]
    not_checked: list[NotChecked]
    notes: list[str]
    document: dict[str, Any] = field(repr=False, compare=False)

    @property
    def clean(self) -> bool:
        """Says that all was checked that had to be, and no error was found."""
        return self.verdict == "clean"


def _place(value: dict[str, Any] | None) -> Place | None:
    if not value or not value["file"]:
        return None
    return Place(value["file"], value["line"], tuple(Place(at["file"], at["line"]) for at in value.get("inlined_at", [])))


def _access(value: dict[str, Any], names: dict[str, str]) -> Access:
    block, thread = value.get("block"), value.get("thread")
    return Access(
        value["access"],
        value["instruction"],
        value["kernel"],
        names.get(value["kernel"], value["kernel"]),
        Place(value["ptx"]["file"], value["ptx"]["line"]),
        _place(value.get("source")),
        tuple(block) if block else None,
        tuple(thread) if thread else None,
    )


def _race(value: dict[str, Any], names: dict[str, str]) -> Race:
    plain = {name: value[name] for name in ("id", "severity", "kind", "cause", "space", "size", "count", "missing", "hint")}
    return Race(symbol=value.get("symbol", ""), first=_access(value["first"], names), second=_access(value["second"], names), **plain)


def _fault(value: dict[str, Any], names: dict[str, str]) -> Fault:
    plain = {name: value[name] for name in ("severity", "message", "kernel")}
    name = names.get(value["kernel"], value["kernel"])
    return Fault(kind=value["class"], name=name, ptx=_place(value["ptx"]), source=_place(value.get("source")), **plain)


def parse(document: dict[str, Any]) -> Report:
    """Returns the report that a document in the command's format json describes."""
    names = document.get("names", {})
    return Report(
        document["verdict"],
        document["detector"],
        [_race(r, names) for r in document["races"] or []],
        [_fault(f, names) for f in document["faults"] or []],
        [NotChecked(n.get("kernel", ""), n["why"]) for n in document.get("notChecked", [])],
        document.get("notes", []),
        document,
    )
