#!/bin/sh
# Builds the compiler as WebAssembly, its npm package and the page of the playground, in target/playground:
#
#   compiler/   the npm package: cleave.wasm with `compile(files, options)`
#   page/       static files for any server; `cleave playground` serves them
#
# `--unoptimised` builds them in a third of the processor's time, three times as large: for tests.
#
# Needs the Rust target wasm32-wasip1, node 20 and npm, which loads what package-lock.json lists once. The result depends
# on the sources alone.
set -e
cd "$(dirname "$0")/.."
profile=web
case ${1-} in
  "") ;;
  --unoptimised) profile=quick ;;
  *) echo "usage: playground/build.sh [--unoptimised]" >&2; exit 2 ;;
esac
command -v npm >/dev/null || { echo "playground/build.sh: npm is missing: install node 20 or later" >&2; exit 1; }
cargo rustc -q -p cleave --lib --crate-type cdylib --no-default-features --profile "$profile" --target wasm32-wasip1 || {
  echo "playground/build.sh: the build failed (is the target there? \`rustup target add wasm32-wasip1\`)" >&2
  exit 1
}
# The languages of the examples: front ends alone, with a stack for deep nests. The flag is for the program alone, so that
# the crates below it are compiled once.
for language in ml scheme actors; do
  cargo rustc -q -p "cleave-example-$language" --bin "$language" --no-default-features --profile "$profile" \
    --target wasm32-wasip1 -- -C link-arg=-zstack-size=16777216
done
# What visitors wait for is optimised once more as WebAssembly: a quarter of it goes. The tool is loaded for this alone, for
# it is large.
if [ "$profile" = web ]; then
  built=${CARGO_TARGET_DIR:-target}/wasm32-wasip1/$profile
  npm exec --yes --package=binaryen@132.0.0 -- wasm-opt -Os --strip-debug --strip-producers --enable-bulk-memory \
    --enable-mutable-globals --enable-sign-ext --enable-nontrapping-float-to-int --enable-reference-types \
    --enable-multivalue "$built/cleave.wasm" -o "$built/cleave.small.wasm" || {
    echo "playground/build.sh: wasm-opt of npm's package binaryen failed" >&2
    exit 1
  }
fi
cd playground
# What npm has installed is newer than what is asked for.
[ node_modules/.package-lock.json -nt package-lock.json ] 2>/dev/null || npm ci --silent --no-audit --no-fund
exec node build.mjs "$profile"
