#!/bin/sh
# Compiles shapes.cu with clang 19, for the emulator and ptxas, and for this processor, on
# which it says what the kernels write.
set -eu
cd "$(dirname "$0")"
clang-19 --cuda-gpu-arch=sm_60 --cuda-device-only -nocudainc -nocudalib -O2 -S -x cuda shapes.cu -o shapes.ptx
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
clang++-19 -x c++ -O1 shapes.cu -o "$dir/shapes"
"$dir/shapes" > shapes.want
