#!/bin/sh
# Compiles every example's CUDA source to PTX with line information. The PTX is
# committed: users need no compiler. Each file is compiled in its own folder, so
# that .file names are relative.
set -eu
cd "$(dirname "$0")"
cc=${CLANG:-clang-19}
for src in */*.cu; do
  (cd "${src%/*}" && f=${src##*/} && "$cc" -x cuda --cuda-device-only --cuda-gpu-arch=sm_70 --cuda-feature=+ptx75 \
    -nocudainc -nocudalib -I../../runtime/device/include -fdebug-compilation-dir=. \
    -S -O2 -gline-directives-only "$f" -o "${f%.cu}.ptx")
done
