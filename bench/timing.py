"""What the scripts that compare with other systems share: processes and modules timed by their processor time, in turn."""
import math
import os
import subprocess
import tempfile
import time


def process(command, stdin=b""):
    """A call that runs a command: its processor time with that of the system, and what it writes."""

    def once():
        with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as text:
            text.write(stdin)
            text.seek(0)
            child = subprocess.Popen(list(map(os.fspath, command)), stdin=text, stdout=log, stderr=subprocess.DEVNULL)
            status, usage = os.wait4(child.pid, 0)[1:]
            assert status == 0, f"{command}: {status}"
            log.seek(0)
            return usage.ru_utime + usage.ru_stime, log.read()

    return once


def engine(path, log, stdin=b""):
    """The same of a module in a new instance in wasmtime, without its compilation; `log` is a file for what it writes."""
    import wasmtime

    config = wasmtime.Config()
    config.wasm_tail_call = True
    engine = wasmtime.Engine(config)
    module = wasmtime.Module.from_file(engine, str(path))
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    given = log.with_suffix(".in")
    given.write_bytes(stdin)

    def once():
        store = wasmtime.Store(engine)
        wasi = wasmtime.WasiConfig()
        wasi.stdin_file, wasi.stdout_file = str(given), str(log)
        store.set_wasi(wasi)
        start = time.process_time()
        linker.instantiate(store, module).exports(store)["_start"](store)
        return time.process_time() - start, log.read_bytes()

    return once


def in_turn(ways, rounds):
    """The least time of each way, and what it wrote last."""
    best, outputs = dict.fromkeys(ways, math.inf), {}
    for _ in range(rounds):
        for way, once in ways.items():
            took, outputs[way] = once()
            best[way] = min(best[way], took)
    return best, outputs


def mean(numbers):
    """The geometric mean."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def listed(path):
    """The programs of a list such as bench/nofib/programs.txt, with what they read."""
    for line in path.read_text().splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            yield path.parent / words[1], words[4].removeprefix("=").encode() + b"\n"
