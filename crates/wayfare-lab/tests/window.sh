#!/bin/sh
# Opens the lab under a display without a screen, and looks at what it shows: the picture must not be of one colour.
set -eu
cd "$(dirname "$0")/.."
lab=${1:-target/debug/wayfare-lab}
picture=${2:-target/window.png}
[ -x "$lab" ] || cargo build -q
xvfb-run -a -s "-screen 0 1440x900x24" sh -c '
  "$0" scene:dungeon & lab=$!
  trap "kill $lab 2>/dev/null || true" EXIT
  for _ in $(seq 60); do
    sleep 1
    kill -0 $lab || { echo "the lab has ended by itself"; exit 1; }
    import -window root "$1" 2>/dev/null || continue
    colours=$(identify -format %k "$1")
    [ "$colours" -gt 500 ] && { echo "the window shows $colours colours"; exit 0; }
  done
  echo "the window stays empty"
  exit 1
' "$lab" "$picture"
