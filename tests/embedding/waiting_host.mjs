// What `waiting.ir` and `waiting.sam` import. `state.mode` says how the functions answer: at once, in the next turn of
// the engine, after a while, or when a test says so.
export const state = { mode: "promise", held: [] };
const answer = (value) => {
  if (state.mode == "now") return value;
  if (state.mode == "promise") return Promise.resolve(value);
  if (state.mode == "timer") return new Promise((go) => { setTimeout(go, 1, value); });
  return new Promise((resolve, reject) => {
    state.held.push({ resolve: (other = value) => resolve(other), reject });
  });
};
export const ask = (text) => state.ask ? state.ask(text) : answer(`${text}!`);
export const next = (n, step) => answer(n + step);
export const half = (x) => answer(x / 2);
export const pause = () => answer(undefined);
export const numbers = (n) => answer(Array.from({ length: n }, (_, i) => i));
export const fetch = async (text) => {
  if (text == "throw") throw new Error("no connection: grüße");
  if (text == "text") throw "only a text";
  return answer(text);
};
export const read = (name) => {
  if (name == "throw") throw new Error("there is no such file");
  return answer(`contents of ${name}`);
};
export const rate = (name) => answer(name.length);
export const note = (text) => { (state.notes ??= []).push(text); };
