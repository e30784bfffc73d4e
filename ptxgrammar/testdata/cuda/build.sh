#!/bin/sh
# Compiles the sources here to ../corpus/clang_*.ptx with clang 19. The output is
# committed: the tests need no compiler.
set -eu
cd "$(dirname "$0")"
compile() { # source, output, flags
	source=$1 output=$2
	shift 2
	clang-19 -x cuda --cuda-device-only -nocudainc -nocudalib -S \
		-Xclang -target-feature -Xclang +ptx63 -fdebug-compilation-dir=. \
		-fdebug-prefix-map="$(clang-19 -print-resource-dir)/include=include" "$@" "$source.cu" -o "../corpus/clang_$output.ptx"
}
compile features features_sm70_O0_g --cuda-gpu-arch=sm_70 -O0 -g
compile features features_sm70_O2_line --cuda-gpu-arch=sm_70 -O2 -gline-directives-only
compile features features_sm90_O3 --cuda-gpu-arch=sm_90 -O3
compile synchronisation synchronisation_sm70_O0 --cuda-gpu-arch=sm_70 -O0
compile synchronisation synchronisation_sm80_O2_line --cuda-gpu-arch=sm_80 -O2 -gline-directives-only
