// Objects of JavaScript that a program of GOOPEA has, on either heap: they come back as they were, and are forgotten.
import assert from "node:assert/strict";
import { forgets } from "./forgotten.mjs";
const lib = await import(`${process.argv[2]}/${process.argv[3]}.mjs`);
const range = (length) => Array.from({ length }, (_, i) => i);
const a = { a: 1 }, b = [1, 2], c = Symbol("c"), d = () => 7;

for (const value of [a, b, c, d, undefined, null, NaN, 0n, "é"]) assert.equal(Object.is(lib.same(value), value), true);
assert.deepEqual(lib.swapped(a, b), [b, a]);
assert.deepEqual(lib.twice(c), [c, c]);
assert.equal(lib.ignored(a), 7n);
const many = range(20000).map((i) => ({ i }));
assert.equal(lib.amount(many), 20000n);
assert.deepEqual(lib.reversed(many), many.toReversed());
for (const shape of [{ tag: "Dot" }, { tag: "Box", val: a }, { tag: "Two", val: [a, d] }])
  assert.deepEqual(lib.turned(shape), shape);
assert.deepEqual(lib.mixed(1, 2, 0n), { tag: "Box", val: 2 });
assert.deepEqual(lib.mixed(1, 2, 1n), { tag: "Two", val: [2, 1] });
assert.deepEqual(lib.next([41n, d]), [42n, d]);
for (let i = 0; i < 20; i++) assert.equal(lib.long(many[i], 5000n), many[i]);
assert.throws(() => lib.mixed(a, b, "x"), TypeError);
assert.throws(() => lib.divided(a, 0n), /division by zero/);
assert.equal(lib.divided(a, 3n), a);

await forgets(3 * 3000, (watched, i) => {
  lib.twice(watched({ i }));
  lib.ignored(watched({ i }));
  lib.reversed([watched({ i }), a]);
}, () => {
  for (let i = 0; i < 4; i++) lib.long(0, 100000n);
});
console.log("ok");
