// Which lines of two texts are the same: the shortest edit script (Myers 1986) between what is left after equal ends.

/** For each line, true if the other text lacks it. */
export interface Difference {
  left: boolean[];
  right: boolean[];
}

/** Beyond so many edits, texts count as different altogether. */
const MOST_EDITS = 2000;

export function difference(left: readonly string[], right: readonly string[]): Difference {
  const changed: Difference = { left: left.map(() => false), right: right.map(() => false) };
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let leftEnd = left.length;
  let rightEnd = right.length;
  while (leftEnd > start && rightEnd > start && left[leftEnd - 1] === right[rightEnd - 1]) {
    leftEnd--;
    rightEnd--;
  }
  const a = left.slice(start, leftEnd);
  const b = right.slice(start, rightEnd);
  // By diagonal, how far one gets with so many edits; each round is kept for the way back.
  const rounds: Int32Array[] = [];
  const most = Math.min(a.length + b.length, MOST_EDITS);
  const at = new Int32Array(2 * most + 3);
  const middle = most + 1;
  for (let edits = 0; edits <= most; edits++) {
    rounds.push(at.slice());
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down = diagonal === -edits || (diagonal !== edits && at[middle + diagonal - 1]! < at[middle + diagonal + 1]!);
      let x = down ? at[middle + diagonal + 1]! : at[middle + diagonal - 1]! + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      at[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) {
        walkBack(rounds, middle, a.length, b.length, start, changed);
        return changed;
      }
    }
  }
  changed.left.fill(true, start, leftEnd);
  changed.right.fill(true, start, rightEnd);
  return changed;
}

function walkBack(rounds: Int32Array[], middle: number, x: number, y: number, start: number, changed: Difference): void {
  for (let edits = rounds.length - 1; edits > 0; edits--) {
    const at = rounds[edits]!;
    const diagonal = x - y;
    const down = diagonal === -edits || (diagonal !== edits && at[middle + diagonal - 1]! < at[middle + diagonal + 1]!);
    const previous = down ? diagonal + 1 : diagonal - 1;
    x = at[middle + previous]!;
    y = x - previous;
    if (down) changed.right[start + y] = true;
    else changed.left[start + x] = true;
  }
}
