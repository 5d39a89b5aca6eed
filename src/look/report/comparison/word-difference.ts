/** A sequence of words that two texts share, or that only one of them has. */
export interface WordPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Largest number of words between the shared beginning and end: a longer middle counts as replaced. */
const mostWords = 600;

/**
 * Compares the words of two texts by their longest common subsequence, ignoring white space. Pieces are in reading
 * order, removed words before added ones.
 */
export function diffWords(first: string, second: string): WordPiece[] {
  return diffParts(wordsOf(first), wordsOf(second), ' ');
}

/** A word, white space, or one other character: the parts in which a line of a file differs from another. */
const token = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;

/** Compares two texts as `diffWords` does, by their words, marks and white space: texts without spaces, such as JSON, have few words. */
export function diffTokens(first: string, second: string): WordPiece[] {
  return diffParts(first.match(token) ?? [], second.match(token) ?? [], '');
}

/** @param space - The text between two parts. */
function diffParts(before: readonly string[], after: readonly string[], space: string): WordPiece[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const room = Math.min(before.length, after.length) - start;
  while (end < room && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1;
  const middle = diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end));
  const words: WordPiece[] = [
    ...before.slice(0, start).map((text): WordPiece => ({ kind: 'same', text })),
    ...middle,
    ...before.slice(before.length - end).map((text): WordPiece => ({ kind: 'same', text })),
  ];
  return joinPieces(words, space);
}

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

function diffMiddle(before: readonly string[], after: readonly string[]): WordPiece[] {
  const removed = before.map((text): WordPiece => ({ kind: 'removed', text }));
  const added = after.map((text): WordPiece => ({ kind: 'added', text }));
  if (before.length > mostWords || after.length > mostWords) return [...removed, ...added];
  const lengths = commonLengths(before, after);
  const columns = after.length + 1;
  const words: WordPiece[] = [];
  let [row, column] = [0, 0];
  while (row < before.length && column < after.length) {
    if (before[row] === after[column]) {
      words.push({ kind: 'same', text: before[row] as string });
      row += 1;
      column += 1;
    } else if (
      (lengths[(row + 1) * columns + column] as number) >= (lengths[row * columns + column + 1] as number)
    ) {
      words.push(removed[row] as WordPiece);
      row += 1;
    } else {
      words.push(added[column] as WordPiece);
      column += 1;
    }
  }
  return [...words, ...removed.slice(row), ...added.slice(column)];
}

/** Computes the lengths of the longest common subsequences of all pairs of ends. */
function commonLengths(before: readonly string[], after: readonly string[]): Uint16Array {
  const columns = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * columns);
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      const place = row * columns + column;
      lengths[place] =
        before[row] === after[column]
          ? (lengths[place + columns + 1] as number) + 1
          : Math.max(lengths[place + columns] as number, lengths[place + 1] as number);
    }
  }
  return lengths;
}

/** Joins neighbours of one kind to one piece; between two shared words, removed words come before added ones. */
function joinPieces(words: readonly WordPiece[], space: string): WordPiece[] {
  const pieces: WordPiece[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  const flush = () => {
    if (removed.length > 0) pieces.push({ kind: 'removed', text: removed.join(space) });
    if (added.length > 0) pieces.push({ kind: 'added', text: added.join(space) });
    [removed, added] = [[], []];
  };
  for (const { kind, text } of words) {
    if (kind === 'removed') removed.push(text);
    else if (kind === 'added') added.push(text);
    else {
      flush();
      const last = pieces.at(-1);
      if (last?.kind === 'same') pieces[pieces.length - 1] = { kind, text: `${last.text}${space}${text}` };
      else pieces.push({ kind, text });
    }
  }
  flush();
  return pieces;
}

/** The words of two texts, with the white space of the texts: those that they share, and those that only one has. */
export interface WordSides {
  readonly first: readonly WordPiece[];
  readonly second: readonly WordPiece[];
}

/** Compares the words of two texts like `diffWords`, for showing the texts side by side. */
export function diffSides(first: string, second: string): WordSides {
  const pieces = diffWords(first, second);
  return {
    first: restoreSpace(
      first,
      pieces.filter(({ kind }) => kind !== 'added'),
    ),
    second: restoreSpace(
      second,
      pieces.filter(({ kind }) => kind !== 'removed'),
    ),
  };
}

/** Returns pieces with the text between their words as it is in the whole text. White space is not marked. */
function restoreSpace(text: string, pieces: readonly WordPiece[]): WordPiece[] {
  const words = text.match(/\s*\S+/g) ?? [];
  let from = 0;
  return pieces.flatMap(({ kind, text: joined }) => {
    const to = from + joined.split(' ').length;
    const restored = words.slice(from, to).join('');
    from = to;
    const [space = ''] = /^\s*/.exec(restored) ?? [];
    if (kind === 'same' || space === '') return [{ kind, text: restored }];
    return [
      { kind: 'same', text: space },
      { kind, text: restored.slice(space.length) },
    ];
  });
}
