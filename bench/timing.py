"""What the scripts that compare with other systems share: processes and modules timed by their processor time, in turn."""
import math
import os
import subprocess
import tempfile
import time


class Failed(Exception):
    """A program that ended with another status than 0."""


def process(command, stdin=b""):
    """A call that runs a command: its processor time with that of the system, and what it writes."""

    def once():
        with tempfile.TemporaryFile() as log, tempfile.TemporaryFile() as text:
            text.write(stdin)
            text.seek(0)
            child = subprocess.Popen(list(map(os.fspath, command)), stdin=text, stdout=log, stderr=subprocess.DEVNULL)
            status, usage = os.wait4(child.pid, 0)[1:]
            if status != 0:
                raise Failed(f"{command}: {status}")
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


def in_turn(ways, rounds, may_fail=()):
    """The least time of each way, and what it wrote last; nothing of ways that may fail and do."""
    best, outputs, left = {}, {}, dict(ways)
    for _ in range(rounds):
        for way, once in list(left.items()):
            try:
                took, outputs[way] = once()
            except Failed:
                if way not in may_fail:
                    raise
                del left[way]
                continue
            best[way] = min(best.get(way, math.inf), took)
    return {way: best[way] for way in left}, {way: outputs[way] for way in left}


def mean(numbers):
    """The geometric mean."""
    return math.exp(sum(map(math.log, numbers)) / len(numbers))


def listed(path):
    """The programs of a list such as bench/nofib/programs.txt, with what they read."""
    for line in path.read_text().splitlines():
        words = line.split()
        if words and not line.startswith("#"):
            yield path.parent / words[1], words[4].removeprefix("=").encode() + b"\n"
