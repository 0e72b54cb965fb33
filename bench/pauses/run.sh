#!/bin/sh
# Pauses: a tree of 20 bytes a node of which one node is replaced again and again, beside OCaml's. For each collector the longest pause, what
# 99 of 100 do not exceed, their share of the time, the time, and the most memory; of processor time, the least of three runs in turns.
# Of OCaml the longest turn is known and the time: its collector works in portions, too.
#   sh bench/pauses/run.sh target/release/cleave ocamlopt 250000 2500000 10000000
set -e
here=$(cd "$(dirname "$0")" && pwd)
cleave=$1
ocamlopt=$2
shift 2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
for nodes in "$@"; do
  for suffix in sam ml; do
    sed "s/NODES/$nodes/; s/TURNS/1000000/" "$here/tree.$suffix" >"$folder/tree.$suffix"
  done
  "$cleave" build "$folder/tree.sam" --target native --memory=gc -o "$folder/traced"
  "$cleave" build "$folder/tree.sam" --target native --memory=rc -o "$folder/counted"
  (cd "$folder" && "$ocamlopt" -O3 -unsafe -inline 100 tree.ml -o ocaml 2>/dev/null)
  : >"$folder/lines"
  for turn in 1 2 3; do
    for way in generational copying incremental counted ocaml; do
      case $way in
      counted | ocaml) program=$way options= ;;
      *) program=traced options="--gc=$way --heap=3200m" ;;
      esac
      /usr/bin/env CLEAVE_RTS="$options --stats" "$folder/$program" >"$folder/out" 2>"$folder/err"
      printf '%s %s %s\n' "$way" "$(cat "$folder/out" | tr -d '\n')" "$(tr '\n' ' ' <"$folder/err")" >>"$folder/lines"
    done
  done
  awk -v nodes="$nodes" '
    # The number in front of some words.
    function before(words, at) { at = index($0, words); if (!at) return 0; split(substr($0, 1, at - 1), parts, " "); return parts[length(parts)] }
    {
      if (result == "") result = $2; else if ($2 != result) { print "another result: " $0; exit 1 }
      if ($1 == "ocaml") { longest = $5; all = $(NF - 1) } else { longest = before(" the longest"); all = before(" us in all") }
      if (!($1 in times) || all < times[$1]) times[$1] = all
      if (!($1 in longests) || longest < longests[$1]) longests[$1] = longest
      percent = before(" at most for 99")
      if (!($1 in percents) || percent < percents[$1]) percents[$1] = percent
      shares[$1] = all ? 100 * before(" us collecting") / all : 0
      peaks[$1] = before(" peak") / 1e6
      if (!seen[$1]++) order[++ways] = $1
    }
    END {
      for (i = 1; i <= ways; i++) {
        way = order[i]
        printf "%d nodes, %s: longest %.1f ms, 99 of 100 %.1f ms, %.0f %% of the time, %.2f s, %.0f MB\n", nodes, way, \
          longests[way] / 1e3, percents[way] / 1e3, shares[way], times[way] / 1e6, peaks[way]
      }
    }' "$folder/lines"
done
