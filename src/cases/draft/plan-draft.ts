import type { QuestionKind } from '../../core/schema/api/draft-report.ts';
import { questionKinds } from '../../core/schema/api/draft-report.ts';
import { createRandom, type Random } from '../../core/stats/random.ts';
import type { Passage, SourceDocument } from './documents/document.ts';
import { createPassageSearch, type PassageSearch } from './documents/search-passages.ts';
import { splitPassages } from './documents/split-passages.ts';

/** A request for questions of one kind about the same passages. */
export interface DraftTask {
  readonly kind: QuestionKind;
  readonly passages: readonly Passage[];
  /** The number of questions, each on other facts. */
  readonly questions: number;
}

/** The number, the mix and the seed of the questions to draft. */
export interface DraftOrder {
  readonly count: number;
  /** The weight of each kind; a kind without one is not drafted. */
  readonly mix: Readonly<Partial<Record<QuestionKind, number>>>;
  readonly seed: string | number;
}

/** The mix for what traces show. A trace does not show what the target could not answer. */
export const traceMix: DraftOrder['mix'] = { fact: 0.8, comparison: 0.2 };

/** The tasks of a draft, with sentences on what could not be planned. */
export interface DraftPlan {
  readonly tasks: readonly DraftTask[];
  readonly notices: readonly string[];
}

/** The mix when none is given: half of the questions ask for one fact. */
export const usualMix: Readonly<Record<QuestionKind, number>> = {
  fact: 0.5,
  comparison: 0.1,
  'multi-document': 0.2,
  unanswerable: 0.2,
};

/** The most questions of one kind about the same passages: more of them repeat each other. */
const mostPerTask = 3;

/** The fewest letters and digits of a passage that is worth a question; the results of tools have no idle words. */
const shortestPassage = { document: 80, trace: 20 };

/** Splits documents into passages of at most `passageLength` UTF-16 code units, and plans a draft of them. Asks nothing. */
export function planSources(
  documents: readonly SourceDocument[],
  { passageLength, ...order }: DraftOrder & { readonly passageLength: number },
): DraftPlan & { readonly passages: readonly Passage[] } {
  const passages = documents.flatMap((document) => splitPassages(document, passageLength));
  return { ...planDraft(passages, order), passages };
}

/**
 * Plans which questions are drafted from which passages. Documents take turns, so that each gets its share however long the
 * others are; the order of documents and of their passages is drawn from the seed. Two passages of a question are those
 * that share the most words.
 */
export function planDraft(passages: readonly Passage[], { count, mix, seed }: DraftOrder): DraftPlan {
  const notices: string[] = [];
  const usable = passages.filter(
    ({ text, trace }) =>
      (text.match(/[\p{L}\p{N}]/gu) ?? []).length >=
      shortestPassage[trace === undefined ? 'document' : 'trace'],
  );
  const short = passages.length - usable.length;
  if (short > 0) notices.push(`${short} of ${passages.length} passages are too short to ask about.`);
  const documents = new Set(usable.map(({ document }) => document)).size;
  const needs: Readonly<Record<QuestionKind, boolean>> = {
    fact: usable.length > 0,
    comparison: usable.length > 0,
    'multi-document': documents > 1,
    unanswerable: usable.length > 0,
  };
  if ((mix['multi-document'] ?? 0) > 0 && !needs['multi-document'])
    notices.push('Questions about several documents need two of them.');
  const possible = questionKinds.filter((kind) => needs[kind]);
  const counts = shareOut(count, new Map(possible.map((kind) => [kind, mix[kind] ?? 0])));
  const search = createPassageSearch(usable);
  const tasks = possible.flatMap((kind) => {
    const random = createRandom(seed).fork(kind);
    const most = counts.get(kind) ?? 0;
    const groups = groupPassages(kind, takeTurns(usable, random), search).take(most);
    return fill(kind, [...groups], most);
  });
  const planned = tasks.reduce((sum, { questions }) => sum + questions, 0);
  if (planned < count) notices.push(`The documents have room for ${planned} of ${count} questions.`);
  return { tasks, notices };
}

/** Divides a number in proportion to weights, by largest remainder; equal remainders in the order of the keys. */
export function shareOut<Key>(count: number, weights: ReadonlyMap<Key, number>): Map<Key, number> {
  const total = weights.values().reduce((sum, weight) => sum + weight, 0);
  if (total === 0) return new Map();
  const exact = Array.from(weights, ([key, weight]) => ({ key, share: (count * weight) / total }));
  const shares = new Map(exact.map(({ key, share }) => [key, Math.floor(share)]));
  const left = count - shares.values().reduce((sum, share) => sum + share, 0);
  const byRemainder = exact.toSorted((a, b) => (b.share % 1) - (a.share % 1));
  for (const { key } of byRemainder.slice(0, left)) shares.set(key, (shares.get(key) ?? 0) + 1);
  return shares;
}

/** Orders passages so that documents take turns: the first of each document, then the second of each, and so on. */
function takeTurns(passages: readonly Passage[], random: Random): Passage[] {
  const ofDocument = Map.groupBy(passages, ({ document }) => document);
  const names = shuffle([...ofDocument.keys()], random.fork('documents'));
  const queues = names.map((name) => shuffle(ofDocument.get(name) ?? [], random.fork(name)));
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, turn) =>
    queues.flatMap((queue) => queue.slice(turn, turn + 1)),
  ).flat();
}

/** Shuffles a list by the algorithm of Fisher and Yates. */
function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}

/** Yields the passages of the possible tasks of a kind, each group once. The partner of a passage is searched when needed. */
function* groupPassages(
  kind: QuestionKind,
  passages: readonly Passage[],
  search: PassageSearch,
): Generator<readonly Passage[]> {
  const isSingle = kind === 'fact' || kind === 'unanswerable';
  const groups = new Set<string>();
  for (const passage of passages) {
    if (isSingle) {
      yield [passage];
      continue;
    }
    const partner = findPartner(passage, search, kind === 'multi-document');
    const group = partner === undefined ? [passage] : [passage, partner];
    if (kind === 'multi-document' && partner === undefined) continue;
    const key = JSON.stringify(group.map(({ id }) => id).sort());
    if (!groups.has(key)) yield group;
    groups.add(key);
  }
}

/** Finds the nearest passage: of another document, or of any; of the same trace, so that no question is about two users. */
function findPartner(passage: Passage, search: PassageSearch, isOther: boolean): Passage | undefined {
  const fits = ({ id, document }: Passage) =>
    id !== passage.id &&
    !(isOther && document === passage.document) &&
    !(passage.trace !== undefined && document !== passage.document);
  return search.find(passage.text).find((hit) => fits(hit.item))?.item;
}

/** Spreads questions over groups of passages: one for each, then a second for each, up to the most. */
function fill(kind: QuestionKind, groups: readonly (readonly Passage[])[], count: number): DraftTask[] {
  return groups
    .map((passages, index) => {
      const turns = Math.ceil((count - index) / Math.max(1, groups.length));
      return { kind, passages, questions: Math.min(mostPerTask, Math.max(0, turns)) };
    })
    .filter(({ questions }) => questions > 0);
}
