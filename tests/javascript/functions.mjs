// Functions of a program that JavaScript has: calls, all at once, many of them, and wrong use.
import assert from "node:assert/strict";
const clean = await import(`${process.argv[2]}/functions.mjs`);

const add = clean.adder(40n);
assert.equal(add(2n), 42n);
assert.equal(clean.constant()(1n), 8n);
// They go back in, also what the program makes of them.
assert.equal(clean.apply(add, 1n), 41n);
const much = clean.twice(clean.twice(add));
assert.equal(much(0n), 160n);
assert.deepEqual(clean.each(much, [1n, 2n]), [161n, 162n]);
// In records, in lists; of several arguments, with text and lists; as results of others.
const named = clean.named("four");
assert.deepEqual([named.name, named.run(1n)], ["four", 5n]);
assert.deepEqual(clean.runAll([named, clean.named(""), { name: "mine", run: add }], 2n), [6n, 2n, 42n]);
assert.equal(clean.joiner(", ")("a", ["b", "ç"]), "a, b, ç");
assert.equal(clean.curried(1n)(2n)(3n), 123n);
assert.deepEqual(clean.maker(3n).map((make) => make(2n)), [[1n, 2n], [2n, 3n], []]);

// They live as long as they are not dropped, whatever else is done with the heap.
const many = Array.from({ length: 3000 }, (_, i) => clean.adder(BigInt(i)));
for (let round = 0; round < 20; round++) {
  clean.each(add, Array.from({ length: 20000 }, (_, i) => BigInt(i)));
  for (const i of [0, 1, 1500, 2999]) assert.equal(many[i](1n), BigInt(i + 1));
}
for (let i = 0; i < 3000; i += 2) many[i].drop();
const others = Array.from({ length: 2000 }, (_, i) => clean.adder(BigInt(i + 10000)));
for (let i = 1; i < 3000; i += 2) assert.equal(many[i](0n), BigInt(i));
others.forEach((other, i) => assert.equal(other(0n), BigInt(i + 10000)));
// Over and over in the same place.
for (let i = 0; i < 5000; i++) {
  const one = clean.adder(BigInt(i));
  assert.equal(one(1n), BigInt(i + 1));
  one.drop();
}

// Wrong use is an error each time, and changes nothing.
assert.throws(() => many[0](1n), { name: "TypeError", message: /was dropped/ });
assert.throws(() => many[0].drop(), TypeError);
assert.throws(() => clean.apply(many[0], 1n), TypeError);
assert.throws(() => clean.apply(3, 1n), { name: "TypeError", message: 'apply: argument 1 ("arg1"): 3 is no function of the program' });
assert.throws(() => clean.apply(undefined, 1n), TypeError);
assert.throws(() => add(1), TypeError);
assert.equal(add(2n), 42n);

// After an error of the program its functions are gone; new ones work.
console.log = () => {};
const failing = clean.failing(1n);
assert.equal(failing([2n]), 3n);
assert.throws(() => failing([]), { name: "ProgramError", message: /does not match/ });
for (const gone of [add, failing, named.run]) assert.throws(() => gone(2n), { name: "TypeError", message: /is gone/ });
add.drop();
assert.throws(() => add(2n), { name: "TypeError", message: /was dropped/ });
assert.equal(clean.adder(1n)(2n), 3n);
assert.throws(() => failing([1n]), TypeError);
process.stdout.write("ok\n");
