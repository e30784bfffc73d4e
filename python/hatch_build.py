"""Puts the commands and the drop-in libraries into the wheel, and derives the wheel's version and platform tag from them.

PTXSAN_BUILT names a folder with bin/ptxsan, bin/ptxsan-full (optional) and lib/ptxsan, as "make wheel" makes it. PTXSAN_VERSION is the
version of the wheel; without it, the command is asked, which must be of this machine's architecture.
"""

import os
import re
import subprocess
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


def built() -> Path:
    """Returns the folder with the programs and the libraries."""
    folder = Path(os.environ.get("PTXSAN_BUILT", "missing"))
    for part in ("bin/ptxsan", "lib/ptxsan/version"):
        if not (folder / part).is_file():
            raise FileNotFoundError(f"{folder / part}: expected PTXSAN_BUILT to name a folder that make wheel has filled")
    return folder.resolve()


def platform_tag(folder: Path) -> str:
    """Returns the tag manylinux_2_N_ARCH (PEP 600) of the newest version of glibc that a file below the folder names.

    A name that is not the version of a symbol can only make N larger than necessary, never smaller.
    """
    found = [17]  # manylinux_2_17 is the oldest tag that pip knows by this form
    for file in folder.rglob("*"):
        if file.is_file():
            found += [int(minor) for minor in re.findall(rb"GLIBC_2\.(\d+)", file.read_bytes())]
    arch = (folder / "ptxsan/version").read_text().rpartition("-")[2]
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(arch, arch)
    return f"manylinux_2_{max(found)}_{machine}"


class VersionHook(MetadataHookInterface):
    """Takes the version of the package from the command."""

    def update(self, metadata: dict) -> None:
        version = os.environ.get("PTXSAN_VERSION")
        if not version:
            printed = subprocess.run([built() / "bin/ptxsan", "version"], check=True, capture_output=True, text=True)
            version = printed.stdout.split()[2]
        metadata["version"] = version


class FilesHook(BuildHookInterface):
    """Adds the files of PTXSAN_BUILT to the scripts and the data of the wheel.

    A wheel cannot contain symbolic links: where the folder has one, the wheel has a copy.
    """

    def initialize(self, version: str, build_data: dict) -> None:
        folder = built()
        build_data["tag"] = f"py3-none-{platform_tag(folder / 'lib')}"
        build_data["pure_python"] = False
        for program in sorted((folder / "bin").iterdir()):
            build_data["shared_scripts"][str(program)] = program.name
        build_data["shared_data"][str(folder / "lib")] = "lib"


def get_metadata_hook() -> type:
    return VersionHook


def get_build_hook() -> type:
    return FilesHook
