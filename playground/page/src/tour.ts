// A tour of the page: a card beside what it tells of, one step after the other. It can be left at any time.

import { byId, element } from "./dom.js";

export interface Stop {
  title: string;
  text: string;
  /** What it is about. */
  target: string;
  /** The tab that has to be open. */
  view: string;
}

const SEEN = "cleave.tour";
const MARK = "tour-target";
const GAP = 12;
const NARROW = "(max-width: 760px)";

/** True if it has come by itself before. */
export function wasSeen(): boolean {
  try {
    return localStorage.getItem(SEEN) !== null;
  } catch {
    // Who keeps nothing would get it on each visit.
    return true;
  }
}

export class Tour {
  private at = 0;
  private readonly count = element("p", { class: "tour-count" });
  private readonly title = element("h2", { id: "tour-title", tabindex: -1 });
  private readonly text = element("p", {});
  private readonly back = element("button", { id: "tour-back", onclick: () => this.go(this.at - 1) }, "Back");
  private readonly next = element("button", { id: "tour-next", class: "primary", onclick: () => this.go(this.at + 1) }, "Next");
  private readonly card = element("section", { id: "tour", role: "dialog", "aria-labelledby": "tour-title", hidden: true },
    element("div", { class: "tour-head" }, this.count, element("button", { id: "tour-leave", class: "plain", onclick: () => this.leave() }, "Leave the tour")),
    this.title, this.text, element("div", { class: "tour-buttons" }, this.back, this.next));

  constructor(private readonly stops: readonly Stop[], private readonly open: (view: string) => void) {
    document.body.append(this.card);
    this.card.addEventListener("keydown", (event) => event.key === "Escape" && this.leave());
    window.addEventListener("resize", () => !this.card.hidden && this.place());
  }

  /** Begins it. What comes by itself takes nobody's focus. */
  start(byItself = false): void {
    try {
      localStorage.setItem(SEEN, "yes");
    } catch {
      // Then it is not remembered.
    }
    this.card.hidden = false;
    this.go(0);
    if (!byItself) this.title.focus();
  }

  leave(): void {
    const hadFocus = this.card.contains(document.activeElement);
    this.card.hidden = true;
    this.unmark();
    if (hadFocus) byId("tour-start").focus();
  }

  private go(to: number): void {
    const stop = this.stops[to];
    if (!stop) return this.leave();
    this.at = to;
    this.open(stop.view);
    this.count.textContent = `Tour, ${to + 1} of ${this.stops.length}`;
    this.title.textContent = stop.title;
    this.text.textContent = stop.text;
    this.back.hidden = to === 0;
    this.next.textContent = to + 1 === this.stops.length ? "Done" : "Next";
    this.unmark();
    const target = document.querySelector(stop.target);
    target?.classList.add(MARK);
    if (matchMedia(NARROW).matches) target?.scrollIntoView({ block: "start" });
    this.place();
  }

  private unmark(): void {
    for (const marked of document.querySelectorAll(`.${MARK}`)) marked.classList.remove(MARK);
  }

  /** Beside the target where there is room, or else in the corner; on narrow screens always below. */
  private place(): void {
    const target = document.querySelector(this.stops[this.at]!.target);
    this.card.removeAttribute("style");
    if (!target || matchMedia(NARROW).matches) return;
    const { left, right, top, bottom } = target.getBoundingClientRect();
    const { width, height } = this.card.getBoundingClientRect();
    const [wide, high] = [window.innerWidth, window.innerHeight];
    const within = (at: number, size: number, most: number) => Math.max(GAP, Math.min(at, most - size - GAP));
    const places = [
      { x: left - width - GAP, y: within(top, height, high), fits: left > width + 2 * GAP },
      { x: within(left, width, wide), y: bottom + GAP, fits: bottom + height + 2 * GAP < high },
      { x: right + GAP, y: within(top, height, high), fits: right + width + 2 * GAP < wide },
      { x: within(left, width, wide), y: top - height - GAP, fits: top > height + 2 * GAP },
    ];
    const place = places.find(({ fits }) => fits);
    if (place) this.card.setAttribute("style", `left: ${place.x}px; top: ${place.y}px; right: auto; bottom: auto`);
  }
}
