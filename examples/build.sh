#!/bin/sh
# Compiles every example's CUDA source to PTX with line information. The PTX is
# committed: users need no compiler. Each file is compiled in its own folder, so
# that .file names are relative.
#
# A source of the micro suite becomes two modules, racy and fixed (-DFIXED). It may
# say in its first line which GPU it needs, and which PTX: "// target: sm_90 ptx81". Its
# accesses are kept apart: merged branches would leave one instruction for the two sides
# of a race.
#
# An application of suite/apps or suite/mining becomes a module for each launch file, a race
# or correct, but those of other sizes, paper.yaml and middle.yaml.
set -eu
cd "$(dirname "$0")"
cc=${CLANG:-clang-19}

compile() { # source, PTX, further options
  src=$1 out=$2
  shift 2
  root=$(echo "${src%/*}" | sed 's,[^/]*,..,g')
  target=$(sed -n '1s,^// target: ,,p' "$src")
  arch=${target%% *} newer=
  case $target in
    '') arch=sm_70 isa=ptx75 ;;
    *\ *) isa=${target#* } ;;
    sm_100a) # which clang 19 does not know: what is new stands in asm, and the target is written afterwards
      arch=sm_90a isa=ptx80 newer='s/^\.version .*/.version 8.6/; s/^\.target sm_90a/.target sm_100a/' ;;
    sm_90*) isa=ptx80 ;;
    *) isa=ptx75 ;;
  esac
  (cd "${src%/*}" && "$cc" -x cuda --cuda-device-only --cuda-gpu-arch="$arch" --cuda-feature=+$isa \
    -nocudainc -nocudalib -I"$root/../passes/device/include" -fdebug-compilation-dir=. \
    -S -O2 -gline-directives-only "$@" "${src##*/}" -o "$out" && sed -i "$newer" "$out")
}

for cu in */*.cu; do
  ptx=${cu##*/}
  case ${cu%/*} in
    apps | hgrd) ;; # whole programs, with host code
    *) compile "$cu" "${ptx%.cu}.ptx" ;;
  esac
done
apart='-mllvm -simplifycfg-sink-common=false -mllvm -simplifycfg-hoist-common=false -mllvm -enable-tail-merge=false'
for cu in suite/micro/*/*.cu; do
  base=${cu##*/}
  compile "$cu" "${base%.cu}-racy.ptx" $apart
  compile "$cu" "${base%.cu}-fixed.ptx" $apart -DFIXED
done
for cu in bugs/*/bug.cu; do
  compile "$cu" racy.ptx $apart
  compile "$cu" fixed.ptx $apart -DFIXED
done
for cu in suite/apps/*/*.cu suite/mining/*/*.cu; do
  for yaml in "${cu%/*}"/*.yaml; do
    build=${yaml##*/} build=${build%.yaml}
    case $build in
      paper | middle) ;;
      *) compile "$cu" "$build.ptx" $apart -DRACE="$(echo "$build" | tr - _)" ;;
    esac
  done
done
for cu in hgrd/*.cu; do # static analysis: optimised, with loops as they are, and with host code
  ptx=${cu##*/}
  compile "$cu" "${ptx%.cu}.ptx" $apart -O1 -fno-unroll-loops -Xclang -target-sdk-version=12.0
done
