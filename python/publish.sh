#!/bin/sh
# Builds the wheel of a release from its archive for Linux, and checks it. PTXSAN_PYPI=1 uploads it to PyPI, by the token in
# TWINE_PASSWORD. Other artifacts are left out.
# usage: publish.sh ARCHIVE VERSION DIR, which gets the wheel; PYTHON is the interpreter.
set -e
here=$(cd "$(dirname "$0")" && pwd)
case $1 in *linux*.tar.gz) ;; *) exit 0 ;; esac
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir "$work/archive" "$work/bin"
tar -xzf "$1" -C "$work/archive"
mv "$work/archive/ptxsan" "$work/archive/ptxsan-full" "$work/bin"
mv "$work/archive/lib" "$work/lib"
PTXSAN_BUILT=$work PTXSAN_VERSION=$2 "$here/wheel.sh" "$work/wheel"
"${PYTHON:-python3}" -m venv "$work/venv"
"$work/venv/bin/pip" -q --disable-pip-version-check install twine
"$work/venv/bin/python" -m twine check "$work"/wheel/*.whl
mkdir -p "$3"
cp "$work"/wheel/*.whl "$3"
[ "$PTXSAN_PYPI" != 1 ] || TWINE_USERNAME=__token__ "$work/venv/bin/python" -m twine upload --non-interactive "$work"/wheel/*.whl
