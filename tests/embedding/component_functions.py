"""Functions as values between a component and stock wasmtime: resources with a method, in both directions."""
import sys

from wasmtime import Store, Trap, WasmtimeError
from wasmtime.component import Component, Linker, Record, ResourceHost, ResourceType, Variant

from exports import engine, exported


class Host:
    """A library, whose functions take and give functions of Python by numbers."""

    def __init__(self, file, callbacks):
        self.component = Component.from_file(engine, file)
        self.callbacks = callbacks
        self.start()

    def start(self):
        self.store, self.known, self.dropped = Store(engine), [], []
        linker = Linker(engine)
        if self.callbacks:
            with linker.root() as root, root.add_instance("local:functions/host") as host:
                for name in self.callbacks:
                    host.add_resource(name, ResourceType.host(int(name[8:])), lambda _, rep: self.dropped.append(rep))
                    host.add_func(f"[method]{name}.call", self.called)
        self.instance = linker.instantiate(self.store, self.component)
        self.api = self.instance.get_export_index(self.store, "local:functions/api")
        assert self.api, "no interface"

    def called(self, store, own, *args):
        return self.known[own.to_host(store).rep](*args)

    def function(self, name):
        return exported(self.store, self.instance, name, self.api)

    def __getattr__(self, name):
        return self.function(name.replace("_", "-"))

    def make(self, type, function):
        """A function of the program that calls one of Python."""
        self.known.append(function)
        own = ResourceHost.own(len(self.known) - 1, type)
        return self.function(f"[constructor]function{type}")(own)

    def call(self, type, function, *args):
        return self.function(f"[method]function{type}.call")(function, *args)


def expect(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def record(**parts):
    made = Record()
    for name, part in parts.items():
        setattr(made, name, part)
    return made


def fails(work, message=""):
    try:
        work()
    except (Trap, WasmtimeError, TypeError, ValueError) as error:
        assert message in str(error), str(error)
        return
    raise AssertionError("no error")


CALLBACKS = [f"callback{number}" for number in (1, 13, 14, 19, 21, 22)]
for name in ("collected", "counted"):
    sam = Host(f"{sys.argv[1]}/{name}.wasm", CALLBACKS)
    # Functions of the program: results, arguments, in records, lists and variants.
    add = sam.adder(40)
    expect([sam.call(1, add, 2), sam.apply(add, 1)], [42, 41])
    much = sam.twice(sam.twice(add))
    expect([sam.call(1, much, 0), sam.each(much, [1, 2])], [160, [161, 162]])
    four = sam.named("four")
    expect((four.name, sam.call(1, four.run, 1)), ("four", 5))
    # What lies in data is the program's.
    expect(sam.run_all([four, record(name="mine", run=add)], 2), [6, 42])
    fails(lambda: sam.call(1, add, 1))
    sam.start()
    expect(sam.call(7, sam.joiner(", "), "a", ["b", "ç"]), "a, b, ç")
    expect(sam.call(1, sam.call(8, sam.curried(1), 2), 3), 123)
    expect([sam.call(10, one, 2) for one in sam.maker(3)], [[3, 2], []])
    expect(sam.call(12, sam.constant()), 7)
    expect(sam.perform(sam.task(3), 4), "77")
    # Functions of Python.
    double = sam.make(1, lambda n: 2 * n)
    expect([sam.apply(double, 21), sam.call(1, sam.twice(double), 1)], [42, 4])
    expect(sam.each(double, list(range(1000))), [2 * n for n in range(1000)])
    told = sam.make(13, lambda text, parts: [*parts, text, "é"])
    expect(sam.tell(told, "grüße", ["a", ""]), "+a++grüße+é")
    chosen = sam.make(19, lambda number, _: None if number is None else f"<{number}>")
    expect(sam.choose(chosen), [None, "<5>"])
    shout = Variant("both", (sam.make(14, lambda text: text + "!"), 3))
    expect(sam.perform(shout, 2), "5!")
    seen = []
    expect(sam.for_each(sam.make(21, seen.append), 100), None)
    expect(sum(seen), 5050)
    expect(sam.many(sam.make(22, lambda *all: repr(all))), repr((*range(1, 17), "end")))
    expect(sam.deep(double, 10000), 10000)
    # They live until they are dropped, and take their place no longer than that.
    many = [sam.adder(n) for n in range(3000)]
    for n in (0, 1, 1500, 2999):
        expect(sam.call(1, many[n], 1), n + 1)
    for n in range(0, 3000, 2):
        many[n].drop(sam.store)
    others = [sam.adder(n + 10000) for n in range(2000)]
    for n in range(1, 3000, 2):
        expect(sam.call(1, many[n], 0), n)
    for n, other in enumerate(others):
        expect(sam.call(1, other, 0), n + 10000)
    fails(lambda: sam.call(1, many[0], 1))
    sam.start()
    # What fails in Python ends the instance.
    def bad(_):
        raise ValueError("mine")

    fails(lambda: sam.apply(sam.make(1, bad), 1), "mine")
    fails(lambda: sam.adder(1))
    sam.start()
    fails(lambda: sam.call(9, sam.failing(1), []))
    fails(lambda: sam.adder(1))
    sam.start()
    expect(sam.call(9, sam.failing(1), [2]), 3)

print("ok")
