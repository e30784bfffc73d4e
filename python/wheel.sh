#!/bin/sh
# Builds the wheel from the programs and libraries in the folder that PTXSAN_BUILT names, with hatchling in an environment of its own.
# usage: wheel.sh DIR, which gets the wheel; PYTHON is the interpreter.
set -e
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
out=$(realpath "$1") PTXSAN_BUILT=$(realpath "$PTXSAN_BUILT")
export PTXSAN_BUILT
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
"${PYTHON:-python3}" -m venv "$work"
"$work/bin/pip" -q --disable-pip-version-check install hatchling
cd "$here"
PYTHONDONTWRITEBYTECODE=1 "$work/bin/python" -m hatchling build -t wheel -d "$out"
