/** The difference between two questions that say the same. */
export type Difference =
  /** The same text; something besides the question differs. */
  | { readonly type: 'same-text' }
  /** The same words, but for letter case, punctuation, empty words and plural endings. */
  | { readonly type: 'same-words' }
  /** The same words in another order. */
  | { readonly type: 'reordered' }
  /** The same but for spelling errors. */
  | { readonly type: 'spelling'; readonly words: readonly (readonly [string, string])[] }
  /** Some words differ, none of which makes it another question. */
  | { readonly type: 'reworded'; readonly earlier: readonly string[]; readonly later: readonly string[] };

/** The least share of words that questions in other words have in common, and the fewest words that they need. */
const leastShared = 0.8;
const fewestWords = 9;

/** The length of a word from which another spelling is taken for an error: casual and causal are two words. */
export const shortestTypo = 7;
const mostTypos = 2;

/**
 * Compares the words of two questions (twice the number of the word, plus 1 for an anchor). Returns undefined when they
 * are different questions: when too many words differ, or one that matters, or when names and numbers are in another
 * order.
 * @param nameOf - Returns the text of a word by its number.
 */
export function describeDifference(
  earlier: Uint32Array,
  later: Uint32Array,
  nameOf: (id: number) => string,
): { readonly difference: Difference; readonly similarity: number } | undefined {
  const only = [onlyIn(earlier, later), onlyIn(later, earlier)] as const;
  const rest = only[0].length + only[1].length;
  // More words differ than can be spelling errors, and than a long question may have in other words.
  if (rest > 2 * mostTypos && rest * 4 > earlier.length + later.length) return undefined;
  const [first, second] = [countDifferent(earlier), countDifferent(later)];
  const all = first + only[1].length;
  const similarity = all === 0 ? 1 : (first - only[0].length) / all;
  if (only[0].length === 0 && only[1].length === 0) {
    if (!hasSameCounts(earlier, later) || !hasSameOrder(earlier, later)) return undefined;
    const isInOrder = earlier.every((word, index) => word >>> 1 === (later[index] ?? 0) >>> 1);
    return { difference: { type: isInOrder ? 'same-words' : 'reordered' }, similarity };
  }
  if (!hasSameOrder(earlier, later)) return undefined;
  const [before, after] = only.map((ids) => ids.map(nameOf)) as [string[], string[]];
  const typos = pairTypos(before, after);
  if (typos !== undefined) return { difference: { type: 'spelling', words: typos }, similarity };
  if (similarity < leastShared || Math.min(first, second) < fewestWords) return undefined;
  return { difference: { type: 'reworded', earlier: before, later: after }, similarity };
}

/** Returns the words of one question that the other lacks, each once. */
function onlyIn(words: Uint32Array, others: Uint32Array): number[] {
  const found: number[] = [];
  const known = others.length > 64 ? new Set(Array.from(others, (word) => word >>> 1)) : undefined;
  for (const word of words) {
    const id = word >>> 1;
    const isShared =
      known === undefined ? others.includes(id * 2) || others.includes(id * 2 + 1) : known.has(id);
    if (!isShared && !found.includes(id)) found.push(id);
  }
  return found;
}

function countDifferent(words: Uint32Array): number {
  return new Set(Array.from(words, (word) => word >>> 1)).size;
}

/** Returns whether every word occurs as often on both sides. */
function hasSameCounts(earlier: Uint32Array, later: Uint32Array): boolean {
  if (earlier.length !== later.length) return false;
  const sorted = [earlier, later].map((words) => words.map((word) => word >>> 1).sort());
  return sorted[0]?.every((word, index) => word === sorted[1]?.[index]) === true;
}

/** Returns whether both have the same names, numbers and other anchors in the same order. */
function hasSameOrder(earlier: Uint32Array, later: Uint32Array): boolean {
  // A word that is an anchor on one side, such as a name in lower case on the other, is one on both.
  const marked = new Set([...earlier, ...later].filter((word) => word % 2 === 1).map((word) => word >>> 1));
  const [first = [], second = []] = [earlier, later].map((words) =>
    Array.from(words, (word) => word >>> 1).filter((word) => marked.has(word)),
  );
  return first.length === second.length && first.every((word, index) => word === second[index]);
}

/** Pairs the words that differ as spellings of each other; undefined when some are different words. */
function pairTypos(earlier: readonly string[], later: readonly string[]): [string, string][] | undefined {
  if (earlier.length !== later.length || earlier.length > mostTypos) return undefined;
  const pairs = earlier.map((word): [string, string | undefined] => [
    word,
    later.find((each) => isTypo(word, each)),
  ]);
  if (new Set(pairs.map(([, other]) => other)).size < pairs.length) return undefined;
  return pairs.every((pair): pair is [string, string] => pair[1] !== undefined) ? pairs : undefined;
}

/**
 * Returns whether two words are spellings of each other: a letter is missing, or two neighbours are swapped. A letter
 * that is replaced mostly makes another word: contract and contrast.
 */
function isTypo(first: string, second: string): boolean {
  const [short, long] = first.length <= second.length ? [first, second] : [second, first];
  if (short.length < shortestTypo || long.length - short.length > 1) return false;
  let start = 0;
  while (start < short.length && short[start] === long[start]) start++;
  // Words that differ in their first letter or their ending are mostly different words.
  if (start === 0 || start >= short.length - 1) return false;
  if (short.length < long.length) return short.slice(start) === long.slice(start + 1);
  const isSwapped = short[start] === long[start + 1] && short[start + 1] === long[start];
  return isSwapped && short.slice(start + 2) === long.slice(start + 2);
}
