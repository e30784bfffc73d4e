#!/bin/sh
# Installs each client into an environment below build/clients, from PyPI, and runs its programs here under
# "ptxsan exec": those named racy* must have an error at each line that says "race", the others none.
# usage: clients.sh PTXSAN [CLIENT...]; PYTHON is the interpreter.
here=$(cd "$(dirname "$0")" && pwd) ptxsan=$(realpath "$1") environments=$PWD/build/clients failed=0
shift

packages() {
	case $1 in
	numba) echo 'numba-cuda[cu13] numpy' ;;
	cuda-core) echo 'cuda-core[cu13] numpy' ;;
	tinygrad) echo 'tinygrad nvidia-cuda-nvrtc numpy' ;;
	triton | gluon) echo 'triton numpy' ;;
	cupy) echo 'cupy-cuda13x[ctk] numpy' ;;
	jax | pallas-mosaic) echo 'jax[cuda13] absl-py numpy' ;;
	torch) echo 'torch numpy' ;;
	tilelang) echo 'tilelang nvidia-cuda-nvcc==13.2.* nvidia-cuda-crt==13.2.* nvidia-nvvm==13.2.* numpy' ;; # as the headers of torch's
	warp) echo 'warp-lang==1.19.* nvidia-cuda-runtime==13.4.* numpy' ;; # of the release that is in it
	cutlass) echo 'nvidia-cutlass-dsl==4.8.* cuda-bindings==13.5.* nvidia-cuda-runtime==13.5.* nvidia-cuda-runtime-cu12==12.9.* numpy' ;;
	cuda-bindings) echo 'cuda-python==13.4.* nvidia-cuda-nvrtc nvidia-cuda-runtime==13.4.* numpy' ;;
	cuda-tile) echo 'cuda-tile[tileiras] cupy-cuda13x numpy' ;;
	*) return 1 ;;
	esac
}

# environment names the environment of a client: those that are parts of one package share it.
environment() {
	case $1 in
	gluon) echo triton ;;
	pallas-mosaic) echo jax ;;
	*) echo "$1" ;;
	esac
}

# architecture is that of a client's device.
architecture() {
	case $1 in
	cuda-tile) echo sm_80 ;; # for later ones the driver makes tensor maps by code in the machine code
	*) echo sm_90 ;;
	esac
}

# check runs a program and prints what was wrong, if anything.
check() {
	code=0
	PATH=$(echo "$folder"/lib/python3*/site-packages/nvidia/cu13/bin):$PATH \
		"$ptxsan" exec --arch "$(architecture "$client")" -o "$work/report" -- "$python" -W ignore "$1" >"$work/out" 2>&1 || code=$?
	case $1 in
	*/racy*)
		[ "$code" = 1 ] || { echo "exit code $code, expected 1" && return 1; }
		for line in $(grep -n '[#/] race' "$1" | cut -d: -f1); do
			sed -n '/Error: Race/,/^=*$/p' "$work/report" | grep -q "$(basename "$1"):$line\( \[.*\)*\$" && echo "found at line $line" && continue
			echo "line $line: not found" && return 1
		done
		;;
	*)
		[ "$code" = 0 ] || { echo "exit code $code: $(tail -n 1 "$work/out")" && return 1; }
		sed -n 's/^=* \(ERROR SUMMARY: .*\)/\1/p' "$work/report"
		;;
	esac
}

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
for client in ${*:-numba cuda-core cuda-bindings tinygrad triton gluon cupy jax pallas-mosaic torch tilelang warp cutlass cuda-tile}; do
	folder=$environments/$(environment "$client")
	python=$folder/bin/python
	list=$(packages "$client") || { echo "$client: unknown" && exit 2; }
	if [ ! -x "$python" ]; then
		if ! { "${PYTHON:-python3}" -m venv "$folder" && "$python" -m pip -q install $list; } >"$work/install" 2>&1; then
			echo "$client: skipped, it cannot be installed: $(tail -n 1 "$work/install")"
			rm -rf "${folder:?}"
			continue
		fi
	fi
	for program in "$here/$client"/*.py; do
		[ "$(basename "$program")" = arrays.py ] && continue
		result=$(check "$program" | tr '\n' ';') || true
		case $result in *'not found'* | *'exit code'* | '') failed=1 result="FAILED: $result" ;; esac
		echo "$client $(basename "$program"): ${result%;}"
	done
done
exit $failed
