// Functions of JavaScript that a program calls; which call the program, which calls them; errors on the way.
import assert from "node:assert/strict";
const clean = await import(`${process.argv[2]}/functions.mjs`);
const range = (length) => Array.from({ length }, (_, i) => BigInt(i));

assert.equal(clean.apply((n) => n * 2n, 21n), 42n);
assert.deepEqual(clean.each((n) => n - 1n, range(1000)), range(1000).map((n) => n - 1n));
// The program makes functions of them, and keeps them in data.
const four = clean.twice(clean.twice((n) => n + 1n));
assert.equal(four(0n), 4n);
assert.deepEqual(clean.runAll([{ name: "a", run: (n) => n }, { name: "b", run: four }], 1n), [1n, 5n]);
// Text and lists go both ways, in parts, too.
const seen = [];
const told = clean.tell((text, list) => (seen.push([text, list]), [...list, text, "é"]), "gr\u00fc\u00dfe", ["a", ""]);
assert.deepEqual([told, seen], ["a++gr\u00fc\u00dfe+\u00e9", [["gr\u00fc\u00dfe", ["a", ""]]]]);
assert.equal(clean.partly((a, b) => a * 10n + b, 1n, 2n), 12n);

// Calls in all directions: the program, JavaScript, the program …, with collections in between.
const down = (n) => n == 0n ? 0n : clean.apply((m) => (clean.each(four, range(500)), down(m - 1n) + 1n), n);
assert.equal(down(50n), 50n);
const sums = clean.each((n) => clean.each((m) => m + n, range(200)).reduce((a, b) => a + b), range(200));
assert.deepEqual(sums, range(200).map((n) => 19900n + 200n * n));
// What the outer call is reading and writing stays as it is.
assert.equal(clean.tell((text, list) => list.map((part) => clean.joiner("-")(part, [text, "x".repeat(10000)])), "t", ["a", "b"]),
  ["a", "b"].map((part) => `${part}-t-${"x".repeat(10000)}`).join("+"));
// Deep recursion on both sides of a call.
assert.equal(clean.deep((n) => clean.deep((m) => m, n), 100000n), 300000n);

// What a function throws comes out as it is; the program begins anew.
const mine = new RangeError("mine");
assert.throws(() => clean.apply(() => { throw mine; }, 1n), (error) => error == mine);
assert.throws(() => clean.apply(() => { throw new TypeError("mine, too"); }, 1n), /mine, too/);
assert.throws(() => four(1n), { name: "TypeError", message: /is gone/ });
assert.throws(() => clean.apply(() => 1, 1n), { name: "TypeError", message: 'apply: the result of argument 1 ("arg1"): 1 is no s64' });
assert.equal(clean.apply((n) => n, 1n), 1n);
// The program fails in an inner call: the outer one fails, too, even if nobody hands the error on.
console.log = () => {};
assert.throws(() => clean.apply((n) => clean.failing(1n)([]), 1n), { name: "ProgramError", message: /does not match/ });
const caught = (n) => {
  assert.throws(() => clean.failing(1n)([]), clean.ProgramError);
  assert.equal(clean.adder(1n)(n), n + 1n);
  return n;
};
assert.throws(() => clean.apply(caught, 1n), ({ name, message, cause }) =>
  name == "ProgramError" && /has failed while .*does not match/s.test(message) && cause.name == "ProgramError");
assert.equal(clean.apply((n) => n, 2n), 2n);
// Without end.
const endless = (n) => clean.apply(endless, n);
assert.throws(() => endless(1n));
assert.equal(clean.apply((n) => n, 3n), 3n);
process.stdout.write("ok\n");
