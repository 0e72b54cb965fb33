"""Functions of Python as results of functions of Python that a component imports; and reals of 32 bits, which modules of
WebAssembly that we make know as 64."""
import struct
import sys

from wasmtime import Store, Trap, WasmtimeError
from wasmtime.component import Component, Linker, ResourceHost, ResourceType

from exports import engine, exported

folder = sys.argv[1]


class Library:
    """A component and what it has of Python: functions by numbers."""

    def __init__(self, name, world, callback, imports, functions):
        self.known, self.dropped = [], []
        self.store, linker = Store(engine), Linker(engine)
        of_host = ResourceType.host(1)
        with linker.root() as root:
            with root.add_instance(f"local:{world}/host") as host:
                host.add_resource(f"callback-{callback}", of_host, lambda _, rep: self.dropped.append(rep))
                host.add_func(f"[method]callback-{callback}.call", self.called)
            with root.add_instance(f"local:{world}/{imports}") as all:
                all.add_resource(f"callback-{callback}", of_host, lambda _, rep: self.dropped.append(rep))
                for name_of, function in functions.items():
                    all.add_func(name_of, lambda store, *args, function=function: function(self, *args))
        self.instance = linker.instantiate(self.store, Component.from_file(engine, f"{folder}/{name}.wasm"))
        self.api = self.instance.get_export_index(self.store, f"local:{world}/api")

    def called(self, store, own, *args):
        return self.known[own.to_host(store).rep](*args)

    def own(self, function):
        self.known.append(function)
        return ResourceHost.own(len(self.known) - 1, 1)

    def call(self, name, *args):
        return exported(self.store, self.instance, name, self.api)(*args)


def expect(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def short(real):
    """The nearest real of 32 bits."""
    return struct.unpack("f", struct.pack("f", real))[0]


def fails(work):
    try:
        work()
    except (Trap, WasmtimeError, TypeError, ValueError):
        return
    raise AssertionError("no error")


def adder(lib, n):
    return lib.own(lambda m: n + m)


for name in ("added-counted", "added-collected"):
    lib = Library(name, "imports", "s32-to-s32", "tools", {"adder": adder})
    for n in range(3000):
        expect(lib.call("added", n), 3 * n + 1)
    # The counted heap lets go of them at once, the other one when its collector looks.
    if "counted" in name:
        expect(sorted(lib.dropped), list(range(6000)))
    expect(len(lib.dropped), len(set(lib.dropped)))
    fails(lambda: Library(name, "imports", "s32-to-s32", "tools", {"adder": lambda lib, n: n}).call("added", 1))
    wrong = {"adder": lambda lib, n: lib.own(lambda m: "text")}
    fails(lambda: Library(name, "imports", "s32-to-s32", "tools", wrong).call("added", 1))

seen = []
REALS = {
    "halved": lambda lib, x: x / 2,
    "mixed": lambda lib, b, x, s, y: seen.append((b, x, s, y)) or x - y,
    # The package tells the cases of a result apart by the values: a real goes back as an integer, and that as a real.
    "turned": lambda lib, it: int(it) if isinstance(it, float) else it / 4,
    "scale": lambda lib, by: lib.own(lambda x: x * by),
}
for name in ("reals-counted", "reals-collected"):
    lib = Library(name, "x", "f32-to-f32", "reals", REALS)
    expect([lib.call("half", x) for x in (5.0, 0.1, -0.0, float("inf"))], [2.5, short(0.1) / 2, 0.0, float("inf")])
    expect(lib.call("mix", 255, 0.1, "é", 2.5), short(short(0.1) - 2.5))
    expect(seen.pop(), (255, short(0.1), "é", 2.5))
    expect([lib.call("either", it) for it in (6.0, 10)], [1.5, 2])
    expect(lib.call("scaled", 0.1, 3.0), short(short(short(0.1) * 3) * short(0.1)))
    made = lib.call("[constructor]function-f32-to-f32", lib.own(lambda x: x - 0.25))
    expect([lib.call("call", made, 0.5), lib.call("[method]function-f32-to-f32.call", made, 1.0)], [0.25, 0.75])
print("ok")
