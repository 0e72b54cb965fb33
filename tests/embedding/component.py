"""Loads components in stock wasmtime and calls what they export: values there and back, and errors."""
import sys
from wasmtime import Store, Trap, WasmtimeError
from wasmtime.component import Component, Linker, Record, Variant

from exports import engine, exported


class Host:
    def __init__(self, file):
        self.component = Component.from_file(engine, file)
        self.start()

    def start(self):
        self.store = Store(engine)
        self.instance = Linker(engine).instantiate(self.store, self.component)

    def __getattr__(self, name):
        return exported(self.store, self.instance, name.replace("_", "-"))


def expect(found, wanted):
    assert found == wanted, f"{found!r} instead of {wanted!r}"


def record(x, label):
    made = Record()
    made.x, made.label = x, label
    return made


folder = sys.argv[1]
sam, goo, add, clean = (Host(f"{folder}/{name}.wasm") for name in ("sam", "goo", "add", "clean"))
expect(sam.add(2, 40), 42)
for length in (0, 1, 1000):
    expect(sam.sum(list(range(length))), sum(range(length)))
expect(sam.numbers(3), [3, 2, 1])
for text in ("", "a", "grüße \U0001f600", "x" * 100000):
    expect(sam.greet(text), f"Hello, {text}!")
moved = sam.move(record(1, "p"), 5)
expect((moved.x, moved.label), (6, "p"))
expect([sam.next(colour) for colour in ("red", "green", "blue")], ["green", "blue", "red"])
expect([sam.is_red("red"), sam.is_red("blue")], [True, False])
expect([sam.half(4), sam.half(3)], [2, None])
expect(sam.pairs(["1", "22"]), [("1", 1), ("22", 22)])
turned = sam.turn(Variant("line", (record(1, "a"), record(2, "b"))))
expect((turned.tag, turned.payload[0].label), ("line", "b"))
expect(sam.many(*range(20)), 190)
# An error of the program is a trap; another instance is as before.
try:
    sam.fail("this is wrong")
    raise AssertionError("no error")
except (Trap, WasmtimeError):
    sam.start()
expect(sam.add(2, 3), 5)
expect(goo.sum([1, 2, -5]), -2)
expect(goo.divide(-7, 2), (-3, -1))
expect(goo.count(3), [3, 2, 1])
expect(goo.flip((5, True)), (-5, False))
expect(add.add(-5, 3), -2)
# Clean.
expect([clean.twice(21), clean.half(5.0), clean.opposite(True), clean.following("a")], [42, 2.5, False, "b"])
expect(clean.greet("grüße"), "Hello, grüße!")
expect([clean.up_to(5), clean.total([1, 2, 3]), clean.squares([3, 4])], [[1, 2, 3, 4, 5], 6, [9, 16]])
expect([clean.pieces(",", "a,,b"), clean.swap((1, "x")), clean.turn("blue")], [["a", "", "b"], ("x", 1), "red"])
expect([clean.first([7]), clean.first([]), clean.primes()[-1], clean.depth(100000)], [7, None, 29, 100000])
wide = clean.stretch(2, Variant("circle", (1.5, "red")))
expect((wide.tag, wide.payload), ("circle", (3.0, "green")))
for fails in (lambda: clean.front([]), lambda: clean.bytes(200), lambda: clean.following("€")):
    try:
        fails()
        raise AssertionError("no error")
    except (Trap, WasmtimeError):
        clean.start()
    expect(clean.twice(4), 8)
print("ok")
