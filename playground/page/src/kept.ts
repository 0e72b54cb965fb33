// What a visitor wrote and left for something else, so that it can be had back.

import { checked, type Project } from "./project.js";

export interface Kept {
  project: Project;
  /** When it was left, in milliseconds of the clock. */
  time: number;
}

const KEY = "cleave.kept";
const ORIGIN = "cleave.origin";
const EXAMPLE = "cleave.example";
/** So many are kept; then the oldest goes. */
const MOST = 8;

function read(key: string): string {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

function write(key: string, text: string): boolean {
  try {
    localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Two projects with the same files have the same mark. */
function markOf({ files }: Project): string {
  const text = JSON.stringify(Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1)));
  let mark = 0;
  for (let index = 0; index < text.length; index++) mark = (Math.imul(mark, 31) + text.charCodeAt(index)) | 0;
  return `${text.length}.${mark}`;
}

/** Says which project was opened, and which example it is: what is equal to it is not the visitor's own. */
export function opened(project: Project, example: string): void {
  write(ORIGIN, markOf(project));
  write(EXAMPLE, example);
}

/** The path of the example that was opened last. */
export const example = (): string => read(EXAMPLE);

/** Says that what was opened is the visitor's own, also as it is. */
export const openedOwn = (): void => void write(ORIGIN, "");

/** True if the visitor has written something that is nowhere else. */
export const isOwn = (project: Project): boolean =>
  Object.values(project.files).some((text) => text.trim() !== "") && read(ORIGIN) !== markOf(project);

/** The newest first. */
export function all(): Kept[] {
  try {
    const list = JSON.parse(read(KEY)) as { project: unknown; time: unknown }[];
    return list.flatMap(({ project, time }) => {
      const known = checked(project);
      return known && typeof time === "number" ? [{ project: known, time }] : [];
    });
  } catch {
    return [];
  }
}

/** Keeps a project; where there is too little room, older ones go. False if there is no room at all. */
export function keep(project: Project): boolean {
  const mark = markOf(project);
  const list = [{ project, time: Date.now() }, ...all().filter((other) => markOf(other.project) !== mark)].slice(0, MOST);
  for (; list.length > 0; list.pop()) {
    if (write(KEY, JSON.stringify(list))) return true;
  }
  return false;
}

/** Takes one away. */
export function forget(project: Project): void {
  const mark = markOf(project);
  write(KEY, JSON.stringify(all().filter((other) => markOf(other.project) !== mark)));
}
