// Objects of JavaScript for a component: resources with a method `clone`, each handle of which is disposed of once.
let handles = 0;
class Handle {
  constructor(value) {
    this.value = value;
    handles++;
  }
  clone() {
    assertOpen(this);
    return new this.constructor(this.value);
  }
  [Symbol.dispose]() {
    assertOpen(this);
    this.gone = true;
    handles--;
  }
}
const assertOpen = (handle) => {
  if (handle.gone) throw new Error("disposed of before");
};
export class Element extends Handle {}
export class Node extends Handle {}
/** How many handles are open. */
export const open = () => handles;
/** What a handle leads to that the component has given, which is disposed of. */
export const take = (handle) => {
  const { value } = handle;
  handle[Symbol.dispose]();
  return value;
};
