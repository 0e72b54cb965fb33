#!/usr/bin/env python3
"""What calls of functions of a program cost, in node, wasmtime and C, and beside the same interface by wit-bindgen for
Rust: python3 bench/embedding/run.py [CLEAVE] writes the tables of docs/numbers.md.

node is the one of $PATH; wasmtime is the package of this Python, or of $CLEAVE_PYTHON; the peer needs cargo and the
target wasm32-unknown-unknown. What is not there is left out, and the last lines say so."""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CLEAVE = shutil.which(sys.argv[1] if len(sys.argv) > 1 else "cleave") or sys.exit("there is no cleave: give its path")
CLEAVE = str(pathlib.Path(CLEAVE).resolve())
PYTHON = os.environ.get("CLEAVE_PYTHON", sys.executable)
missing = []


def run(folder, *command, **options):
    return subprocess.run([str(part) for part in command], cwd=folder, check=True, text=True, **options)


def build(folder, source, *flags):
    run(folder, CLEAVE, "build", source, "--lib", *flags)


def rows(folder, *command):
    """What a program says: rows with their numbers."""
    try:
        lines = run(folder, *command, stdout=subprocess.PIPE).stdout.splitlines()
    except (OSError, subprocess.CalledProcessError) as error:
        missing.append(f"{command[0]} {command[1]}: {error}" if len(command) > 1 else f"{command[0]}: {error}")
        return {}
    found = {}
    for line in lines:
        words = line.split()
        count = next(at for at, word in enumerate(words) if word.replace(".", "", 1).replace("-", "", 1).isdigit())
        found[" ".join(words[:count])] = " ".join(words[count:])
    return found


def table(columns):
    names = list(dict.fromkeys(row for column in columns.values() for row in column))
    print("| |", " | ".join(columns), "|\n| ---", "| ---: " * len(columns) + "|")
    for name in names:
        print(f"| {name} |", " | ".join(column.get(name, "") for column in columns.values()), "|")
    print()


def size(file):
    data = file.read_bytes()
    return f"{len(data):,} bytes, {len(gzip.compress(data, 9)):,} compressed"


def peer(folder):
    """The module by wit-bindgen behind the same functions of JavaScript."""
    shutil.copytree(HERE / "peer", folder / "source")
    # Not a crate of the workspace, where all have their names.
    for ending in ("toml", "lock"):
        (folder / f"source/manifest.{ending}").rename(folder / f"source/Cargo.{ending}")
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", folder / "target")).resolve()
    command = ["cargo", "build", "--quiet", "--locked", "--release", "--target", "wasm32-unknown-unknown"]
    try:
        run(folder / "source", *command, env={**os.environ, "CARGO_TARGET_DIR": str(target)})
    except (OSError, subprocess.CalledProcessError) as error:
        missing.append(f"the peer: {error}")
        return None
    return target / "wasm32-unknown-unknown/release/peer.wasm"


def main(folder):
    for file in HERE.iterdir():
        if file.is_file():
            shutil.copy(file, folder)
    shutil.copy(ROOT / "tests/embedding/add.sam", folder)
    for name in ("calls", "functions", "markdown"):
        (folder / f"{name}.mjs").rename(folder / f"{name}_main.mjs")
    build(folder, "add.sam", "-o", "add.mjs")
    build(folder, ROOT / "examples/embedding/markdown/Markdown.abc", "-o", "markdown.mjs")
    for name in ("calls", "functions"):
        build(folder, f"{name}.sam", "-o", f"{name}.mjs")
        build(folder, f"{name}.sam", "--target", "native", "-o", f"{name}.a")
        run(folder, "cc", "-O2", f"{name}.c", f"{name}.a", "-o", name)
    wasmtime = lambda file: rows(folder, PYTHON, folder / "calls.py", file)
    columns = {
        "node": rows(folder, "node", "calls_main.mjs"),
        "wasmtime": wasmtime("calls.wasm"),
        "C": rows(folder, "./calls"),
    }
    other = peer(folder)
    if other:
        theirs = folder / "peer"
        theirs.mkdir()
        for name in ("calls.mjs", "add.mjs", "calls_main.mjs"):
            shutil.copy(folder / name, theirs)
        for name in ("calls.wasm", "add.wasm"):
            shutil.copy(other, theirs / name)
        columns["node, wit-bindgen"] = rows(theirs, "node", "calls_main.mjs")
        columns["wasmtime, wit-bindgen"] = wasmtime(theirs / "calls.wasm")
    table(columns)
    table({"node": rows(folder, "node", "functions_main.mjs"), "C": rows(folder, "./functions")})
    text = folder / "text.md"
    text.write_text("\n\n".join((ROOT / "docs" / name).read_text() for name in ("ir.md", "clean.md", "numbers.md")))
    table({"Markdown of 100 kB, node": rows(folder, "node", "markdown_main.mjs", text)})
    sizes = {"`add`": folder / "add.wasm", "five functions (`calls`)": folder / "calls.wasm"}
    sizes |= {"the same by wit-bindgen": other} if other else {}
    sizes |= {"functions as values": folder / "functions.wasm", "Markdown": folder / "markdown.wasm"}
    table({"module": {name: size(file) for name, file in sizes.items()}})
    print("node", subprocess.run(["node", "--version"], capture_output=True, text=True).stdout.strip())
    print("load", " ".join(f"{part:.1f}" for part in os.getloadavg()))
    print("\n".join(f"missing: {what}" for what in missing))


with tempfile.TemporaryDirectory() as name:
    main(pathlib.Path(name))
