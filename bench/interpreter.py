#!/usr/bin/env python3
"""Times Clean programs against Clean's own interpreter of ABC, as machine code and as WebAssembly in node.

usage: interpreter.py --checkout DIR --cocl DIR --cleave PROGRAM --node PROGRAM --out FOLDER [--list FILE]... [PROGRAM.abc...]

--checkout  a git directory of kryptine/abc-interpreter, of which the newest commit is built in FOLDER if it is not there already
--cocl      a folder with Clean's compiler `cocl`, `StdEnv` with .abc files and `ArgEnv` (as for bench/wide/collect.py)
--list      programs with their inputs, as bench/nofib/programs.txt has them

Without programs those of `tests/corpus/bench`. The least processor time of some rounds counts, which take turns; of whole processes,
with compilation in node, where the interpreter is compiled by the engine's optimising compiler alone (`--no-liftoff`: it is one call
of one function, which would stay as the first compiler made it). For the column of wasmtime, which is without its compilation, the
Python package `wasmtime` is needed, which also assembles the interpreter.

The generators of the interpreter and `abcopt`, which improves ABC for it, are Clean programs: `cocl` and Cleave compile them. What
is changed in the sources: the generator for WebAssembly asks for the type of a constant by a method of a class instead of by a
dynamic, whose library is not public; and an `if` of the collector gets the `then` that WebAssembly wants today."""
import argparse
import io
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

import timing

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "tests/corpus/bench"
SYSTEM = "Clean System Files"
C_FILES = "abc_instructions bytecode debug_find_nodes gc interpret parse util"
C_FLAGS = "-std=c99 -w -DPOSIX -D_POSIX_C_SOURCE=199309L -D_XOPEN_SOURCE=500 -D_C99_SOURCE -DINTERPRETER -DCOMPUTED_GOTOS -Ofast"

# The type of a constant without dynamics: (module, what is there, what comes there instead).
WITHOUT_DYNAMICS = [
    ("wasm.dcl", "class wasm_literal a | TC a\nwhere\n", "class wasm_literal a\nwhere\n\tint_of :: !a -> (!Bool, !Int)\n"),
    ("wasm.icl", "instance wasm_literal Int\nwhere\n", "instance wasm_literal Int\nwhere\n\tint_of i = (True, i)\n"),
    ("wasm.icl", "instance wasm_literal Char\nwhere\n", "instance wasm_literal Char\nwhere\n\tint_of _ = (False, 0)\n"),
    ("wasm.icl", "(dynamic a, dynamic b)", "(int_of a, int_of b)"),
    ("wasm.icl", "(a :: Int, b :: Int)", "((True, a), (True, b))"),
    ("target.icl", "instance wasm_literal String\nwhere\n", "instance wasm_literal String\nwhere\n\tint_of _ = (False, 0)\n"),
]
WITH_THEN = ("(i32.eqz (local.get $section-len)) (return)", "(i32.eqz (local.get $section-len)) (then (return))")


def run(*command, **options):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, **options).stdout


def replace(path, old, new):
    text = path.read_text("latin-1")
    assert old in text, f"{path}: no {old!r}"
    path.write_text(text.replace(old, new), "latin-1")


class Interpreter:
    """The interpreter with its tools, built in a folder."""

    def __init__(self, options):
        self.options, self.folder = options, options.out.resolve()
        self.source = self.folder / "checkout/src"
        self.stdenv = options.cocl / "StdEnv" / SYSTEM
        if not (self.folder / "library").exists():
            self.build()
        self.library = sorted((self.folder / "library").glob("*.bc"))

    def build(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        checkout = self.folder / "checkout"
        archive = run("git", "-C", self.options.checkout, "archive", "HEAD")
        tarfile.open(fileobj=io.BytesIO(archive)).extractall(checkout)
        tools, made = checkout / "tools", {}
        for target in ("c", "wasm"):
            folder = self.folder / f"interpretergen-{target}"
            shutil.copytree(tools / folder.name, folder)
            for name in ("interpretergen.icl", "interpretergen.dcl"):
                shutil.copy(tools / name, folder)
            for name, old, new in WITHOUT_DYNAMICS if target == "wasm" else []:
                replace(folder / name, old, new)
            modules = (["wasm"] if target == "wasm" else []) + ["target", "specialized", "interpretergen"]
            program = self.clean(folder, modules)
            made[target] = run(program, "-nr", "-nt", "-i", self.source / "abc_instructions.h")
        self.abcopt = self.clean(self.source, [f"ABC.{name}" for name in "Instructions Parse Optimise.Branches Optimise.Reorder Optimise".split()])
        self.abcopt.rename(self.folder / "abcopt")
        (self.source / "interpret_instructions.h").write_bytes(made["c"])
        run("make", "-C", self.source, "optimized", "bcgen", "bclink", "bcprelink", "bcstrip")
        files = [f"{name}.c" for name in C_FILES.split()]
        run("cc", *C_FLAGS.split(), "-fno-unsafe-math-optimizations", *files, "-lm", "-o", "interpret", cwd=self.source)
        shutil.copy(self.source / "abc_instructions.h", self.folder)
        shutil.copy(checkout / "src-js/abc-interpreter.js", self.folder)
        import wasmtime

        (self.folder / "abc-interpreter.wasm").write_bytes(wasmtime.wat2wasm(made["wasm"].decode()))
        util = checkout / "src-js/abc-interpreter-util.wat"
        replace(util, *WITH_THEN)
        (self.folder / "abc-interpreter-util.wasm").write_bytes(wasmtime.wat2wasm(util.read_text()))
        (self.folder / "library").mkdir()
        for abc in sorted(self.stdenv.glob("*.abc")):
            self.code(abc, self.folder / "library")

    def clean(self, folder, modules):
        """Compiles a Clean program, whose last module is the main one."""
        for name in ("ArgEnv.icl", "ArgEnv.dcl"):
            shutil.copy(self.options.cocl / "ArgEnv" / name, folder)
        (folder / SYSTEM).mkdir(exist_ok=True)
        for module in ["ArgEnv", *modules]:
            run(self.options.cocl / "cocl", "-P", f".:{self.options.cocl / 'StdEnv'}", module, cwd=folder)
        *parents, name = modules[-1].split(".")
        main = folder.joinpath(*parents, SYSTEM, f"{name}.abc")
        places = [part for place in (self.stdenv, folder, folder / SYSTEM) for part in ("-L", place)]
        run(self.options.cleave, "build", "-q", "--no-cocl", "--target", "native", *places, main, "-o", folder / name)
        return folder / name

    def code(self, abc, folder):
        """The bytecode of a module."""
        better, output = folder / f"{abc.stem}.opt.abc", folder / f"{abc.stem}.bc"
        run(self.folder / "abcopt", "-nr", "-nt", abc, "-o", better)
        run(self.source / "bcgen", better, "-o", output)
        return output

    def program(self, abc, folder):
        """The bytecode of a program: for the interpreter of machine code, and with its addresses for that in node."""
        linked, small, placed = (folder / f"{abc.stem}.{end}" for end in ("linked", "stripped", "pbc"))
        run(self.source / "bclink", self.code(abc, folder), *self.library, "-o", linked)
        run(self.source / "bcstrip", linked, "-o", small)
        run(self.source / "bcprelink", small, "-o", placed)
        return small, placed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("cleave", "checkout", "cocl", "node", "out"):
        parser.add_argument(f"--{name}", required=True, type=pathlib.Path)
    parser.add_argument("--list", action="append", default=[], type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_intermixed_args()
    options.cleave, options.cocl = options.cleave.resolve(), options.cocl.resolve()
    interpreter = Interpreter(options)
    programs = [found for path in options.list for found in timing.listed(path)] + [(path, b"") for path in options.programs]
    programs = programs or [(path, b"") for path in sorted(PROGRAMS.glob("*.abc"))]
    print("| program | interpreter, s | ÷ executable | ÷ wasmtime | interpreter in node, s | ÷ ours in node |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    logs = {"executable": [], "wasmtime": [], "node": []}
    with tempfile.TemporaryDirectory() as folder:
        for abc, stdin in programs:
            output = pathlib.Path(folder) / abc.stem
            bytecode, placed = interpreter.program(abc, output.parent)
            script, module = output.with_suffix(".mjs"), output.with_suffix(".wasm")
            for more in (["--target", "native", "-o", output], ["-o", script], ["-o", module]):
                run(options.cleave, "build", "-q", "--no-cocl", "-L", interpreter.stdenv, abc, *more)
            native = [interpreter.source / "interpret", "-io", "-h", "400m", "-s", "200m", bytecode]
            in_node = [options.node, "--no-liftoff", HERE / "interpreter.mjs", interpreter.folder, placed]
            ways = {
                "interpreter": timing.process(native, stdin),
                "interpreter in node": timing.process(in_node, stdin),
                "executable": timing.process([output], stdin),
                "wasmtime": timing.engine(module, output.with_suffix(".log"), stdin),
                "node": timing.process([options.node, script], stdin),
            }
            best, outputs = timing.in_turn(ways, options.rounds, may_fail=["interpreter", "interpreter in node"])
            wanted = outputs["executable"].strip()
            differ = {way for way, text in outputs.items() if text.strip() != wanted}
            assert differ <= {"interpreter", "interpreter in node"}, f"{abc.stem}: {outputs}"
            cells = [abc.stem]
            for theirs, ours in (("interpreter", ["executable", "wasmtime"]), ("interpreter in node", ["node"])):
                took = best.get(theirs)
                cells.append("fails" if took is None else f"{took:.2f}{' (differs)' if theirs in differ else ''}")
                for way in ours:
                    cells.append("" if took is None else f"{took / best[way]:.1f}")
                    if took is not None:
                        logs[way].append(took / best[way])
            print(f"| {' | '.join(cells)} |", flush=True)
    means = [timing.mean(log) for log in logs.values()]
    print(f"| geometric mean | | {means[0]:.1f} | {means[1]:.1f} | | {means[2]:.1f} |")


if __name__ == "__main__":
    main()
