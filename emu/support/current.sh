#!/bin/sh
# Compares this version with a CUDA release: the instructions of its headers, every form of the instruction table, and what its
# compiler makes of the CUDA files of the examples. CUDA names the folder of the release (with bin, nvvm and the headers);
# without it, the newest compiler is fetched into build/cuda by pip.
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

status=0
$GO test ./emu/support -run 'TestNewest$|TestHeaders$|TestAssembler$' -v -count=1 -timeout 60m -ptxas "$ptxas" ${headers:+-headers "$(realpath "$headers")"} || status=1

rm -rf build/current
mkdir -p build/current
for file in examples/apps/*.cu examples/hgrd/*.cu; do
	name=build/current/$(basename "$(dirname "$file")")-$(basename "$file" .cu).ptx
	"$bin/nvcc" -I "$(dirname "$bin")/include" -Iruntime/device/include -arch=sm_100 -ptx "$file" -o "$name" 2>"$name.log" || echo "nvcc does not compile $file: $(head -1 "$name.log")"
done
$GO test ./passes/all -run 'TestFolder$' -v -count=1 -timeout 60m -folder "$PWD/build/current" -ptxas "$ptxas" || status=1
exit $status
