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
                for number, name in enumerate(self.callbacks):
                    name = f"callback-{name}"
                    host.add_resource(name, ResourceType.host(number), lambda _, rep: self.dropped.append(rep))
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
        own = ResourceHost.own(len(self.known) - 1, self.callbacks.index(type))
        return self.function(f"[constructor]function-{type}")(own)

    def call(self, type, function, *args):
        return self.function(f"[method]function-{type}.call")(function, *args)


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


NUMBER, TELL, SHOUT = "s32-to-s32", "string-list-string-to-list-string", "string-to-string"
CHOOSE = "option-s32-bool-to-option-string"
# A longer name is cut, and ends with a number that is made of all of it.
EACH, MANY = "s32-to-none", "s32-s32-s32-s32-s32-s32-s32-x7469e44d"
CALLBACKS = [NUMBER, TELL, SHOUT, CHOOSE, EACH, MANY]
for name in ("collected", "counted"):
    sam = Host(f"{sys.argv[1]}/{name}.wasm", CALLBACKS)
    # Functions of the program: results, arguments, in records, lists and variants.
    add = sam.adder(40)
    expect([sam.call(NUMBER, add, 2), sam.apply(add, 1)], [42, 41])
    much = sam.twice(sam.twice(add))
    expect([sam.call(NUMBER, much, 0), sam.each(much, [1, 2])], [160, [161, 162]])
    four = sam.named("four")
    expect((four.name, sam.call(NUMBER, four.run, 1)), ("four", 5))
    # What lies in data is the program's.
    expect(sam.run_all([four, record(name="mine", run=add)], 2), [6, 42])
    fails(lambda: sam.call(NUMBER, add, 1))
    sam.start()
    expect(sam.call("string-list-string-to-string", sam.joiner(", "), "a", ["b", "ç"]), "a, b, ç")
    expect(sam.call(NUMBER, sam.call("s32-to-function-s32-to-s32", sam.curried(1), 2), 3), 123)
    expect([sam.call("s32-to-list-s32", one, 2) for one in sam.maker(3)], [[3, 2], []])
    expect(sam.call("to-s32", sam.constant()), 7)
    expect(sam.perform(sam.task(3), 4), "77")
    # Functions of Python.
    double = sam.make(NUMBER, lambda n: 2 * n)
    expect([sam.apply(double, 21), sam.call(NUMBER, sam.twice(double), 1)], [42, 4])
    expect(sam.each(double, list(range(1000))), [2 * n for n in range(1000)])
    told = sam.make(TELL, lambda text, parts: [*parts, text, "é"])
    expect(sam.tell(told, "grüße", ["a", ""]), "+a++grüße+é")
    chosen = sam.make(CHOOSE, lambda number, _: None if number is None else f"<{number}>")
    expect(sam.choose(chosen), [None, "<5>"])
    shout = Variant("both", (sam.make(SHOUT, lambda text: text + "!"), 3))
    expect(sam.perform(shout, 2), "5!")
    seen = []
    expect(sam.for_each(sam.make(EACH, seen.append), 100), None)
    expect(sum(seen), 5050)
    expect(sam.many(sam.make(MANY, lambda *all: repr(all))), repr((*range(1, 17), "end")))
    expect(sam.deep(double, 10000), 10000)
    # They live until they are dropped, and take their place no longer than that.
    many = [sam.adder(n) for n in range(3000)]
    for n in (0, 1, 1500, 2999):
        expect(sam.call(NUMBER, many[n], 1), n + 1)
    for n in range(0, 3000, 2):
        many[n].drop(sam.store)
    others = [sam.adder(n + 10000) for n in range(2000)]
    for n in range(1, 3000, 2):
        expect(sam.call(NUMBER, many[n], 0), n)
    for n, other in enumerate(others):
        expect(sam.call(NUMBER, other, 0), n + 10000)
    fails(lambda: sam.call(NUMBER, many[0], 1))
    sam.start()
    # What fails in Python ends the instance.
    def bad(_):
        raise ValueError("mine")

    fails(lambda: sam.apply(sam.make(NUMBER, bad), 1), "mine")
    fails(lambda: sam.adder(1))
    sam.start()
    fails(lambda: sam.call("list-s32-to-s32", sam.failing(1), []))
    fails(lambda: sam.adder(1))
    sam.start()
    expect(sam.call("list-s32-to-s32", sam.failing(1), [2]), 3)

print("ok")
