#!/bin/sh
# Compiles kernels.cu to the committed kernels.ptx. Run by "make examples"; needs
# clang 19.
set -eu
cd "$(dirname "$0")"
"${CLANG:-clang-19}" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx75 \
  -nocudainc -nocudalib -I../../../passes/device/include -fdebug-compilation-dir=. -ffp-contract=on \
  -S -O2 -gline-directives-only kernels.cu -o kernels.ptx
