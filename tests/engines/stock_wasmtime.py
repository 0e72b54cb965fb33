#!/usr/bin/env python3
"""stock_wasmtime.py [run] [--dir=HOST[::GUEST]] [--env=NAME=VALUE] FILE [ARGUMENT …]

Runs a file of WASI as the program `wasmtime` does, with default settings, by wasmtime's package for Python
(`pip install wasmtime`). CLEAVE_WASMTIME names this file where the program itself is not installed."""

import importlib.metadata
import sys

try:
    import wasmtime
except ImportError:
    sys.exit("no package wasmtime: pip install wasmtime")


def main(arguments):
    if arguments == ["--version"]:
        print("wasmtime", importlib.metadata.version("wasmtime"))
        return 0
    wasi = wasmtime.WasiConfig()
    variables = []
    while arguments and (arguments[0] == "run" or arguments[0].startswith("--")):
        name, _, value = arguments.pop(0).partition("=")
        if name == "--dir":
            host, _, guest = value.partition("::")
            wasi.preopen_dir(host, guest or host)
        elif name == "--env":
            variables.append(tuple(value.split("=", 1)))
        elif name != "run":
            sys.exit(f"unknown option {name}")
    wasi.argv = arguments
    wasi.env = variables
    wasi.inherit_stdin()
    wasi.inherit_stdout()
    wasi.inherit_stderr()
    engine = wasmtime.Engine()
    store = wasmtime.Store(engine)
    store.set_wasi(wasi)
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    try:
        module = wasmtime.Module.from_file(engine, arguments[0])
        linker.instantiate(store, module).exports(store)["_start"](store)
    except wasmtime.ExitTrap as exit:
        return exit.code
    except wasmtime.WasmtimeError as error:
        print("Error:", error, file=sys.stderr)
        return 134
    except wasmtime.Trap as trap:
        print("Error:", trap, file=sys.stderr)
        return 134
    return 0


sys.exit(main(sys.argv[1:]))
