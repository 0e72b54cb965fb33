// Calls functions of libraries: values there and back, errors, and calls after them.
import assert from "node:assert/strict";
const load = (name) => import(`${process.argv[2]}/${name}.mjs`);
const [sam, goo, add] = await Promise.all(["sam", "goo", "add"].map(load));

// samlang
assert.equal(sam.add(2, 40), 42);
assert.equal(sam.add(2147483647, 1), -2147483648);
for (const length of [0, 1, 1000]) {
  const list = Array.from({ length }, (_, i) => i * i - 7);
  assert.equal(sam.sum(list), list.reduce((a, b) => a + b, 0));
  assert.equal(sam.sum(Int32Array.from(list)), sam.sum(list));
}
assert.deepEqual(sam.numbers(3), [3, 2, 1]);
for (const text of ["", "a", "grüße \u{1f600}", "x".repeat(100000)]) assert.equal(sam.greet(text), `Hello, ${text}!`);
assert.deepEqual(sam.move({ x: 1, label: "p" }, 5), { x: 6, label: "p" });
assert.deepEqual(sam.turn({ tag: "Dot" }), { tag: "Dot" });
const point = (x, label) => ({ x, label });
assert.deepEqual(sam.turn({ tag: "Circle", val: [point(1, "c"), 7] }), { tag: "Circle", val: [point(1, "c"), 8] });
assert.deepEqual(sam.turn({ tag: "Line", val: [point(1, "a"), point(2, "b")] }),
  { tag: "Line", val: [point(2, "b"), point(1, "a")] });
assert.deepEqual(["Red", "Green", "Blue"].map(sam.next), ["Green", "Blue", "Red"]);
assert.deepEqual([sam.isRed("Red"), sam.isRed("Blue")], [true, false]);
assert.deepEqual([sam.half(4), sam.half(3)], [2, undefined]);
assert.deepEqual([sam.divide(7, 2), sam.divide(7, 0)],
  [{ tag: "ok", val: 3 }, { tag: "err", val: "division by zero" }]);
assert.deepEqual([sam.verify(7), sam.verify(-7)], [{ tag: "ok" }, { tag: "err", val: "negative" }]);
assert.deepEqual(sam.pairs(["1", "22"]), [["1", 1], ["22", 22]]);
assert.deepEqual([undefined, { tag: "none" }, { tag: "some", val: undefined }, { tag: "some", val: 3 }].slice(1)
  .map(sam.nested), [{ tag: "none" }, { tag: "some", val: undefined }, { tag: "some", val: 3 }]);
const many = Array.from({ length: 20 }, (_, i) => i);
assert.equal(sam.many(...many), 190);

// Errors of the program are exceptions, and the next call works.
for (let round = 0; round < 3; round++) {
  assert.throws(() => sam.fail("this is wrong"), { name: "ProgramError", message: "this is wrong" });
  assert.throws(() => sam.fail("twice"), sam.ProgramError);
  assert.equal(sam.add(round, 1), round + 1);
}
// Values of other types are refused.
for (const wrong of [() => sam.add(1.5, 2), () => sam.add(2147483648, 2), () => sam.next("Pink"), () => sam.greet(5),
  () => sam.sum(null), () => sam.turn({ tag: "Square" }), () => sam.isRed()]) assert.throws(wrong, TypeError);
assert.equal(sam.add(2, 3), 5);
// Recursion is as deep as memory allows.
assert.equal(sam.numbers(1000000).length, 1000000);
// What is printed arrives.
const written = [];
const { log } = console;
console.log = (text) => written.push(text);
sam.print("hello");
sam.print("grüße");
console.log = log;
assert.deepEqual(written, ["hello", "grüße"]);
// Memory does not grow with the number of calls.
const text = "y".repeat(1000000);
for (let round = 0; round < 300; round++) sam.greet(text);

// GOOPEA: integers of 63 bits.
assert.equal(goo.sum([1n, 2n, -5n]), -2n);
assert.deepEqual(goo.count(3n), [3n, 2n, 1n]);
assert.deepEqual(goo.divide(-7n, 2n), [-3n, -1n]);
assert.deepEqual(goo.flip([5n, true]), [-5n, false]);
assert.equal(goo.next("Blue"), "Red");
assert.deepEqual(goo.divide(-(2n ** 62n), 1n), [-(2n ** 62n), 0n]);
assert.throws(() => goo.divide(1n, 0n), { name: "ProgramError", message: "Integer division by zero." });
assert.throws(() => goo.divide(2n ** 62n, 1n), { name: "ProgramError" });
assert.throws(() => goo.sum([1]), TypeError);
assert.equal(goo.sum(BigInt64Array.of(5n, -7n)), -2n);
assert.throws(() => goo.sum(Float64Array.of(1)), TypeError);
assert.deepEqual(goo.divide(7n, 2n), [3n, 1n]);

// A function of numbers alone.
assert.equal(add.add(-5, 3), -2);
assert.equal(add.isSmall(5), true);
assert.equal(add.isSmall(500), false);
log("ok");
