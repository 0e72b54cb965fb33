// Functions of samlang that JavaScript has, and of JavaScript that samlang has, on either heap.
import assert from "node:assert/strict";
const lib = await import(`${process.argv[2]}/${process.argv[3]}.mjs`);
const range = (length) => Array.from({ length }, (_, i) => i);

// Functions of the program: results, arguments, in records and lists; what it makes of them.
const add = lib.adder(40);
assert.equal(add(2), 42);
assert.equal(lib.constant()(), 7);
assert.equal(lib.apply(add, 1), 41);
const much = lib.twice(lib.twice(add));
assert.equal(much(0), 160);
assert.deepEqual(lib.each(much, [1, 2]), [161, 162]);
const named = lib.named("four");
assert.deepEqual([named.name, named.run(1)], ["four", 5]);
assert.deepEqual(lib.runAll([named, lib.named(""), { name: "mine", run: add }], 2), [6, 6, 42]);
assert.equal(lib.joiner(", ")("a", ["b", "ç"]), "a, b, ç");
assert.equal(lib.curried(1)(2)(3), 123);
assert.deepEqual(lib.maker(3).map((make) => make(2)), [[3, 2], []]);
// In cases of variants, which share their places.
assert.equal(lib.perform({ tag: "Run", val: [add, "="] }, 2), "=42");
assert.equal(lib.perform({ tag: "Both", val: [(s) => s + "!", undefined] }, 2), "none!");
assert.equal(lib.perform({ tag: "Both", val: [(s) => s + "!", 3] }, 2), "5!");
assert.equal(lib.perform(lib.task(3), 4), "77");
assert.equal(lib.task(3).val[0]("ab"), "abab");

// Functions of JavaScript.
assert.equal(lib.apply((n) => n * 2, 21), 42);
assert.deepEqual(lib.each((n) => n - 1, range(1000)), range(1000).map((n) => n - 1));
const four = lib.twice(lib.twice((n) => n + 1));
assert.equal(four(0), 4);
const seen = [];
const told = lib.tell((text, list) => (seen.push([text, list]), [...list, text, "é"]), "grüße", ["a", ""]);
assert.deepEqual([told, seen], ["+a++grüße+é", [["grüße", ["a", ""]]]]);
const asked = [];
assert.deepEqual(lib.choose((o, b) => (asked.push([o, b]), o && `<${o}>`)), [undefined, "<5>"]);
assert.deepEqual(asked, [[undefined, true], [5, false]]);
let sum = 0;
assert.equal(lib.forEach((n) => { sum += n; }, 100), undefined);
assert.equal(sum, 5050);
assert.equal(lib.many((...all) => JSON.stringify(all)), JSON.stringify([...range(17).slice(1), "end"]));

// Calls in all directions: the program, JavaScript, the program …
const down = (n) => n == 0 ? 0 : lib.apply((m) => (lib.each(four, range(100)), down(m - 1) + 1), n);
assert.equal(down(50), 50);
const sums = lib.each((n) => lib.each((m) => m + n, range(200)).reduce((a, b) => a + b), range(200));
assert.deepEqual(sums, range(200).map((n) => 19900 + 200 * n));
assert.equal(lib.tell((text, list) => list.map((part) => lib.joiner("-")(part, [text, "x".repeat(10000)])), "t", ["a", "b"]),
  ["a", "b"].map((part) => `+${part}-t-${"x".repeat(10000)}`).join(""));
assert.equal(lib.deep((n) => lib.deep((m) => m, 1000) + n, 100000), 101000);

// They live until they are dropped.
const many = range(3000).map(lib.adder);
for (let round = 0; round < 20; round++) {
  lib.each(add, range(2000));
  for (const i of [0, 1, 1500, 2999]) assert.equal(many[i](1), i + 1);
}
for (let i = 0; i < 3000; i += 2) many[i].drop();
const others = range(2000).map((i) => lib.adder(i + 10000));
for (let i = 1; i < 3000; i += 2) assert.equal(many[i](0), i);
others.forEach((other, i) => assert.equal(other(0), i + 10000));
for (let i = 0; i < 5000; i++) {
  const one = lib.adder(i), { drop } = one;
  assert.equal(one(1), i + 1);
  drop();
}

// Wrong use is an error each time, and changes nothing.
const dropped = { name: "TypeError", message: /was dropped/ };
assert.throws(() => many[0](1), dropped);
assert.throws(() => many[0].drop(), dropped);
assert.throws(() => lib.apply(many[0], 1), dropped);
assert.throws(() => lib.apply(3, 1), { name: "TypeError", message: 'apply: argument 1 ("f"): 3 is no function of the program' });
assert.throws(() => lib.apply(undefined, 1), TypeError);
assert.throws(() => lib.apply(lib.joiner("-"), 1), { name: "TypeError", message: /^apply: argument 1 \("f"\): .*no function of this type/s });
assert.throws(() => add("1"), { name: "TypeError", message: "function of the program: argument 1: \"1\" is no s32" });
for (const [given, shown] of [[null, "null"], [2n, "2n"], [Symbol("a"), "Symbol(a)"], [{}, "an object"]])
  assert.throws(() => add(given), { message: `function of the program: argument 1: ${shown} is no s32` });
assert.throws(() => lib.joiner(1), { name: "TypeError", message: 'joiner: argument 1 ("separator"): 1 is no string' });
assert.throws(() => lib.each(add, [1, 1.5]), { message: 'each: argument 2 ("list"): 1.5 is no s32' });
assert.throws(() => lib.runAll([undefined], 1), { name: "TypeError", message: /^runAll: argument 1 \("all"\): / });
assert.throws(() => lib.runAll([{ name: "a", run: 5 }], 1), { message: 'runAll: argument 1 ("all"), field "run": 5 is no function of the program' });
assert.throws(() => lib.runAll([null], 1), { message: 'runAll: argument 1 ("all"): null is no record' });
assert.throws(() => lib.perform("Run", 1), { message: /^perform: argument 1 \("[a-z]+"\): "Run" is no { tag: … } of .*Run/ });
// Who does not use the word `using` calls what it calls.
if (Symbol.dispose) {
  const used = lib.adder(1);
  for (let n = 0; n < 2; n++) used[Symbol.dispose]();
  assert.throws(() => used(1), dropped);
}
// A function is dropped while it runs, and its place taken.
const own = lib.twice((n) => {
  if (own.drop) own.drop();
  own.drop = undefined;
  return lib.each(lib.adder(n), range(10))[1] + n;
});
assert.equal(own(1), 7);
assert.equal(add(2), 42);

// What is thrown comes out as it is; the program begins anew.
const mine = new RangeError("mine");
assert.throws(() => lib.apply(() => { throw mine; }, 1), (error) => error == mine);
assert.throws(() => four(1), { name: "TypeError", message: /is gone/ });
// What gives another type is named: by the argument that it was, or by its own name if the program has had it before.
assert.throws(() => lib.apply(() => "1", 1), { name: "TypeError", message: 'apply: the result of argument 1 ("f"): "1" is no s32' });
const half = (n) => n / 2, later = lib.twice(half);
assert.throws(() => later(1), { message: 'function of the program: the result of the function "half": 0.5 is no s32' });
assert.throws(() => lib.choose(() => 5), { message: 'choose: the result of argument 1 ("f"): 5 is no string' });
assert.throws(() => lib.apply((n) => lib.failing(1)([]), 1), { name: "ProgramError", message: /There is nothing/ });
const caught = (n) => {
  assert.throws(() => lib.failing(1)([]), lib.ProgramError);
  assert.equal(lib.adder(1)(n), n + 1);
  return n;
};
// The outer error says what the inner one was, the first one of them, which is its cause.
assert.throws(() => lib.apply(caught, 1), ({ name, message, cause }) =>
  name == "ProgramError" && /has waited for a function: There is nothing/.test(message) && /^There is nothing/.test(cause.message));
const twice = (n) => {
  assert.throws(() => lib.failing(1)([]), lib.ProgramError);
  assert.throws(() => lib.apply(() => { throw mine; }, n), (error) => error == mine);
  return n;
};
assert.throws(() => lib.apply(twice, 1), ({ cause }) => /^There is nothing/.test(cause.message));
assert.equal(lib.failing(1)([2]), 3);
add.drop();
assert.throws(() => add(2), dropped);
const endless = (n) => lib.apply(endless, n);
assert.throws(() => endless(1));
assert.equal(lib.apply((n) => n, 3), 3);
process.stdout.write("ok\n");
