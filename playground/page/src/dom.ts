// Small helpers for the document.

/** The element with an id, which the page has. */
export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const found = document.getElementById(id);
  if (!found) throw new Error(`no element #${id}`);
  return found as T;
}

type Child = Node | string | undefined | false;

/** A new element. Properties that begin with `on` are listeners, the rest attributes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  properties: Record<string, string | boolean | number | ((event: Event) => void) | undefined> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== undefined) made.setAttribute(key, String(value));
  }
  made.append(...children.filter((child): child is Node | string => child !== undefined && child !== false));
  return made;
}

/** A new element of a drawing. */
export function svg(name: string, attributes: Record<string, string | number>, ...children: (Node | string)[]): SVGElement {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  made.append(...children);
  return made;
}

/** Calls a function once nothing has asked for it for a while. */
export function delayed(milliseconds: number, action: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}

/** Saves bytes or text as a file of the visitor. */
export function download(name: string, data: string | Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([data], { type: "application/octet-stream" }));
  element("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const bytesText = (bytes: number): string =>
  bytes < 1000 ? `${bytes} B` : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;

export const timeText = (milliseconds: number): string =>
  milliseconds < 1 ? `${(milliseconds * 1000).toFixed(0)} µs`
  : milliseconds < 1000 ? `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`
  : `${(milliseconds / 1000).toFixed(2)} s`;

let announcer: HTMLElement | undefined;

/** Shows a short message, which screen readers read; with a button if something can be done about it. */
export function announce(text: string, action?: { name: string; run: () => void }): void {
  announcer ??= byId("toast");
  const hide = () => announcer?.classList.remove("shown");
  const button = action && element("button", { onclick: () => {
    hide();
    action.run();
  } }, action.name);
  announcer.replaceChildren(text, ...(button ? [button] : []));
  announcer.classList.add("shown");
  clearTimeout(Number(announcer.dataset.timer));
  announcer.dataset.timer = String(setTimeout(hide, action ? 12_000 : 3500));
}
