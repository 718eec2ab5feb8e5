#!/bin/sh
# Builds hand.c beside the system's temporary files and runs it. CC is the compiler, cc by default.
set -e
built=$(mktemp)
trap 'rm -f "$built"' EXIT
"${CC:-cc}" -O3 -march=native -o "$built" "$(dirname "$0")/hand.c" -lm
"$built"
