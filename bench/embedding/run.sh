#!/bin/sh
# What calls of functions of a program cost, in node, wasmtime and C: sh bench/embedding/run.sh [CLEAVE]
set -e
here=$(cd "$(dirname "$0")" && pwd)
cleave=${1:-cleave}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$here"/* "$folder"
cp "$here"/../../tests/embedding/add.sam "$folder"
cd "$folder"
mv calls.mjs main.mjs
"$cleave" build add.sam --lib -o add.mjs
"$cleave" build calls.sam --lib -o calls.mjs
"$cleave" build calls.sam --lib --target native -o calls.a
echo "add.wasm: $(wc -c <add.wasm) bytes"
node main.mjs
python=${CLEAVE_PYTHON:-python3}
if "$python" -c 'import wasmtime' 2>/dev/null; then "$python" calls.py calls.wasm; fi
cc -O2 calls.c calls.a -o calls && ./calls
