#!/bin/sh
# Compiles the device libraries (lib/*.cu) to the committed lib/*.ptx.
# Run by "make generate"; needs clang 19. The first line of each result says what
# it was made from, which a test compares with the sources.
set -eu
cd "$(dirname "$0")"
for cu in lib/*.cu; do
	ptx="${cu%.cu}.ptx"
	"${CLANG:-clang-19}" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx63 \
		-nocudainc -nocudalib -std=c++20 -Iinclude -Wall -Werror -Wno-unknown-cuda-version -Wno-parentheses \
		-S -O2 -g0 "$cu" -o "$ptx.tmp"
	{
		echo "// Made by generate.sh from sources with SHA-256 $(cat "$cu" include/*.h | sha256sum | cut -d' ' -f1)"
		cat "$ptx.tmp"
	} >"$ptx"
	rm "$ptx.tmp"
done
