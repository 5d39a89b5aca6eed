import { shorten } from './terminal-text.ts';

/**
 * Returns the known name that is most similar to a mistyped one; undefined when none is near. Letter case is ignored,
 * and up to a third of the letters, or `mostWrong` of them, may be wrong.
 */
export function nearestName(name: string, known: Iterable<string>, mostWrong?: number): string | undefined {
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const most = mostWrong ?? Math.ceil(Math.max(name.length, candidate.length) / 3);
    // Each letter more is one wrong letter at least: of most names, the letters need not be compared.
    const fewest = Math.abs(name.length - candidate.length);
    if (fewest > most || fewest >= least) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance > most || distance >= least) continue;
    nearest = candidate;
    least = distance;
  }
  return nearest;
}

/** Returns ` Did you mean "…"?` to append to a sentence; empty when no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

/** Returns what to do about a column whose name has a slip: `Rename "anwser" to "answer".` */
export function renameRemedy(name: string, nearest: string): string {
  return `Rename "${shorten(name, longestName)}" to "${nearest}".`;
}

const longestName = 40;

/**
 * Returns the optimal string alignment distance: the fewest insertions, deletions, substitutions and swaps of
 * neighbours between two texts, with no part changed twice.
 */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let row = 1; row <= a.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= b.length; column += 1) {
      const insertion = at(current, column - 1) + 1;
      const deletion = at(previous, column) + 1;
      const substitution = at(previous, column - 1) + Number(a[row - 1] !== b[column - 1]);
      const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swap = isSwap ? at(beforePrevious, column - 2) + 1 : Number.POSITIVE_INFINITY;
      current.push(Math.min(insertion, deletion, substitution, swap));
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(distances: readonly number[], index: number): number {
  return distances[index] ?? Number.POSITIVE_INFINITY;
}
