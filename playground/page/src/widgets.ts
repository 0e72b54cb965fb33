// Tabs, menus, the gutter between the halves, and the theme.

import { element } from "./dom.js";

/** Makes tabs of the buttons in a section: arrows move, a click selects. Returns what selects one by its name. */
export function tabs(section: HTMLElement, selected: (name: string) => void): (name: string) => void {
  const all = [...section.querySelectorAll<HTMLButtonElement>(".views > [role=tab]")];
  const nameOf = (tab: HTMLElement) => tab.id.replace("tab-", "");
  const select = (name: string, focus = false) => {
    for (const tab of all) {
      const is = nameOf(tab) === name;
      tab.setAttribute("aria-selected", String(is));
      tab.tabIndex = is ? 0 : -1;
      document.getElementById(tab.getAttribute("aria-controls")!)!.hidden = !is;
      if (is && focus) tab.focus();
    }
    selected(name);
  };
  all.forEach((tab, index) => {
    tab.addEventListener("click", () => select(nameOf(tab)));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (step) select(nameOf(all[(index + step + all.length) % all.length]!), true);
    });
  });
  return (name) => select(name);
}

/** A menu that a button opens; Escape and clicks elsewhere close it. */
export function menu(button: HTMLElement, popup: HTMLElement, items: [string, () => void][]): void {
  const show = (open: boolean) => {
    popup.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (open) popup.querySelector<HTMLElement>("button")?.focus();
  };
  popup.append(...items.map(([text, action]) => element("button", {
    role: "menuitem",
    onclick: () => {
      show(false);
      button.focus();
      action();
    },
  }, text)));
  button.addEventListener("click", () => show(Boolean(popup.hidden)));
  popup.addEventListener("keydown", (event) => {
    const all = [...popup.querySelectorAll<HTMLElement>("button")];
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const at = all.indexOf(document.activeElement as HTMLElement);
    if (step) {
      event.preventDefault();
      all[(at + step + all.length) % all.length]!.focus();
    }
    if (event.key === "Escape") {
      show(false);
      button.focus();
    }
  });
  document.addEventListener("click", (event) => {
    if (!popup.hidden && !popup.contains(event.target as Node) && !button.contains(event.target as Node)) show(false);
  });
}

/** Drags the border between the halves, by pointer or arrows. */
export function gutter(bar: HTMLElement, main: HTMLElement): void {
  const set = (percent: number) => {
    const width = Math.round(Math.max(20, Math.min(80, percent)));
    main.style.setProperty("--left", `${width}%`);
    bar.setAttribute("aria-valuenow", String(width));
    try {
      localStorage.setItem("cleave.left", String(width));
    } catch {
      // Then the width is forgotten.
    }
  };
  try {
    const kept = Number(localStorage.getItem("cleave.left"));
    if (kept) set(kept);
  } catch {
    // The usual width.
  }
  bar.addEventListener("pointerdown", (event) => {
    bar.setPointerCapture(event.pointerId);
    const move = ({ clientX }: PointerEvent) => {
      const { left, width } = main.getBoundingClientRect();
      set((100 * (clientX - left)) / width);
    };
    bar.addEventListener("pointermove", move);
    bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
  });
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -4, ArrowRight: 4 }[event.key];
    if (step) set(Number(bar.getAttribute("aria-valuenow")) + step);
  });
}

/** Light or dark: as the system says until the button is pressed. */
export function theme(button: HTMLElement): void {
  button.addEventListener("click", () => {
    const root = document.documentElement;
    const isDark = (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
    root.dataset.theme = isDark ? "light" : "dark";
    try {
      localStorage.setItem("cleave.theme", root.dataset.theme);
    } catch {
      // Then it is forgotten.
    }
  });
}
