// Calls functions of a library of Clean: values there and back, errors, and calls after them.
import assert from "node:assert/strict";
const clean = await import(`${process.argv[2]}/clean.mjs`);

assert.equal(clean.twice(21n), 42n);
assert.equal(clean.twice(-(1n << 63n)), 0n);
assert.equal(clean.add(1n, -3n), -2n);
assert.equal(clean.ignore(1n, 2n), 2n);
assert.equal(clean.half(5), 2.5);
assert.deepEqual([clean.opposite(true), clean.opposite(false)], [false, true]);
assert.deepEqual([clean.following("a"), clean.following("é")], ["b", "ê"]);
assert.throws(() => clean.following("€"), { name: "ProgramError", message: /a character that the program cannot have/ });
for (const text of ["", "grüße \u{1f600}", "x".repeat(100000)]) assert.equal(clean.greet(text), `Hello, ${text}!`);
assert.equal(clean.long(16n).length, 1 << 20);

// Lists, lazy and strict; arrays.
const numbers = (length) => Array.from({ length }, (_, i) => BigInt(i + 1));
for (const length of [0, 1, 1000]) {
  assert.deepEqual(clean.upTo(BigInt(length)), numbers(length));
  assert.equal(clean.total(numbers(length)), BigInt(length * (length + 1) / 2));
  assert.deepEqual(clean.turnOver(numbers(length)), numbers(length).reverse());
  assert.deepEqual(clean.squares(numbers(length)), numbers(length).map((n) => n * n));
}
assert.deepEqual(clean.squares(BigInt64Array.of(4n, -5n)), [16n, 25n]);
assert.deepEqual(clean.primes(), [2n, 3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n]);
assert.deepEqual(clean.letters("añ"), ["a", "Ã", "±"]);
assert.equal(clean.word(["a", "b"]), "ab");
assert.deepEqual(clean.pieces(",", "a,b,,ç"), ["a", "b", "", "ç"]);
assert.deepEqual(clean.opposites([true, false]), [false, true]);
assert.equal(clean.largest([1.5, 9.25, 3]), 9.25);
assert.deepEqual([clean.boxes(0n), clean.boxes(3n)], [[], ["0", "1", "2"]]);

// Tuples, records, algebraic types.
assert.deepEqual(clean.swap([1n, "x"]), ["x", 1n]);
const point = (name) => ({ x: 1n, y: 2n, name, weight: 2.5 });
assert.deepEqual(clean.mirror(point("p")), { x: 2n, y: 1n, name: "p", weight: -2.5 });
assert.deepEqual(clean.stretch(2n, { tag: "Dot" }), { tag: "Dot" });
assert.deepEqual(clean.stretch(2n, { tag: "Circle", val: [1.5, "Red"] }), { tag: "Circle", val: [3, "Green"] });
assert.deepEqual(clean.stretch(2n, { tag: "Line", val: [point("p"), point("q")] }),
  { tag: "Line", val: [point("q"), point("p")] });
assert.deepEqual(["Red", "Green", "Blue"].map(clean.turn), ["Green", "Blue", "Red"]);
assert.deepEqual([clean.first([7n]), clean.first([])], [7n, undefined]);
assert.deepEqual([clean.count("grüße"), clean.count(undefined)], [7n, -1n]);
assert.deepEqual([clean.divide(7n, 2n), clean.divide(7n, 0n)],
  [{ tag: "ok", val: 3n }, { tag: "err", val: "division by zero" }]);
assert.equal(clean.nothing(1n), undefined);

// Recursion, and errors: the next call works.
console.log = () => {};
assert.equal(clean.depth(1000000n), 1000000n);
for (const [call, message] of [
  [() => clean.front([]), /rule 'front' in module 'Library' does not match/],
  [() => clean.stop("Stop here.\n"), /^Stop here\.$/],
  [() => clean.bytes(200n), /A text of the program is not UTF-8/],
  [() => clean.cycle(1n), /cycle in spine/],
  [() => clean.endless(1n), /Heap full|too much memory/],
]) {
  assert.throws(call, { name: "ProgramError", message });
  assert.equal(clean.twice(4n), 8n);
}
assert.throws(() => clean.twice(1), TypeError);

// Memory does not grow with the number of calls.
for (let round = 0; round < 1000; round++) assert.equal(clean.pieces(",", "a,b,".repeat(1000)).length, 2001);
process.stdout.write("ok\n");
