#!/bin/sh
# Runs a WASI program under node with a stack for deep recursion: run.sh FILE.wasm [ARGUMENTS]
# V8 keeps a limit of its own (in KB), which must stay below that of the system. The small tiering budget makes it
# mix code of both its compilers early, which once showed a fault in what they think of a third result.
here=$(dirname "$0")
if ulimit -s 1000000 2>/dev/null; then
  exec node --no-warnings --wasm-tiering-budget=1000 --stack-size=950000 "$here/run.mjs" "$@"
fi
exec node --no-warnings --wasm-tiering-budget=1000 "$here/run.mjs" "$@"
