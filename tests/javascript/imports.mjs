// Functions of JavaScript that a program of samlang calls, on either heap: they answer at once, fail, give what is
// wrong, and call the program.
import assert from "node:assert/strict";
const file = `${process.argv[2]}/${process.argv[3]}.mjs`;
const said = [];
const hosts = globalThis.hosts = {
  get: (url) => {
    if (url.startsWith("bad")) throw new Error("no " + url);
    return "<" + url + ">";
  },
  twice: (n) => 2 * n,
  move: (points, by) => points.map(({ x, y }) => ({ x: x + by.x, y: y + by.y })),
  log: (text) => void said.push(text),
  find: (name) => name ? { x: name.length, y: 7 } : undefined,
  turn: (shape) => ({
    Dot: () => ({ tag: "Line", val: [{ x: 1, y: 2 }, { x: 3, y: 4 }] }),
    Line: ([from, to]) => ({ tag: "Label", val: JSON.stringify([from, to]) }),
    Label: (text) => ({ tag: "Label", val: text + "!" }),
  })[shape.tag](shape.val),
  next: (colour) => ({ Red: "Green", Green: "Blue", Blue: "Red" })[colour],
  joined: (...parts) => parts.join(),
  mark: (element, times) => (element.times = (element.times ?? 0) + times, element),
  each: (f, n) => Array.from({ length: n }, (_, i) => f(i)).reduce((a, b) => a + b, 0),
  adder: (n) => (m) => 10 * n + m,
};
const lib = await import(file);
const restored = (name, other, work) => {
  const own = hosts[name];
  hosts[name] = other;
  try {
    work();
  } finally {
    hosts[name] = own;
  }
};

const values = () => {
  assert.equal(lib.size("ü€"), 3 + 4);
  assert.equal(lib.why("a"), "<a>");
  assert.equal(lib.sum(10), 110);
  assert.deepEqual(lib.moved([{ x: 1, y: 2 }, { x: 3, y: 4 }], 10), [{ x: 11, y: -8 }, { x: 13, y: -6 }]);
  assert.deepEqual(lib.moved([], 1), []);
  assert.equal(lib.told("é"), "é");
  assert.deepEqual(said.splice(0), ["é", "again: é"]);
  assert.equal(lib.found("four"), 4007);
  assert.equal(lib.found(""), -1);
  assert.deepEqual(lib.turned({ tag: "Dot" }), { tag: "Label", val: '[{"x":1,"y":2},{"x":3,"y":4}]' });
  assert.deepEqual(lib.turned({ tag: "Label", val: "" }), { tag: "Label", val: "!!" });
  assert.deepEqual(["Red", "Green", "Blue"].map((it) => lib.after(it)), ["Green", "Blue", "Red"]);
  assert.equal(lib.joined("x", 3), "x,b,c,d,e,f,g,x,3");
  const element = {};
  assert.equal(lib.marked(element, 3), element);
  assert.equal(element.times, 6);
  assert.equal(lib.each(3, 5), 10 * 3 + 20);
  assert.equal(lib.added(7), 77 + 17);
};
values();

// What a function throws is the error of its result, if that is a text, and else comes out as it is.
assert.equal(lib.size("bad"), -1);
assert.equal(lib.why("bad"), "failed: no bad");
restored("get", () => 5, () => assert.equal(lib.why("a"), "failed: get of ./net.mjs: 5 is no string"));
restored("get", () => { throw "\ud800" }, () => assert.equal(lib.why("a"), "failed: \ufffd"));
const reason = { reason: 1 };
for (const [name, work] of [["twice", () => lib.sum(3)], ["log", () => lib.told("x")], ["find", () => lib.found("x")]]) {
  restored(name, () => { throw reason }, () => {
    assert.throws(work, (error) => error == reason);
    // The next call has another instance, and the same error.
    assert.throws(work, (error) => error == reason);
  });
  values();
}

// What is of another type is an error, and names the function.
for (const [name, work, wrong, message] of [
  ["twice", () => lib.sum(3), "7", /^twice of \.\/net\.mjs: "7" is no s32$/],
  ["twice", () => lib.sum(3), 2 ** 31, /twice of \.\/net\.mjs: 2147483648 is no s32/],
  ["twice", () => lib.sum(3), Promise.resolve(7), /an object is no s32/],
  ["move", () => lib.moved([], 1), [{ x: 1 }], /move of \.\/net\.mjs: undefined is no s32/],
  ["find", () => lib.found("x"), 1, /find of \.\/net\.mjs: 1 is no record/],
  ["turn", () => lib.turned({ tag: "Dot" }), { tag: "Circle" }, /turn of \.\/net\.mjs: "Circle" is none of Dot, Line, Label/],
  ["next", () => lib.after("Red"), "Black", /next of \.\/net\.mjs: "Black" is none of Red, Green, Blue/],
  ["joined", () => lib.joined("", 1), undefined, /joined of \.\/net\.mjs: undefined is no string/],
  ["adder", () => lib.added(1), 1, /adder of \.\/tools\.mjs: 1 is no function of the program/],
]) {
  restored(name, () => wrong, () => assert.throws(work, (error) => error instanceof TypeError && message.test(error.message)));
  values();
}

// A function may call the program, which calls functions, and so on.
restored("twice", (n) => n % 5 == 0 ? lib.sum(n - 1) + lib.joined("ab", n).length - 18 - String(n).length + 2 : 2 * n, () => {
  const expected = (n) => n == 0 ? 0 : (n % 5 == 0 ? expected(n - 1) + 2 : 2 * n) + expected(n - 1);
  assert.equal(lib.sum(27), expected(27));
});
restored("get", (url) => url.length > 30 ? "." : lib.why(url + "x") + "é", () => assert.equal(lib.why("u"), "." + "é".repeat(30)));
// If the program fails there, the outer call fails, too, whatever the function does about it.
restored("get", (url) => {
  try {
    lib.fail("inner");
  } catch (error) {
    assert.ok(error instanceof lib.ProgramError && error.message == "inner", error);
  }
  return url;
}, () => assert.throws(() => lib.why("a"), /has failed while this call of it has waited/));
values();
restored("twice", () => lib.fail("inner"), () => assert.throws(() => lib.sum(1), /inner|has failed while/));
values();

// Many calls need no more memory.
for (let i = 0; i < 20000; i++) assert.equal(lib.why("text"), "<text>");
console.log("ok");
