#!/bin/sh
# Builds rt/prebuilt/rt.wasm and its source hash. What it does, and what it needs: rt/examples/prebuild.
set -e
cd "$(dirname "$0")/.."
exec cargo run -q -p cleave-rt --features std --example prebuild "$@"
