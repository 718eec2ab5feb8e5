#!/bin/sh
# Runs peer.py for a tool, in the environment that install.sh made: PEERS_HOME, ~/.cache/gradus-peers by default.
home=${PEERS_HOME:-$HOME/.cache/gradus-peers}
if [ ! -x "$home/$1/bin/python" ]; then
    echo "$1 is not installed; see benches/peers/install.sh" >&2
    exit 1
fi
exec "$home/$1/bin/python" "$(dirname "$0")/peer.py" "$1"
