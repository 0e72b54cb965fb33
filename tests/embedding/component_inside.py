"""Hosts that call a component from inside of what it calls: a method, a destructor, `clone`. Who is outside finds its
results as they were."""
import sys

from wasmtime import Store
from wasmtime.component import Component, Linker, Record, ResourceHost, ResourceType

from exports import engine, exported

FUNCTION, ELEMENT = 1, 2
LONG = "z" * 50


class Host:
    """A library whose objects and functions are numbers, and do something when they are called, cloned or dropped."""

    def __init__(self, file, world, resources, inside):
        self.store, self.log, self.inside = Store(engine), [], inside
        linker = Linker(engine)
        with linker.root() as root, root.add_instance(f"local:{world}/host") as host:
            for name, kind, method in resources:
                host.add_resource(name, ResourceType.host(kind), lambda _, rep: self.act("drop"))
                host.add_func(f"[method]{name}.{method}", getattr(self, method))
        self.instance = linker.instantiate(self.store, Component.from_file(engine, file))
        self.api = self.instance.get_export_index(self.store, f"local:{world}/api")

    def act(self, what):
        # Once: what is called there ends, and tells of others.
        if what not in self.log:
            self.log.append(what)
            self.inside(self)

    def call(self, store, own, n):
        own.to_host(store)
        self.act("call")
        return 2 * n

    def clone(self, store, own):
        rep = own.to_host(store).rep
        self.act("clone")
        return ResourceHost.own(rep, ELEMENT)

    def __getattr__(self, name):
        return exported(self.store, self.instance, name, self.api)

    def make(self):
        return getattr(self, "[constructor]function-s32-to-s32")(ResourceHost.own(1, FUNCTION))


def expect(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def functions(file):
    inside = lambda host: expect((host.named(LONG).name, host.each(host.adder(9), [1, 2])), (LONG, [10, 11]))
    resources = [("callback-s32-to-s32", FUNCTION, "call")]
    host = Host(file, "functions", resources, inside)
    for wanted in (["call"], ["call", "drop"]):
        function = host.make()
        expect(host.each(function, [1, 2, 3]), [2, 4, 6])
        function.drop(host.store)
        # The host hears that the function is gone when this ends, or when a collector has looked.
        expect(host.named("abcdefghijklm").name, "abcdefghijklm")
        if "counted" in file:
            expect(host.log, ["call", "drop"])

    # A function that nobody has any more while it runs, and collections.
    def collects(host):
        host.each(host.adder(1), list(range(500_000)))
        inside(host)

    host = Host(file, "functions", resources, collects)
    named = Record()
    named.name, named.run = "", host.make()
    expect(getattr(host, "run-all")([named], 4), [8])
    expect(host.named("abcdefghijklm").name, "abcdefghijklm")


def objects(file):
    def inside(host):
        # Much is allocated, so that a collection moves what who is outside has.
        host.long(ResourceHost.own(8, ELEMENT), 3_000_000).to_host(host.store)
        named = host.named(LONG, ResourceHost.own(7, ELEMENT))
        expect((named.name, named.element.to_host(host.store).rep), (LONG, 7))

    host = Host(file, "objects", [("element", ELEMENT, "clone")], inside)
    for _ in range(3):
        named = host.named("abcdefghijklm", ResourceHost.own(5, ELEMENT))
        expect((named.name, named.element.to_host(host.store).rep), ("abcdefghijklm", 5))
        both = host.both(ResourceHost.own(3, ELEMENT), ResourceHost.own(4, ELEMENT))
        expect([one.to_host(host.store).rep for one in both], [4, 3])
    expect(host.log[:1], ["clone"])


for heap in ("counted", "collected"):
    functions(f"{sys.argv[1]}/inside-functions-{heap}.wasm")
    objects(f"{sys.argv[1]}/inside-objects-{heap}.wasm")
print("ok")
