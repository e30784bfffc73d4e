#!/bin/sh
# Builds the applications of this folder into a folder, by clang-19 alone or by nvcc:
#
#     build.sh DIR [nvcc]
#
# By nvcc they are linked with its static runtime, as it does by default; by clang with the shared
# libraries of "ptxsan exec --libraries". The command ptxsan is taken from the environment's
# PTXSAN, or else from the path.
set -eu
out=$(mkdir -p "$1" && cd "$1" && pwd)
with=${2:-clang}
cd "$(dirname "$0")"
ptxsan=${PTXSAN:-ptxsan}
clang=${CLANG:-clang-19}
libraries=$($ptxsan exec --libraries)
include=../../passes/device/include

# The first architecture that nvcc has from compute_70 on.
[ "$with" != nvcc ] || arch=$(nvcc --list-gpu-arch | sed -n '/compute_\([7-9].\|...\)/{p;q;}')

# clang compiles the device's side to PTX, ptxsan makes a fat binary of it, and clang puts that
# into the host's side.
application() { # source, name, further options
  src=$1 name=$2
  shift 2
  if [ "$with" = nvcc ]; then
    nvcc "-arch=$arch" -lineinfo "$@" -o "$out/$name" "$src"
    return
  fi
  cuda="-x cuda -nocudainc -nocudalib -I$include -include cuda_runtime.h -O2 -Xclang -target-sdk-version=11.8"
  $clang $cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx75 "$@" -gline-directives-only -S "$src" -o "$out/$name.ptx"
  $ptxsan embed -o "$out/$name.fatbin" "$out/$name.ptx"
  $clang $cuda --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang "$out/$name.fatbin" "$@" -c "$src" -o "$out/$name.o"
  $clang "$out/$name.o" -o "$out/$name" "-L$libraries" -lcudart -lstdc++ -lm
}

application vector_add.cu vector_add
application reduction.cu reduction
application reduction.cu reduction_racy -DRACY
application bfs.cu bfs
application streams.cu streams
application streams.cu streams_racy -DRACY
application managed.cu managed -g
application managed.cu managed_racy -g -DRACY
application solver.cu solver
application unwritten.cu unwritten -g
application unwritten.cu unwritten_wrong -g -DWRONG
application costs.cu costs
$clang -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx75 -nocudainc -nocudalib -I$include -include cuda_runtime.h \
  -O2 -gline-directives-only -S saxpy.cu -o "$out/saxpy.ptx"
$clang -O2 loader.cpp -o "$out/loader" "-L$libraries" -lcuda -lstdc++
