#!/usr/bin/env python3
"""stock_wasmtime.py [run] [OPTION …] FILE [ARGUMENT …]
stock_wasmtime.py compile [-W max-wasm-stack=BYTES] -o COMPILED FILE

Options of `run`: --dir=HOST[::GUEST], --env=NAME=VALUE, -W max-wasm-stack=BYTES, --allow-precompiled.

Runs a file of WASI as the program `wasmtime` does, by wasmtime's package for Python (`pip install wasmtime`), with the
default settings but for what is named. CLEAVE_WASMTIME names this file where the program itself is not installed."""

import ctypes
import importlib.metadata
import sys
import threading

try:
    import wasmtime
    import wasmtime._ffi
except ImportError:
    sys.exit("no package wasmtime: pip install wasmtime")

# Left to Python and the engine beside the stack of the program, in bytes.
BESIDE = 16 << 20


class Command:
    """What the command line asks for."""

    def __init__(self, arguments):
        self.wasi = wasmtime.WasiConfig()
        self.config = wasmtime.Config()
        self.compiles = arguments[:1] == ["compile"]
        self.is_compiled = False
        self.output = None
        self.stack = 0
        variables = []
        if arguments[:1] in (["compile"], ["run"]):
            arguments.pop(0)
        while arguments and arguments[0].startswith("-"):
            name, _, value = arguments.pop(0).partition("=")
            if name == "--dir":
                host, _, guest = value.partition("::")
                self.wasi.preopen_dir(host, guest or host)
            elif name == "--env":
                variables.append(tuple(value.split("=", 1)))
            elif name == "--allow-precompiled":
                self.is_compiled = True
            elif name == "-o":
                self.output = arguments.pop(0)
            elif name == "-W" and arguments[0].startswith("max-wasm-stack="):
                self.stack = int(arguments.pop(0).partition("=")[2])
                # No larger than the stack of asynchronous calls, for which the package has no property.
                limit = wasmtime._ffi.dll.wasmtime_config_async_stack_size_set
                limit(self.config.ptr(), ctypes.c_size_t(self.stack + BESIDE))
                self.config.max_wasm_stack = self.stack
            else:
                sys.exit(f"unknown option {name}")
        self.arguments = arguments
        self.wasi.argv = arguments
        self.wasi.env = variables
        self.wasi.inherit_stdin()
        self.wasi.inherit_stdout()
        self.wasi.inherit_stderr()

    def execute(self):
        """The status of the program."""
        engine = wasmtime.Engine(self.config)
        load = wasmtime.Module.deserialize_file if self.is_compiled else wasmtime.Module.from_file
        try:
            module = load(engine, self.arguments[0])
            if self.compiles:
                with open(self.output, "wb") as file:
                    file.write(module.serialize())
                return 0
            store = wasmtime.Store(engine)
            store.set_wasi(self.wasi)
            linker = wasmtime.Linker(engine)
            linker.define_wasi()
            linker.instantiate(store, module).exports(store)["_start"](store)
        except wasmtime.ExitTrap as exit:
            return exit.code
        except (wasmtime.WasmtimeError, wasmtime.Trap) as error:
            print("Error:", error, file=sys.stderr)
            return 134
        return 0


def main(arguments):
    if arguments == ["--version"]:
        print("wasmtime", importlib.metadata.version("wasmtime"))
        return 0
    command = Command(arguments)
    if command.stack == 0:
        return command.execute()
    # The engine uses the stack of its thread.
    status = []
    threading.stack_size(command.stack + BESIDE)
    thread = threading.Thread(target=lambda: status.append(command.execute()))
    thread.start()
    thread.join()
    return status[0] if status else 1


sys.exit(main(sys.argv[1:]))
