#!/bin/sh
# Compiles the device libraries (lib/*.cu) to the committed lib/*.ptx, and the tests of the
# builtins (testdata/*.cu) likewise. Run by "make generate"; needs clang 19. The first line of each result says what
# it was made from, the source and each header that it includes, which a test compares
# with what is there.
set -eu
export LC_ALL=C # the order of names
cd "$(dirname "$0")"

# headers lists the headers that a source includes, directly or not, in order of names.
headers() {
	known="" more="$1"
	while [ -n "$more" ]; do
		more=$(sed -n 's/^#include "\(.*\)".*/include\/\1/p' $more | sort -u | grep -vxF -e "$known" || true)
		known=$(printf '%s\n' $known $more | sort)
	done
	printf '%s\n' $known
}

# assembled prints PTX that ptxas of CUDA 13.0 assembles, which is in drivers too: V13.0.88 ends with a segmentation fault
# where a result of lop3 is compared with 0 for equality. "Less than 1" asks the same. gpu.ForDriver does the same to all PTX
# that ptxsan hands to a driver.
assembled() {
	awk '
		/\.func|\.entry/ { split("", lop3) }
		$1 == "lop3.b32" { lop3[$2] = 1 }
		$1 == "setp.eq.s32" && $3 in lop3 && $4 == "0;" { sub("setp.eq.s32", "setp.lt.u32"); sub("0;", "1;") }
		{ print }' "$1"
}

for cu in lib/*.cu; do
	ptx="${cu%.cu}.ptx"
	target=$(sed -n '1s,^// target: ,,p' "$cu")
	[ -n "$target" ] || target="sm_70 ptx63"
	"${CLANG:-clang-19}" -x cuda --cuda-device-only --cuda-gpu-arch="${target% *}" --cuda-feature="+${target#* }" \
		-nocudainc -nocudalib -std=c++20 -Iinclude -Wall -Werror -Wno-unknown-cuda-version -Wno-parentheses -Wno-bitwise-instead-of-logical \
		-S -O2 -g0 "$cu" -o "$ptx.tmp"
	{
		echo "// Made by generate.sh from sources with SHA-256 $(cat "$cu" $(headers "$cu") | sha256sum | cut -d' ' -f1)"
		assembled "$ptx.tmp"
	} >"$ptx"
	rm "$ptx.tmp"
done

for cu in testdata/*.cu; do
	ptx="${cu%.cu}.ptx"
	target=$(sed -n '1s,^// target: ,,p' "$cu")
	[ -n "$target" ] || target="sm_70 ptx63"
	"${CLANG:-clang-19}" -x cuda --cuda-device-only --cuda-gpu-arch="${target% *}" --cuda-feature="+${target#* }" \
		-nocudainc -nocudalib -Iinclude -include cuda_builtins.h -Wno-unknown-cuda-version -S -O2 -g0 "$cu" -o "$ptx.tmp"
	{
		echo "// Made by generate.sh from sources with SHA-256 $(cat "$cu" testdata/results.h include/cuda_builtins.h $(headers include/cuda_builtins.h) | sha256sum | cut -d' ' -f1)"
		cat "$ptx.tmp"
	} >"$ptx"
	rm "$ptx.tmp"
done
