// What components import, as jco wants it: `component_imports.mjs` is the test.
export const said = [];
export const get = (url) => {
  if (url.startsWith("bad")) throw "no " + url;
  return "<" + url + ">";
};
export const twice = (n) => {
  if (n == 13) throw new Error("not thirteen");
  return 2 * n;
};
export const move = (points, by) => points.map(({ x, y }) => ({ x: x + by.x, y: y + by.y }));
export const log = (text) => void said.push(text);
export const find = (name) => name ? { x: name.length, y: 7 } : undefined;
export const turn = (shape) => ({
  dot: () => ({ tag: "line", val: [{ x: 1, y: 2 }, { x: 3, y: 4 }] }),
  line: (points) => ({ tag: "label", val: JSON.stringify(points) }),
  label: (text) => ({ tag: "label", val: text + "!" }),
})[shape.tag](shape.val);
export const next = (colour) => ({ red: "green", green: "blue", blue: "red" })[colour];
export const joined = (...parts) => parts.join();
export const mark = (element, times) => (element.times = (element.times ?? 0) + times, element);
export class Element {
  clone() {
    const other = new Element();
    return Object.assign(other, { of: this.of ?? this });
  }
}
