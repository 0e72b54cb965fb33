// Objects of JavaScript that a program of Clean has: they come back as they were, also out of thunks that several ask
// for, and are forgotten when the program has them no more.
import assert from "node:assert/strict";
import { forgets } from "./forgotten.mjs";
const lib = await import(`${process.argv[2]}/objects-clean.mjs`);
const range = (length) => Array.from({ length }, (_, i) => i);
const a = { a: 1 }, b = [1, 2], c = Symbol("c"), d = () => 7;

// Any value, wherever it lies, lazy and strict.
for (const value of [a, b, c, d, undefined, null, NaN, 0n, "é"]) {
  assert.equal(Object.is(lib.same(value), value), true);
  assert.equal(Object.is(lib.strictly(value), value), true);
}
assert.deepEqual(lib.both(a, b), [b, a]);
assert.equal(lib.third([a, b, c]), c);
assert.equal(lib.third([a, b]), undefined);
const named = lib.named("x", c);
assert.deepEqual([named.name, named.element], ["x", c]);
assert.equal(lib.renamed(named, "y").element, c);
assert.equal(lib.ask((x, y) => (assert.deepEqual([x, y], [b, a]), x), a, b), b);
assert.equal(lib.ask(() => 17, a, b), 17);
assert.deepEqual(lib.swap({ tag: "Two", val: [a, d] }), { tag: "Two", val: [a, d] });
assert.deepEqual(lib.swap({ tag: "Dot" }), { tag: "Dot" });
assert.deepEqual(lib.mixed(1, 2, ""), { tag: "Box", val: 2 });
assert.deepEqual(lib.mixed(1, 2, "t"), { tag: "Two", val: [2, 1] });
assert.deepEqual(lib.shared(1n, a, b), [b, [b, a, b], b]);
assert.deepEqual(lib.shared(3n, a, b), [a, [a, a, a], a]);
assert.deepEqual(lib.lined([a, b, c]), [a, b, c]);
const many = range(20000).map((i) => ({ i }));
assert.equal(lib.amount(many), 20000n);
for (let i = 0; i < 20; i++) assert.equal(lib.long(many[i], 5000n), many[i]);

// A wrong argument is an error, and nothing stays of the others.
assert.throws(() => lib.mixed(a, b, 3), /mixed: argument 3 \("arg3"\): 3 is no string/);

// The program keeps them, from call to call, and in calls of all directions.
const keep = lib.keeper(a);
const down = (n) => n == 0 ? a : lib.ask((x) => (assert.equal(x, many[n]), lib.long(down(n - 1), 100n)), c, many[n]);
assert.equal(down(30), a);
assert.equal(keep(1n), a);

// What the program has made itself is no object of the host. A failure takes with it what the instance had.
assert.throws(() => lib.own(1n), /not of the type that the interface says/);
assert.throws(() => keep(1n), TypeError);
assert.equal(lib.fail(a, ""), a);
assert.throws(() => lib.fail(a, "as told"), /as told/);
assert.equal(lib.same(c), c);

// Given back by hand: once, and not used afterwards.
assert.equal(lib.closed(b), true);
assert.deepEqual(lib.closedTwice(b), [true, false]);
assert.equal(lib.closedOwn(1n), true);
assert.throws(() => lib.closedAndGiven(b), /uses an object of the host that it has dropped/);
assert.equal(lib.same(b), b);

// Each is forgotten.
await forgets(4 * 3000, (watched, i) => {
  lib.closed(watched({ i }));
  lib.same(watched({ i }));
  lib.shared(BigInt(i % 5), watched({ i }), a);
  assert.throws(() => lib.mixed(1, watched({ i }), 3), TypeError);
}, () => {
  for (let i = 0; i < 4; i++) lib.long(0, 100000n);
});
console.log("ok");
