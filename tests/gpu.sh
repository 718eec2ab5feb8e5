#!/usr/bin/env bash
# The tests of XLA on a GPU: each program in a process of its own, since a loop of many trips takes long there.
#
#   tests/gpu.sh PLUGIN.so [TEST-BINARY]
#
# The plugin is that of JAX for CUDA, xla_cuda_plugin.so. Without a binary, cargo builds it.
set -uo pipefail
plugin=$1
binary=${2:-}
if [ -z "$binary" ]; then
    binary=$(cargo test --workspace --test xla --no-run --message-format short 2>&1 | grep -o 'target/[^ )]*/xla-[0-9a-f]*' | tail -1)
fi
export GRADUS_XLA_PLUGIN=$plugin TF_CPP_MIN_LOG_LEVEL=3
# Processes share the memory of the device.
export GRADUS_XLA_OPTIONS=${GRADUS_XLA_OPTIONS:-preallocate=false}
one() {
    local found
    found=$(PROGRAM=$2 timeout "${SECONDS_EACH:-30}" "$1" answers 2>&1)
    case $? in
        0) echo "right $2" ;;
        124) echo "slow $2" ;;
        *) echo "wrong $2: $(grep -m 1 "^$2:" <<< "$found" || tail -n 3 <<< "$found" | tr '\n' ' ')" ;;
    esac
}
export -f one
results=$(mktemp)
grep -vxFf <(grep '^    ' tests/xla/refused.txt | tr -d ' ') <(ls tests/programs/*.py | xargs -n 1 basename -s .py) |
    xargs -P "${JOBS:-4}" -I{} bash -c 'one "$@"' - "$binary" {} > "$results"
grep -v '^right' "$results"
cut -d ' ' -f 1 "$results" | sort | uniq -c
! grep -q '^wrong' "$results"
