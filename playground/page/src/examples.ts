// The examples, which lie beside the page.

import { element } from "./dom.js";
import { checked, type Project } from "./project.js";

export interface Example {
  path: string;
  group: string;
  title: string;
}

async function json(path: string): Promise<unknown> {
  const response = await fetch(new URL(path, document.baseURI));
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

/** Fills the list, and says what is chosen. */
export async function list(select: HTMLSelectElement, choose: (path: string) => void): Promise<Example[]> {
  let index: Example[] = [];
  try {
    index = (await json("examples/index.json")) as Example[];
  } catch {
    // Then there are no examples.
  }
  const groups = new Map<string, HTMLOptGroupElement>();
  for (const { path, group, title } of index) {
    if (!groups.has(group)) groups.set(group, element("optgroup", { label: group }));
    groups.get(group)!.append(element("option", { value: path }, title));
  }
  select.append(...groups.values());
  select.addEventListener("change", () => {
    if (select.value) choose(select.value);
    select.value = "";
  });
  return index;
}

export async function open(path: string): Promise<Project> {
  const project = checked(await json(`examples/${path}.json`));
  if (!project) throw new Error(`${path} is no example`);
  return project;
}
