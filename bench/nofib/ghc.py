#!/usr/bin/env python3
"""Times the programs after nofib in Clean against the same in Haskell: GHC's code, Clean's, and ours.

usage: ghc.py --cleave PROGRAM --cocl DIR --clean-native PROGRAM --node PROGRAM [--ghc ghc] [--rounds N] [--instructions] [NAME...]

--cocl          a folder with StdEnv with .abc files and Clean's back end in `clean` (as for bench/interpreter.py)
--clean-native  a program that builds an executable with Clean's code generator, as for `cleave-bench`
--instructions  counts instructions of executables as well (valgrind), once

The programs are those of `programs.txt` with their larger numbers; their Haskell is beside this script. The least processor time of
some rounds counts, which take turns, of whole processes, but wasmtime (a Python package) without its compilation. Clean's code has the
heap with which it is fastest, and GHC's the better of its usual nursery and one of 64 MB. All have to print the same."""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, os.fspath(HERE.parent))
import timing  # noqa: E402

HEAPS = [8 << 20, 64 << 20, 512 << 20]
STACK = 200 << 20
COLUMNS = ["GHC", "executable", "wasmtime", "node"]
# What Clean's programs print last: the world that they return.
WORLD = b"65536\n"


def run(*command, **options):
    return subprocess.run(list(map(os.fspath, command)), check=True, capture_output=True, text=True, **options)


def build(options, abc, folder, stdin):
    """The ways to run a program, and the commands of its executables."""
    name, stdenv = abc.stem, options.cocl / "StdEnv/Clean System Files"
    output = folder / name
    run(options.ghc, "-v0", "-O2", "-rtsopts", "-outputdir", folder / f"{name}.o", "-o", output.with_suffix(".ghc"), HERE / f"{name}.hs")
    for more in (["--target", "native", "-o", output], ["-o", output.with_suffix(".mjs")], ["-o", output.with_suffix(".wasm")]):
        run(options.cleave, "build", "-q", "--no-cocl", "-L", stdenv, abc, *more)
    commands = {f"Clean {heap >> 20}": [output.with_suffix(f".clean{heap}"), "-nt"] for heap in HEAPS}
    for heap, command in zip(HEAPS, commands.values()):
        home = ["--clean", options.cocl / "clean", "-L", options.cocl / "StdEnv", "--heap", str(heap), "--stack", str(STACK)]
        run(options.clean_native, abc, *home, "-o", command[0])
    commands["GHC"] = [output.with_suffix(".ghc")]
    commands["GHC 64m"] = [output.with_suffix(".ghc"), "+RTS", "-A64m"]
    commands["executable"] = [output]
    ways = {way: timing.process(command, stdin) for way, command in commands.items()}
    ways["wasmtime"] = timing.engine(output.with_suffix(".wasm"), folder / "log", stdin)
    ways["node"] = timing.process([options.node, output.with_suffix(".mjs")], stdin)
    return ways, commands


def measured(options, name, ways):
    """The least times, those of Clean and GHC with their better settings, by column; and the names of these settings."""
    # Clean's heap may be too small.
    best, outputs = timing.in_turn(ways, 1, may_fail=[way for way in ways if way.startswith("Clean")])
    settings = {"Clean": [way for way in best if way.startswith("Clean")], "GHC": ["GHC", "GHC 64m"]}
    settings = {column: min(ways, key=best.get) for column, ways in settings.items()}
    kept = {way: ways[way] for way in [*settings.values(), "executable", "wasmtime", "node"]}
    again, _ = timing.in_turn(kept, options.rounds - 1)
    wanted = {output.removesuffix(WORLD) for output in outputs.values()}
    assert len(wanted) == 1, f"{name}: {outputs}"
    least = {way: min(best[way], again[way]) for way in kept}
    return {column: least[settings.get(column, column)] for column in ["Clean", *COLUMNS]}, settings


def instructions(command, stdin):
    """Of a process, in millions."""
    counter = ["valgrind", "--tool=exp-bbv", "--instr-count-only=yes", "--bb-out-file=/dev/null", "--main-stacksize=67108864"]
    ended = subprocess.run([*counter, *map(os.fspath, command)], input=stdin, capture_output=True, check=True)
    return int(re.search(rb"Total instructions: (\d+)", ended.stderr)[1]) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("cleave", "cocl", "clean-native", "node"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--ghc", default="ghc")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("programs", nargs="*")
    options = parser.parse_intermixed_args()
    counted = ["GHC", "executable"] if options.instructions else []
    titles = ["program", "Clean, s", *COLUMNS, *(f"{column}, instructions" for column in counted)]
    print(f"| {' | '.join(titles)} |\n| --- |{' ---: |' * (len(titles) - 1)}")
    logs = {title: [] for title in titles[2:]}
    with tempfile.TemporaryDirectory() as folder:
        for abc, stdin in timing.listed(HERE / "programs.txt"):
            if options.programs and abc.stem not in options.programs:
                continue
            ways, commands = build(options, abc.resolve(), pathlib.Path(folder), stdin)
            best, settings = measured(options, abc.stem, ways)
            ratios = {column: best[column] / best["Clean"] for column in COLUMNS}
            if counted:
                clean = instructions(commands[settings["Clean"]], stdin)
                for column in counted:
                    command = commands[settings.get(column, column)]
                    ratios[f"{column}, instructions"] = instructions(command, stdin) / clean
            for title, ratio in ratios.items():
                logs[title].append(ratio)
            print(f"| {abc.stem} | {best['Clean']:.3f} | {' | '.join(f'{ratio:.2f}' for ratio in ratios.values())} |", flush=True)
    print(f"| geometric mean | | {' | '.join(f'{timing.mean(log):.2f}' for log in logs.values())} |")


if __name__ == "__main__":
    main()
