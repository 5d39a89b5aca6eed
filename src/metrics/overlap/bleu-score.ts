import { countItems, joinNeighbours } from '../../lib/multiset.ts';

/** How n-grams without a match are treated; see Chen and Cherry (2014). */
export interface BleuOptions {
  readonly maxOrder: number;
  readonly smoothing: 'exp' | 'floor' | 'add-k' | 'none';
  /** For `floor` and `add-k`; 0.1 and 1 when left out. */
  readonly smoothingValue?: number | undefined;
  /** Stops at the longest n-gram that the answer is long enough for. */
  readonly effectiveOrder: boolean;
}

/** A BLEU score in [0, 1] with what it is made of. */
export interface BleuScore {
  readonly score: number;
  /** One for each order, in [0, 1], after smoothing. */
  readonly precisions: number[];
  readonly brevityPenalty: number;
  readonly answerTokens: number;
  readonly referenceTokens: number;
}

/** BLEU (Papineni et al., 2002) of one answer against all its references together, as sacreBLEU computes it. */
export function scoreBleu(answer: string[], references: string[][], options: BleuOptions): BleuScore {
  const referenceTokens = closestLength(
    answer.length,
    references.map(({ length }) => length),
  );
  const brevityPenalty = penalizeBrevity(answer.length, referenceTokens);
  const lengths = { brevityPenalty, answerTokens: answer.length, referenceTokens };
  const orders = Array.from({ length: options.maxOrder }, (_, index) => index + 1);
  const matches = orders.map((order) => countMatches(answer, references, order));
  if (matches.every((count) => count === 0)) return { score: 0, precisions: orders.map(() => 0), ...lengths };
  const { precisions, order } = smooth(matches, answer.length, options);
  const logarithms = precisions.slice(0, order).map((precision) => floorLog(precision));
  const mean = logarithms.reduce((sum, value) => sum + value, 0) / order;
  return { score: Math.min(brevityPenalty * Math.exp(mean), 1), precisions, ...lengths };
}

function closestLength(length: number, references: number[]): number {
  return references.reduce((best, candidate) => {
    const difference = Math.abs(length - candidate) - Math.abs(length - best);
    return difference < 0 || (difference === 0 && candidate < best) ? candidate : best;
  });
}

function penalizeBrevity(answer: number, reference: number): number {
  if (answer >= reference) return 1;
  return answer > 0 ? Math.exp(1 - reference / answer) : 0;
}

function countMatches(answer: string[], references: string[][], order: number): number {
  const wanted = references.map((tokens) => countItems(joinNeighbours(tokens, order)));
  let matches = 0;
  for (const [run, count] of countItems(joinNeighbours(answer, order))) {
    matches += Math.min(count, Math.max(...wanted.map((counts) => counts.get(run) ?? 0)));
  }
  return matches;
}

function smooth(matches: number[], answerTokens: number, options: BleuOptions) {
  const { smoothing, smoothingValue = smoothing === 'floor' ? 0.1 : 1, effectiveOrder, maxOrder } = options;
  const precisions = matches.map(() => 0);
  let order = maxOrder;
  let halving = 1;
  for (const [index, found] of matches.entries()) {
    const added = smoothing === 'add-k' && index > 0 ? smoothingValue : 0;
    const total = Math.max(answerTokens - index, 0) + added;
    if (total === 0) break;
    if (effectiveOrder) order = index + 1;
    if (found + added > 0) precisions[index] = (found + added) / total;
    else if (smoothing === 'exp') precisions[index] = 1 / ((halving *= 2) * total);
    else if (smoothing === 'floor') precisions[index] = smoothingValue / total;
  }
  return { precisions, order };
}

function floorLog(value: number): number {
  return value === 0 ? Number.NEGATIVE_INFINITY : Math.log(value);
}
