#!/bin/sh
# An untyped fib beside OCaml's: processor time of executables, the least of seven runs in turns, and their ratio.
#   sh bench/immediates/run.sh target/release/cleave ocamlopt
set -e
here=$(dirname "$0")
cleave=$1
ocamlopt=${2:-ocamlopt}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for heap in gc rc; do
  "$cleave" build "$here/fib.ir" --target native --memory=$heap -o "$folder/$heap"
done
cp "$here/fib.ml" "$folder/fib.ml"
(cd "$folder" && "$ocamlopt" -unsafe -inline 100 fib.ml -o ocaml)
# Nothing of a pipe, whose processes are not this one's: their time is what this process has waited for.
for turn in 1 2 3 4 5 6 7; do
  for program in gc rc ocaml; do
    before=$(awk '{print $16}' /proc/$$/stat)
    "$folder/$program" >"$folder/out"
    test "$(cat "$folder/out")" = 102334155
    after=$(awk '{print $16}' /proc/$$/stat)
    echo "$program $((after - before))" >>"$folder/times"
  done
done
awk '
  !($1 in least) || $2 < least[$1] { least[$1] = $2 }
  END { for (p in least) printf "%s %.2f s, %.2f of OCaml\n", p, least[p] / 100, least[p] / least["ocaml"] }' "$folder/times" | sort
