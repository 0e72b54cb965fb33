// What components import that gives functions, and reals of 32 bits, as jco wants it: `component_given.mjs` is the
// test.
let dropped = 0;
export const gone = () => dropped;
class Callback {
  constructor(call) {
    this.call = call;
  }
  [Symbol.dispose]() {
    dropped += 1;
  }
}
export { Callback as CallbackS32ToS32, Callback as CallbackF32ToF32 };
export const adder = (n) => new Callback((m) => n + m);
export const halved = (x) => x / 2;
export const mixed = (b, x, s, y) => x - y + s.length + b;
export const turned = (it) => it.tag === "ok" ? { tag: "err", val: Math.trunc(it.val) } : { tag: "ok", val: it.val / 4 };
export const scale = (by) => new Callback((x) => x * by);
