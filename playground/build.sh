#!/bin/sh
# Builds the compiler as WebAssembly, its npm package and the page of the playground, in target/playground:
#
#   compiler/   the npm package: cleave.wasm with `compile(files, options)`
#   page/       static files for any server; `cleave playground` serves them
#
# Needs the Rust target wasm32-wasip1, node 20 and npm, which loads what package-lock.json lists once. The result depends
# on the sources alone.
set -e
cd "$(dirname "$0")/.."
command -v npm >/dev/null || { echo "playground/build.sh: npm is missing: install node 20 or later" >&2; exit 1; }
cargo rustc -q -p cleave --lib --crate-type cdylib --no-default-features --profile web --target wasm32-wasip1 || {
  echo "playground/build.sh: the build failed (is the target there? \`rustup target add wasm32-wasip1\`)" >&2
  exit 1
}
# The languages of the examples: front ends alone, with a stack for deep nests.
CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS="-C link-arg=-zstack-size=16777216" cargo build -q -p cleave-example-ml \
  -p cleave-example-scheme -p cleave-example-actors --no-default-features --profile web --target wasm32-wasip1
cd playground
# What npm has installed is newer than what is asked for.
[ node_modules/.package-lock.json -nt package-lock.json ] 2>/dev/null || npm ci --silent --no-audit --no-fund
exec node build.mjs
