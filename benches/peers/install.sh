#!/bin/sh
# Installs other tools for studies, each in an environment of its own below PEERS_HOME (~/.cache/gradus-peers by default):
#   benches/peers/install.sh autograd jax torch
# C by hand needs a C compiler alone.
set -e
home=${PEERS_HOME:-$HOME/.cache/gradus-peers}
for tool in "$@"; do
    case $tool in
        autograd | jax) packages="$tool numpy" ;;
        torch) packages="torch numpy" ;;
        *) echo "no tool is called $tool; there are autograd, jax and torch" >&2; exit 2 ;;
    esac
    python3 -m venv "$home/$tool"
    # shellcheck disable=SC2086
    "$home/$tool/bin/pip" install --quiet $packages
done
