"""Objects of Python that a component has: resources with a method `clone`, each handle of which is dropped once."""
import sys

from wasmtime import Store, Trap, WasmtimeError
from wasmtime.component import Component, Linker, Record, ResourceHost, ResourceType

from exports import engine, exported

ELEMENT, NODE, ASK, TIMES = range(1, 5)
SAMLANG = {"callback-element-element-to-element": ASK, "callback-s32-to-s32": TIMES}
CLEAN = {"callback-element-element-to-element": ASK}


class Host:
    """The library. Handles count the references to what they lead to, which is in a table."""

    def __init__(self, file, callbacks=SAMLANG):
        self.store, self.known, self.alive = Store(engine), [], []
        linker = Linker(engine)
        with linker.root() as root, root.add_instance("local:objects/host") as host:
            for name, kind in {"element": ELEMENT, "node": NODE, **callbacks}.items():
                host.add_resource(name, ResourceType.host(kind), lambda _, rep: self.drop(rep))
            for name, kind in [("element", ELEMENT), ("node", NODE)]:
                host.add_func(f"[method]{name}.clone", lambda store, own, kind=kind: self.own(own.to_host(store).rep, kind))
            for name in callbacks:
                host.add_func(f"[method]{name}.call", self.called)
        self.instance = linker.instantiate(self.store, Component.from_file(engine, file))
        self.api = self.instance.get_export_index(self.store, "local:objects/api")
        assert self.api, "no interface"

    def drop(self, rep):
        assert self.alive[rep] > 0, "dropped twice"
        self.alive[rep] -= 1

    def own(self, rep, kind):
        self.alive[rep] += 1
        return ResourceHost.own(rep, kind)

    def give(self, value, kind=ELEMENT):
        """A new handle of a new object."""
        self.known.append(value)
        self.alive.append(0)
        return self.own(len(self.known) - 1, kind)

    def take(self, handle):
        """What a handle leads to that the component has given; it is dropped."""
        rep = handle.to_host(self.store).rep
        self.drop(rep)
        return self.known[rep]

    def called(self, store, own, *args):
        return self.known[own.to_host(store).rep](*args)

    def function(self, name):
        return exported(self.store, self.instance, name, self.api)

    def __getattr__(self, name):
        return self.function(name.replace("_", "-"))

    def make(self, type, kind, function):
        return self.function(f"[constructor]function-{type}")(self.give(function, kind))


def check(file):
    lib = Host(file)
    assert lib.take(lib.same(lib.give("a"))) == "a"
    assert [lib.take(it) for it in lib.both(lib.give("a"), lib.give("b"))] == ["b", "a"]
    assert lib.take(lib.third([lib.give(i) for i in range(100)])) == 2
    assert lib.count([lib.give(i) for i in range(1000)]) == 1000
    named = lib.named("é", lib.give("n"))
    record = Record()
    record.name, record.element = named.name, named.element
    renamed = lib.renamed(record, "y")
    assert (renamed.name, lib.take(renamed.element)) == ("y", "n")
    two = lib.swap((lib.give(1), lib.give(2, NODE)))
    assert [lib.take(it) for it in two] == [1, 2]

    # A function of the program keeps one.
    keeper = lib.keeper(lib.give("kept"))
    kept = len(lib.known) - 1
    for _ in range(3):
        lib.take(lib.long(lib.give(0), 100000))
        assert lib.take(lib.function("[method]function-to-element.call")(keeper)) == "kept" and lib.alive[kept] == 1
    keeper.drop(lib.store)

    # Functions of Python take and give them.
    chooser = lib.make("element-element-to-element", ASK, lambda one, other: (lib.take(other), one)[1])
    assert lib.take(lib.ask(chooser, lib.give("one"), lib.give("other"))) == "other"
    chooser.drop(lib.store)
    for i in range(300):
        function = lib.make("s32-to-s32", TIMES, lambda n, i=i: n + i)
        assert lib.times(function, 3) == 6 + 3 * i
        function.drop(lib.store)

    lib.give_up(lib.give("x"))
    assert lib.alive[-1] == 0
    for _ in range(12):
        lib.take(lib.long(lib.give(0), 200000))
    # A collector may still have the last ones.
    assert sum(lib.alive) <= 5 * ("gc" in file), [rep for rep, alive in enumerate(lib.alive) if alive]
    for work in [lib.drop_and_give, lib.drop_twice]:
        lib = Host(file)
        try:
            work(lib.give("y"))
        except (Trap, WasmtimeError):
            continue
        raise AssertionError("no error")


def check_clean(file):
    lib = Host(file, callbacks=CLEAN)
    for same in [lib.same, lib.strictly]:
        assert lib.take(same(lib.give("a"))) == "a"
    assert [lib.take(it) for it in lib.both(lib.give("a"), lib.give("b"))] == ["b", "a"]
    assert lib.take(lib.third([lib.give(i) for i in range(100)])) == 2
    assert [lib.take(it) for it in lib.lined([lib.give(i) for i in range(100)])] == list(range(100))
    first, all, last = lib.shared(3, lib.give("one"), lib.give("other"))
    assert [lib.take(it) for it in [first, *all, last]] == ["one"] * 5
    keeper = lib.keeper(lib.give("kept"))
    for _ in range(3):
        lib.take(lib.long(lib.give(0), 100000))
        assert lib.take(lib.function("[method]function-s64-to-element.call")(keeper, 1)) == "kept"
    keeper.drop(lib.store)
    chooser = lib.make("element-element-to-element", ASK, lambda one, other: (lib.take(other), one)[1])
    assert lib.take(lib.ask(chooser, lib.give("one"), lib.give("other"))) == "other"
    chooser.drop(lib.store)
    assert lib.function("closed")(lib.give("x")) and lib.alive[-1] == 0
    assert lib.function("closed-twice")(lib.give("x")) == (True, False) and lib.alive[-1] == 0
    for _ in range(12):
        lib.take(lib.long(lib.give(0), 1000000))
    # The collector may still have the last ones.
    assert sum(lib.alive) <= 5, [rep for rep, alive in enumerate(lib.alive) if alive]
    for name, wrong in [("own", 1), ("closed-and-given", lib.give("y"))]:
        try:
            lib.function(name)(wrong)
        except (Trap, WasmtimeError):
            lib = Host(file, callbacks=CLEAN)
            continue
        raise AssertionError("the program has given what is no object of the host, or no more")


def check_goopea(file):
    lib = Host(file, callbacks={})
    assert lib.take(lib.same(lib.give("a"))) == "a"
    assert [lib.take(it) for it in lib.swapped(lib.give("a"), lib.give("b"))] == ["b", "a"]
    assert [lib.take(it) for it in lib.reversed([lib.give(i) for i in range(1000)])] == list(range(999, -1, -1))
    assert lib.amount([lib.give(i) for i in range(1000)]) == 1000
    # What is given twice is two handles of the host's, for the same object.
    first, second = lib.twice(lib.give("twice"))
    assert lib.take(first) == lib.take(second) == "twice"
    # Cases that Python can tell apart are values without a tag.
    assert [lib.take(it) for it in lib.mixed(lib.give(1, NODE), lib.give(2), 1)] == [2, 1]
    assert lib.take(lib.turned(lib.give("in it"))) == "in it"
    assert lib.turned(None) is None
    number, element = lib.next((41, lib.give("next")))
    assert (number, lib.take(element)) == (42, "next")
    for i in range(300):
        assert lib.ignored(lib.give(i)) == 7
    for _ in range(12):
        lib.take(lib.long(lib.give(0), 200000))
    # A collector may still have the last ones.
    assert sum(lib.alive) <= 5 * ("gc" in file), [rep for rep, alive in enumerate(lib.alive) if alive]
    try:
        lib.divided(lib.give("x"), 0)
    except (Trap, WasmtimeError):
        return
    raise AssertionError("it has divided by zero")


check_clean(f"{sys.argv[1]}/objects-clean.wasm")
for name in sys.argv[2:]:
    (check_goopea if "goo" in name else check)(f"{sys.argv[1]}/{name}.wasm")
print("ok")
