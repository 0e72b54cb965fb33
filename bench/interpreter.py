#!/usr/bin/env python3
"""Times Clean programs against Clean's own interpreter of ABC: interpreter.py --cleave PROGRAM --interpreter DIR --stdenv DIR [PROGRAM…]

--interpreter  the folder `src` of a checkout of kryptine/abc-interpreter, where `bcgen`, `bclink` and `interpret` are built
--stdenv       the folder of StdEnv's .abc files

The programs are those of `tests/corpus/bench`. The least processor time of some rounds counts, which take turns; for WebAssembly the
Python package `wasmtime` is needed, and its compilation does not count.

How `interpret` is built without Clean's tools: `tools/interpretergen.icl` with the modules of `tools/interpretergen-c` is a Clean program
that writes `interpret_instructions.h`; `cleave build --target native` makes an executable of it (run it with `-nr -nt`). Then
`make optimized bcgen bclink` and, for `interpret`, the command that make prints, with `-lm` at its end.
"""
import argparse
import math
import os
import pathlib
import subprocess
import tempfile
import time

PROGRAMS = pathlib.Path(__file__).resolve().parent.parent / "tests/corpus/bench"


def process(command):
    """A call that runs a command."""

    def run():
        with tempfile.TemporaryFile() as log:
            child = subprocess.Popen(command, stdout=log, stderr=subprocess.DEVNULL)
            status, usage = os.wait4(child.pid, 0)[1:]
            assert status == 0, f"{command}: {status}"
            log.seek(0)
            return usage.ru_utime + usage.ru_stime, log.read()

    return run


def engine(path, log):
    """A call that runs a module in a new instance."""
    import wasmtime

    config = wasmtime.Config()
    config.wasm_tail_call = True
    engine = wasmtime.Engine(config)
    module = wasmtime.Module.from_file(engine, str(path))
    linker = wasmtime.Linker(engine)
    linker.define_wasi()

    def run():
        store = wasmtime.Store(engine)
        wasi = wasmtime.WasiConfig()
        wasi.stdout_file = str(log)
        store.set_wasi(wasi)
        start = time.process_time()
        linker.instantiate(store, module).exports(store)["_start"](store)
        return time.process_time() - start, log.read_bytes()

    return run


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cleave", required=True, type=pathlib.Path)
    parser.add_argument("--interpreter", required=True, type=pathlib.Path)
    parser.add_argument("--stdenv", required=True, type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("programs", nargs="*")
    options = parser.parse_intermixed_args()
    names = options.programs or sorted(path.stem for path in PROGRAMS.glob("*.abc"))
    print("| program | interpreter | interpreter ÷ executable | interpreter ÷ wasmtime |\n| --- | ---: | ---: | ---: |")
    logs = ([], [])
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)

        def code(abc):
            output = folder / f"{abc.stem}.bc"
            subprocess.run([options.interpreter / "bcgen", abc, "-o", output], check=True, stdout=subprocess.DEVNULL)
            return output

        library = [code(abc) for abc in sorted(options.stdenv.glob("*.abc"))]
        for name in names:
            abc, output = PROGRAMS / f"{name}.abc", folder / name
            linked = output.with_suffix(".linked")
            parts = [code(abc), *library]
            subprocess.run([options.interpreter / "bclink", *parts, "-o", linked], check=True, stdout=subprocess.DEVNULL)
            for more in (["--target", "native", "-o", output], ["-o", output.with_suffix(".wasm")]):
                subprocess.run([options.cleave, "build", "-q", "--no-cocl", "-L", options.stdenv, abc, *more], check=True)
            ways = [
                process([options.interpreter / "interpret", "-h", "400m", "-s", "200m", linked]),
                process([output]),
                engine(output.with_suffix(".wasm"), folder / "log"),
            ]
            best, outputs = [math.inf] * 3, [None] * 3
            for _ in range(options.rounds):
                for number, run in enumerate(ways):
                    took, outputs[number] = run()
                    best[number] = min(best[number], took)
            wanted = (PROGRAMS / f"{name}.expected").read_bytes().strip()
            assert all(output.strip() == wanted for output in outputs), f"{name}: {outputs}"
            ratios = [best[0] / best[1], best[0] / best[2]]
            for log, ratio in zip(logs, ratios):
                log.append(math.log(ratio))
            print(f"| {name} | {best[0]:.2f} s | {ratios[0]:.1f} | {ratios[1]:.1f} |", flush=True)
    means = [math.exp(sum(log) / len(log)) for log in logs]
    print(f"| geometric mean | | {means[0]:.1f} | {means[1]:.1f} |")


if __name__ == "__main__":
    main()
