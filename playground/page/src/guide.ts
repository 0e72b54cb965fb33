// What to look at in an example: some sentences beside its listing, whose buttons lead there.

import { byId } from "./dom.js";

/** What a button may ask for: a word, and what belongs to it. */
export type Act = (word: string, rest: string) => void;

export class Guide {
  private readonly place = byId("guide");
  private readonly text = byId("guide-text");

  constructor(act: Act) {
    this.text.addEventListener("click", (event) => {
      const asked = (event.target as HTMLElement).closest<HTMLElement>("[data-do]")?.dataset.do;
      if (asked === undefined) return;
      const [word, ...rest] = asked.split(":");
      act(word!, rest.join(":"));
    });
    byId("guide-close").addEventListener("click", () => (this.place.hidden = true));
  }

  /** Shows a text of ours, which the build has rendered; nothing hides it. */
  show(html: string): void {
    this.place.hidden = html === "";
    this.text.innerHTML = html;
    this.text.scrollTop = 0;
  }
}
