#!/bin/sh
# Assembles what every pass makes of the examples and of package rewrite's modules
# with NVIDIA's ptxas, whose path may be given in PTXAS. Modules that ptxas refuses as
# they are, and those that need a newer ptxas, are left out and named. Without a
# ptxas it says so and succeeds. Modules for architectures that it has no more are assembled for sm_75, the oldest of CUDA 13.
#
# PASSES names the pipelines instead of all passes, and ARCHS architectures besides that of a module's target: for
# each of them that takes the module, what the pipeline makes of it is assembled, too.
#
# Usage: passes/all/ptxas.sh [FILE.ptx ...]
set -eu
ptxas=${PTXAS:-ptxas}
oldest=sm_75
if ! command -v "$ptxas" >/dev/null; then
  echo "ptxas: not found (PTXAS names one), nothing was checked"
  exit 0
fi
[ $# -gt 0 ] || {
  cd "$(dirname "$0")/../.."
  set -- examples/*/*.ptx rewrite/testdata/corpus/*.ptx
}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
[ -n "${PTXSAN:-}" ] || go build -o "$tmp/ptxsan" ./cmd/ptxsan
ptxsan=${PTXSAN:-$tmp/ptxsan}

# assemble_for ARCH FILE: the message is in $tmp/message.
assemble_for() {
  "$ptxas" -arch "$1" -c -o "$tmp/code" "$2" >"$tmp/message" 2>&1
}

# assemble FILE, for its target.
assemble() {
  for arch in "$(grep -m1 -o 'sm_[0-9][0-9a-z]*' "$1")" $oldest; do
    assemble_for "$arch" "$1" && return
    grep -q "is not defined for option 'gpu-name'" "$tmp/message" || break
  done
  return 1
}

pipelines=${PASSES:-"$("$ptxsan" passes | cut -d' ' -f1)
uniqtid,coverage,instcount,memtrace,iguard,boundscheck
memtrace<local,const>,iguard<prune>
boundscheck<prune=false>
iguard<hoist>,boundscheck<hoist>"}
accepted=0 refused=0 left=0
for file; do
  if ! assemble "$file"; then
    left=$((left + 1))
    echo "left out: $file: $(head -n1 "$tmp/message")"
    continue
  fi
  archs=
  for arch in ${ARCHS:-}; do
    ! assemble_for "$arch" "$file" || archs="$archs $arch"
  done
  for pipeline in $pipelines; do
    "$ptxsan" rewrite --passes "$pipeline" -o "$tmp/out.ptx" "$file" 2>"$tmp/message" || [ -s "$tmp/out.ptx" ] || {
      refused=$((refused + 1))
      echo "not rewritten: $file, $pipeline: $(head -n1 "$tmp/message")"
      continue
    }
    if assemble "$tmp/out.ptx"; then
      accepted=$((accepted + 1))
    else
      refused=$((refused + 1))
      echo "refused: $file, $pipeline: $(head -n3 "$tmp/message")"
    fi
    for arch in $archs; do
      if assemble_for "$arch" "$tmp/out.ptx"; then
        accepted=$((accepted + 1))
      else
        refused=$((refused + 1))
        echo "refused: $file, $pipeline, $arch: $(head -n3 "$tmp/message")"
      fi
    done
    rm -f "$tmp/out.ptx"
  done
done
"$ptxas" --version | sed -n 's/.*release/ptxas release/p'
echo "$accepted modules accepted, $refused refused; $left left out"
[ "$refused" -eq 0 ]
