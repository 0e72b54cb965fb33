// Where the cells of the heap stand in the picture. What was there before stays where it was; new cells stand where the
// layered layout has them in relation to a cell that refers to them, or below, where there is room.

import dagre from "@dagrejs/dagre";
import type { State } from "../../compiler/src/index.js";

export interface Box {
  id: string;
  /** Variables stand beside what they refer to, wherever they were before. */
  isRoot: boolean;
  width: number;
  height: number;
}

export interface Arrow {
  from: string;
  to: string;
}

export interface Point {
  x: number;
  y: number;
}

export const ROW = 20;
const GAP = 14;
/** Letters are this wide, about. */
const LETTER = 7.3;
const NARROWEST = 54;
const WIDEST = 190;

export const widthOf = (texts: readonly string[]): number =>
  Math.max(NARROWEST, Math.min(WIDEST, 18 + LETTER * Math.max(...texts.map((text) => text.length))));

/** Layers from the left to the right, as arrows go. */
function layered(boxes: readonly Box[], arrows: readonly Arrow[]): Map<string, Point> {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: GAP, ranksep: 46, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id, width, height } of boxes) graph.setNode(id, { width, height });
  arrows.forEach(({ from, to }, index) => graph.setEdge(from, to, {}, String(index)));
  dagre.layout(graph);
  return new Map(boxes.map(({ id, width, height }) => {
    const { x, y } = graph.node(id);
    return [id, { x: x - width / 2, y: y - height / 2 }];
  }));
}

export class Layout {
  private places = new Map<string, Point>();
  private collections = 0;

  /** Forgets where everything was. */
  reset(): void {
    this.places.clear();
  }

  /** Places for all boxes. After a collection all cells of the garbage-collected heap have other names, so nothing is known. */
  place(boxes: readonly Box[], arrows: readonly Arrow[], { collections }: State): Map<string, Point> {
    if (collections !== this.collections) this.places.clear();
    this.collections = collections;
    const known = boxes.filter(({ id, isRoot }) => !isRoot && this.places.has(id));
    if (2 * known.length < boxes.filter(({ isRoot }) => !isRoot).length) {
      this.places = layered(boxes, arrows);
      return this.places;
    }
    const fresh = boxes.filter(({ id, isRoot }) => isRoot || !this.places.has(id));
    const kept = new Map(known.map(({ id }) => [id, this.places.get(id)!]));
    if (fresh.length > 0) {
      const ideal = layered(boxes, arrows);
      const size = new Map(boxes.map((box) => [box.id, box]));
      for (const box of fresh) {
        const near = arrows.find(({ from, to }) => to === box.id && kept.has(from)) ?? arrows.find(({ from, to }) => from === box.id && kept.has(to));
        const other = near && (near.to === box.id ? near.from : near.to);
        const wanted = ideal.get(box.id)!;
        const place = { ...wanted };
        if (other !== undefined) {
          const [was, is] = [ideal.get(other)!, kept.get(other)!];
          place.x += is.x - was.x;
          place.y += is.y - was.y;
        }
        kept.set(box.id, free(place, box, kept, size));
      }
    }
    const ideal = layered(boxes, arrows);
    const turned = backwards(kept, boxes, arrows) > backwards(ideal, boxes, arrows) + arrows.length / 12;
    this.places = turned || isWaste(extent(kept, boxes), extent(ideal, boxes)) ? ideal : kept;
    return this.places;
  }
}

function extent(places: Map<string, Point>, boxes: readonly Box[]): Point {
  const all = boxes.map(({ id, width, height }) => ({ width, height, ...places.get(id)! }));
  const width = Math.max(0, ...all.map(({ x, width }) => x + width)) - Math.min(0, ...all.map(({ x }) => x));
  return { x: width, y: Math.max(0, ...all.map(({ y, height }) => y + height)) - Math.min(0, ...all.map(({ y }) => y)) };
}

/** Arrows that do not lead to the right. */
function backwards(places: Map<string, Point>, boxes: readonly Box[], arrows: readonly Arrow[]): number {
  const ends = new Map(boxes.map(({ id, width }) => [id, places.get(id)!.x + width]));
  return arrows.filter(({ from, to }) => ends.has(from) && ends.has(to) && places.get(to)!.x < ends.get(from)!).length;
}

/** So much more room is no good, even for a picture that stays as it was. */
const isWaste = (is: Point, ideal: Point): boolean => is.x > 1.2 * ideal.x + 40 || is.y > 1.3 * ideal.y + 60;

/** The next place below that overlaps with nothing. */
function free(place: Point, box: Box, places: Map<string, Point>, size: Map<string, Box>): Point {
  for (let tries = 0; tries < 200; tries++) {
    const blocking = [...places].find(([id, { x, y }]) => {
      const other = size.get(id)!;
      return x < place.x + box.width + GAP && place.x < x + other.width + GAP && y < place.y + box.height + GAP / 2 && place.y < y + other.height + GAP / 2;
    });
    if (!blocking) return place;
    place = { x: place.x, y: blocking[1].y + size.get(blocking[0])!.height + GAP };
  }
  return place;
}
