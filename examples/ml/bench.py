#!/usr/bin/env python3
"""Times the programs of `tests/programs` against OCaml: bench.py ML [--rounds N]

ML is the command `ml`. Each program gets larger numbers and runs often; the least processor time of some rounds counts, which take
turns. Needs ocamlopt, and for WebAssembly the Python package `wasmtime`, which is measured without its compilation.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.fspath(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import timing  # noqa: E402

# How often the program runs, and what is replaced in it.
PROGRAMS = {
    "cps": (100, [("build 1 1000)", "build 1 100000)"), ("upto 1 50000", "upto 1 100000")]),
    "exceptions": (20000, []),
    "fib": (1, [("fib 27", "fib 38")]),
    "lambda": (20000, []),
    "lcs": (20000, []),
    "matrix": (1, [("let n = 30", "let n = 500")]),
    "nbody": (4000, []),
    "polymorphism": (20000, []),
    "queens": (1, [("place 8 8", "place 13 13")]),
    "redblack": (100, [("upto 1023", "upto 4000"), ("fill 2000", "fill 8000")]),
    "sieve": (1, [("sieve 100000 in", "sieve 20000000 in")]),
    "sort": (60, [("numbers 3000", "numbers 30000"), ("0 2999", "0 29999")]),
    "strings": (60000, []),
    "table": (150, [("to 5000", "to 20000")]),
    "tak": (10, [("tak 14 8 3", "tak 22 14 6"), ("ack 2 9", "ack 3 9")]),
}


def source(name, folder):
    """The program, larger, as a loop."""
    text = (folder / f"{name}.ml").read_text()
    times, edits = PROGRAMS[name]
    for old, new in edits:
        assert old in text, f"{name}: there is no `{old}`"
        text = text.replace(old, new)
    head, main = text.rsplit("let () =", 1)
    return f"{head}let main () ={main}\nlet () = for _i = 1 to {times} do main () done\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("ml")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("programs", nargs="*", default=sorted(PROGRAMS))
    options = parser.parse_intermixed_args()
    programs = pathlib.Path(__file__).parent / "tests/programs"
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        columns = ["native gc", "native rc"]
        try:
            import wasmtime  # noqa: F401

            columns += ["wasm gc", "wasm rc"]
        except ImportError:
            print("no package `wasmtime`: executables only", file=sys.stderr)
        logs = {column: [] for column in columns}
        print("| program | ocamlopt | " + " | ".join(columns) + " |\n|" + " --- |" * (len(columns) + 2))
        for name in options.programs:
            text = folder / f"{name}.ml"
            text.write_text(source(name, programs))
            ocaml = folder / f"{name}.ocaml"
            subprocess.run(["ocamlopt", "-w", "-a", "-O3", "-inline", "200", "-o", ocaml, text], check=True, cwd=folder)
            ways = {"ocaml": timing.process([ocaml])}
            for column in columns:
                target, memory = column.split()
                output = folder / f"{name}.{target}.{memory}"
                build = [options.ml, "build", text, "--target", target, "--memory", memory, "-o", output]
                subprocess.run(list(map(os.fspath, build)), check=True)
                ways[column] = timing.process([output]) if target == "native" else timing.engine(output, folder / "log")
            best, outputs = timing.in_turn(ways, options.rounds)
            for way, output in outputs.items():
                if output != outputs["ocaml"]:
                    print(f"{name}, {way}: another output", file=sys.stderr)
            ratios = [best[column] / best["ocaml"] for column in columns]
            for column, ratio in zip(columns, ratios):
                logs[column].append(ratio)
            print(f"| {name} | {best['ocaml']:.3f} s | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |", flush=True)
        means = [timing.mean(logs[column]) for column in columns]
        print("| geometric mean | | " + " | ".join(f"{mean:.2f}" for mean in means) + " |")


if __name__ == "__main__":
    main()
