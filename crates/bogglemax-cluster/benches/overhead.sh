#!/usr/bin/env bash
# What a run over NATS costs beyond `prove`: CPU seconds of both, in turns, server included.
#   cargo build --release --workspace && crates/bogglemax-cluster/benches/overhead.sh [TURNS]
set -euo pipefail
cd "$(dirname "$0")/../../.."
bin=$PWD/target/release
dir=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server"; rm -rf "$dir"' EXIT
export NATS_URL=nats://127.0.0.1:42229

# CPU seconds of a process so far, its finished children included.
cpu() { awk -v tick="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print ($12 + $13 + $14 + $15) / tick }' "/proc/$1/stat"; }
# CPU seconds of a command.
measured() {
  local shell=$BASHPID before
  before=$(cpu "$shell")
  "$@" > /dev/null 2>&1
  awk -v a="$before" -v b="$(cpu "$shell")" 'BEGIN { printf "%.2f\n", b - a }'
}

for turn in $(seq "${1:-3}"); do
  prove=$(measured "$bin/bogglemax" prove 3x3 --cutoff 500 --threads 2 --out "$dir/prove$turn")
  nats-server --jetstream --addr 127.0.0.1 --port 42229 --store_dir "$dir/store$turn" > "$dir/log" 2>&1 &
  server=$!
  sleep 1
  submit=$(measured "$bin/bogglemax-cluster" submit 3x3 --cutoff 500)
  work=$(measured "$bin/bogglemax-cluster" work --until-done --threads 2)
  collect=$(measured "$bin/bogglemax-cluster" collect --out "$dir/cluster$turn")
  nats=$(cpu "$server")
  kill "$server"; wait "$server" || true; server=
  echo "prove $prove; submit $submit + work $work + collect $collect + server $nats" |
    awk '{ split($0, p, /[^0-9.]+/); sum = p[3] + p[4] + p[5] + p[6]; printf "%s = %.2f (%+.1f %%)\n", $0, sum, 100 * (sum / p[2] - 1) }'
done
