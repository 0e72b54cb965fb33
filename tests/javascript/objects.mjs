// Objects of JavaScript that a program of samlang has, on either heap: they come back as they were, and are forgotten
// when the program has them no more.
import assert from "node:assert/strict";
import { forgets } from "./forgotten.mjs";
const lib = await import(`${process.argv[2]}/${process.argv[3]}.mjs`);
const range = (length) => Array.from({ length }, (_, i) => i);
const a = { a: 1 }, b = [1, 2], c = Symbol("c"), d = () => 7;

// Any value, wherever it lies.
for (const value of [a, b, c, d, undefined, null, NaN, 0n, "é"]) assert.equal(Object.is(lib.same(value), value), true);
assert.deepEqual(lib.both(a, b), [b, a]);
assert.equal(lib.third([a, b, c]), c);
assert.equal(lib.third([a, b]), undefined);
const named = lib.named("x", c);
assert.deepEqual([named.name, named.element], ["x", c]);
assert.equal(lib.renamed(named, "y").element, c);
assert.equal(lib.ask((x, y) => (assert.deepEqual([x, y], [b, a]), x), a, b), b);
assert.equal(lib.ask(() => 17, a, b), 17);
assert.deepEqual(lib.swap({ tag: "Two", val: [a, d] }), { tag: "Two", val: [a, d] });
assert.deepEqual(lib.mixed(1, 2, ""), { tag: "Box", val: 2 });
assert.deepEqual(lib.mixed(1, 2, "t"), { tag: "Two", val: [2, 1] });
const many = range(20000).map((i) => ({ i }));
assert.equal(lib.count(many), 20000);
for (let i = 0; i < 20; i++) assert.equal(lib.long(many[i], 5000), many[i]);

// A wrong argument is an error, and nothing stays of the others.
assert.throws(() => lib.mixed(a, b, 3), /mixed: argument 3 \("text"\): 3 is no string/);
assert.throws(() => lib.renamed({ name: 5, element: a }, "z"), /argument 1 \("named"\), field "name": 5 is no string/);

// The program keeps them, from call to call, and in calls of all directions.
const keep = lib.keeper(a);
const down = (n) => n == 0 ? a : lib.ask((x) => (assert.equal(x, many[n]), lib.long(down(n - 1), 100)), c, many[n]);
assert.equal(down(30), a);
assert.equal(keep(), a);

// What is dropped by hand is an error when it is used.
lib.giveUp(b);
assert.equal(lib.dropped(5), 5);
assert.throws(() => lib.dropAndGive(b), /uses an object of the host that it has dropped/);
assert.throws(() => keep(), TypeError);
assert.throws(() => lib.dropTwice(b), /drops an object of the host that it has dropped/);
assert.equal(lib.same(b), b);

// A failure takes with it what the instance had.
assert.equal(lib.fail(a, ""), a);
assert.throws(() => lib.fail(a, "as told"), /as told/);
assert.equal(lib.same(c), c);

// Each is forgotten: objects, functions, what an error was about, and what a failed program had.
await forgets(4 * 3000 + 30, (watched, i) => {
  lib.same(watched({ i }));
  lib.times(watched((n) => n + i), 2);
  lib.giveUp(watched({ i }));
  assert.throws(() => lib.mixed(1, watched({ i }), 3), TypeError);
  if (i % 100 == 0) assert.throws(() => lib.fail(watched({ i }), "told"), /told/);
}, () => {
  lib.long(0, 100000);
  lib.long(0, 100000);
});
console.log("ok");
