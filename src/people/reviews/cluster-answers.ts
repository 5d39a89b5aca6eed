import { questionOf } from '../../core/schema/case.ts';
import type { Result } from '../../core/schema/result.ts';
import { createRandom, type Random } from '../../core/stats/random.ts';
import type { Store } from '../../stores/store.ts';
import { answerKey, type ReadFrame, subjectOf } from './frame.ts';

/** Maps texts to vectors such that texts of similar meaning are close together: an embedding model, ready to be asked. */
export interface TextVectors {
  /** A hash of everything that can change its vectors. */
  readonly fingerprint: string;
  /** Returns the vectors of texts, in order. Throws `TouchstoneError` when the model gives none. */
  embed(texts: readonly string[]): Promise<readonly (readonly number[])[]>;
}

/** The longest part of a conversation that is embedded, in UTF-16 code units: models refuse longer texts. */
const longestText = 6000;

/** The choice of clusters. */
interface ClusterChoice {
  readonly vectors: TextVectors;
  readonly count: number;
  readonly seed: number;
}

/** Returns the number of the cluster of each answer of a frame, by its question and its answer. */
export async function clusterAnswers(
  store: Store,
  { entries, frame }: ReadFrame,
  { vectors, count, seed }: ClusterChoice,
): Promise<number[]> {
  const texts = new Map<string, string>();
  const ordinals = entries.flatMap(({ subject: { ordinal } }) => (ordinal === undefined ? [] : [ordinal]));
  for await (const result of store.readResults(frame.run, ordinals))
    texts.set(answerKey(subjectOf(result, { id: frame.run })), textOf(result));
  const ofEntries = entries.map(({ subject }) => texts.get(answerKey(subject)) ?? '');
  const embedded = await vectors.embed(ofEntries);
  return clusterVectors({ vectors: embedded, count, random: createRandom(seed).fork('clusters') });
}

function textOf({ case: testCase, trial }: Result): string {
  return `${questionOf(testCase)}\n\n${trial.answer ?? ''}`.slice(0, longestText);
}

type Vector = readonly number[];

/** The clusters to find. */
interface ClusterSearch {
  /** All of the same length. */
  readonly vectors: readonly Vector[];
  /** The number of clusters; with fewer different vectors, there are as many as those. */
  readonly count: number;
  readonly random: Random;
}

/** The number of rounds after which the search ends in any case. */
const mostRounds = 50;

/**
 * Returns the number of the cluster of each vector, from 0 in the order of first appearance. Directions are compared, not
 * lengths, as is usual for the vectors of texts.
 *
 * Method: k-means (S. Lloyd, IEEE Transactions on Information Theory 28 (1982)) that begins with centres far from each other
 * (D. Arthur & S. Vassilvitskii, k-means++, SODA 2007).
 */
export function clusterVectors({ vectors, count, random }: ClusterSearch): number[] {
  const units = vectors.map(toUnit);
  let centres = chooseCentres(units, count, random);
  let nearest = units.map((unit) => nearestOf(unit, centres));
  for (let round = 0; round < mostRounds; round += 1) {
    centres = centres.map(
      (centre, index) => meanOf(units.filter((_, at) => nearest[at] === index)) ?? centre,
    );
    const next = units.map((unit) => nearestOf(unit, centres));
    const isSettled = next.every((each, at) => each === nearest[at]);
    nearest = next;
    if (isSettled) break;
  }
  const names = new Map([...new Set(nearest)].map((each, index) => [each, index]));
  return nearest.map((each) => names.get(each) ?? 0);
}

/** Draws centres among the vectors, each with a probability in proportion to its squared distance from those before. */
function chooseCentres(units: readonly Vector[], count: number, random: Random): Vector[] {
  const first = units[random.integer(Math.max(1, units.length))];
  const centres = first === undefined ? [] : [first];
  while (centres.length < count) {
    const distances = units.map((unit) => Math.min(...centres.map((centre) => distanceOf(unit, centre))));
    const all = distances.reduce((sum, distance) => sum + distance, 0);
    if (all < 1e-12) break;
    let left = random.next() * all;
    const at = distances.findIndex((distance) => (left -= distance) < 0);
    centres.push(units.at(at) as Vector);
  }
  return centres;
}

function nearestOf(unit: Vector, centres: readonly Vector[]): number {
  let [best, least] = [0, Number.POSITIVE_INFINITY];
  for (const [index, centre] of centres.entries()) {
    const distance = distanceOf(unit, centre);
    if (distance < least) [best, least] = [index, distance];
  }
  return best;
}

function meanOf(vectors: readonly Vector[]): Vector | undefined {
  const [first] = vectors;
  if (first === undefined) return undefined;
  return first.map(
    (_, place) => vectors.reduce((sum, vector) => sum + (vector[place] ?? 0), 0) / vectors.length,
  );
}

function distanceOf(one: Vector, other: Vector): number {
  let sum = 0;
  for (const [place, value] of one.entries()) sum += (value - (other[place] ?? 0)) ** 2;
  return sum;
}

/** Returns a vector of the same direction and of length 1. */
function toUnit(vector: Vector): number[] {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => (length === 0 ? 0 : value / length));
}
