#!/bin/sh
# Compares this version with a CUDA release: the instructions of its headers, every form of the instruction table, and what its
# compiler makes of the CUDA files of the examples and of PROGRAMS, which names a folder. CUDA names the folder of the release (with
# bin, nvvm and the headers); without it, the newest compiler is fetched into build/cuda by pip.
set -eu
cd "$(dirname "$0")/../.."
GO=${GO:-go}

root=${CUDA:-}
if [ -z "$root" ]; then
	command -v python3 >/dev/null || { echo "make current needs python3 with pip, or CUDA=FOLDER: skipped"; exit 0; }
	python3 -m pip install -q --upgrade --target build/cuda nvidia-cuda-nvcc nvidia-cuda-runtime nvidia-cuda-cccl ||
		{ echo "make current cannot fetch the compiler, and CUDA names none: skipped"; exit 0; }
	root=build/cuda
fi
ptxas=$(find "$root" -path '*/bin/ptxas' -type f | sort | tail -1)
[ -n "$ptxas" ] || { echo "make current: no ptxas in $root: skipped"; exit 0; }
ptxas=$(realpath "$ptxas")
bin=$(dirname "$ptxas")
headers=$(find "$(dirname "$bin")" -path '*cuda/__ptx/instructions/generated' -type d | head -1)
"$ptxas" --version | tail -2

# compile FILE ARCHITECTURE...: writes the PTX of a file for each architecture for which the compiler takes it.
compile() {
	file=$1 made=
	name=build/current/$(echo "${1%.cu}" | sed 's|^/*||; s|/|-|g')
	shift
	for arch; do
		if "$bin/nvcc" -w -lineinfo -I "$(dirname "$bin")/include" -Ipasses/device/include ${PROGRAMS:+-I "$PROGRAMS"} -I "$(dirname "$file")" \
			"-arch=sm_$arch" -ptx "$file" -o "$name.$arch.ptx" >"$name.$arch.log" 2>&1; then made=yes; fi
	done
	[ -n "$made" ] || echo "nvcc does not compile $file: $(head -1 "$name.$arch.log")"
}

rm -rf build/current
mkdir -p build/current
for file in examples/apps/*.cu examples/hgrd/*.cu; do compile "$file" 100; done
if [ -n "${PROGRAMS:-}" ]; then
	find "$PROGRAMS" -name '*.cu' | sort | while read -r file; do compile "$file" 75 90a 100a; done
fi

status=0
$GO test ./passes/all -run 'TestFolder$' -v -count=1 -timeout 0 -folder "$PWD/build/current" -ptxas "$ptxas" -every-target || status=1
$GO test ./internal/support -run 'TestNewest$|TestHeaders$|TestAssembler$' -v -count=1 -timeout 60m -ptxas "$ptxas" ${headers:+-headers "$(realpath "$headers")"} || status=1
exit $status
