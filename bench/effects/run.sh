#!/bin/sh
# What effects cost, beside OCaml 5: sh bench/effects/run.sh [CLEAVE]. Seconds of the processor, least of three.
# OCAMLOPT is the compiler, if it is not `ocamlopt`.
set -e
here=$(cd "$(dirname "$0")" && pwd)
cleave=${1:-cleave}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cp "$here"/*.ml "$here"/*.ir "$folder"
cd "$folder"
least() {
  for _ in 1 2 3; do
    /usr/bin/time -f "%U %S" "$@" 2>&1 >result | awk '{ print $1 + $2 }'
  done | sort -n | head -1
}
printf '%-16s %8s %8s %8s %8s %8s\n' '' ocaml native counted wasmtime node
for name in countdown iterator generator product_early resume_nontail; do
  "$cleave" build $name.ir --target native -o $name.native
  "$cleave" build $name.ir --target native --memory=rc -o $name.counted
  "$cleave" build $name.ir -o $name.wasm
  "$cleave" build $name.ir -o $name.mjs
  ocaml=-
  if "${OCAMLOPT:-ocamlopt}" -O3 -inline 100 -unsafe $name.ml -o $name 2>/dev/null; then ocaml=$(least ./$name); fi
  printf '%-16s %8s %8s %8s %8s %8s\n' $name "$ocaml" "$(least ./$name.native)" "$(least ./$name.counted)" \
    "$(least "$cleave" run $name.wasm)" "$(least node $name.mjs)"
done
