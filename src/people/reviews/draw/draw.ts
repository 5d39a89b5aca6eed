import type { Subject } from '../../../core/schema/review/label.ts';
import type { DrawRule, Stratum } from '../../../core/schema/review/review-task.ts';
import { createRandom, type Random } from '../../../core/stats/random.ts';
import { allocate } from './allocate.ts';
import { inclusionProbabilities, sampleByProbability } from './by-uncertainty.ts';

/** An answer that can be drawn. */
export interface FrameEntry {
  readonly subject: Subject;
  /** The verdict of the metric that the rubric is about, or the outcome of the scorecard; null when it has none. */
  readonly passed: boolean | null;
  /** The uncertainty of this verdict, from 0 to 1. */
  readonly uncertainty: number;
}

/** An answer that was drawn, by its index in the frame. */
export interface DrawnEntry {
  readonly index: number;
  readonly stratum: string;
  /** The probability with which the rule draws this answer; null when it was picked by hand. */
  readonly probability: number | null;
}

/** The answers that were drawn, in random order, so that their order says nothing of their strata. */
export interface Draw {
  readonly strata: readonly Stratum[];
  readonly drawn: readonly DrawnEntry[];
}

/** The settings of a draw. */
export interface DrawSettings {
  readonly rule: DrawRule;
  /** The number of answers; `every-nth` determines it itself. */
  readonly count: number;
  readonly seed: number;
  /** For `neyman`: the spread (standard deviation) of the labels of each stratum in the pilot. */
  readonly spreads?: ReadonlyMap<string, number>;
  /** For `by-hand`: the indexes of the answers. */
  readonly picked?: readonly number[];
  /** For `outcome` by cluster: the number of the cluster of each answer, from 0. */
  readonly clusters?: readonly number[];
}

/**
 * Draws answers from a frame, each with its probability. The same frame, settings and seed give the same draw on every
 * machine. With fewer answers than asked for, all are drawn.
 */
export function drawEntries(frame: readonly FrameEntry[], settings: DrawSettings): Draw {
  const random = createRandom(settings.seed);
  const draw = drawByRule(frame, settings, random);
  return { ...draw, drawn: shuffle(draw.drawn, random.fork('order')) };
}

function drawByRule(frame: readonly FrameEntry[], settings: DrawSettings, random: Random): Draw {
  const { rule, count, spreads, picked = [] } = settings;
  const partOf = partOfRule(settings);
  switch (rule.type) {
    case 'random':
      return drawStrata(new Map([['all', frame.map((_, index) => index)]]), [Math.min(count, frame.length)], {
        frame,
        random,
      });
    case 'stratified':
    case 'outcome': {
      const strata = stratify(frame, partOf);
      return drawStrata(strata, allocateHalves(frame, strata, count), { frame, random });
    }
    case 'neyman': {
      const strata = stratify(frame, partOf);
      const sizes = sizesOf(strata);
      const weights = [...strata.keys()].map(
        (name, index) => (sizes[index] ?? 0) * (spreads?.get(name) ?? 0.5),
      );
      const counts = allocate({ count, sizes, weights, least: leastInStratum });
      return drawStrata(strata, counts, { frame, random });
    }
    case 'uncertainty':
      return drawByUncertainty(frame, { floor: rule.floor, count }, random);
    case 'every-nth': {
      const start = random.integer(rule.n);
      const drawn = frame.flatMap((_, index) =>
        index % rule.n === start ? [{ index, stratum: 'all', probability: 1 / rule.n }] : [],
      );
      const targets = countTargets(frame);
      return { strata: [{ name: 'all', size: frame.length, drawn: drawn.length, targets }], drawn };
    }
    case 'by-hand': {
      const drawn = [...new Set(picked)].map((index) => ({ index, stratum: 'by hand', probability: null }));
      return { strata: [{ name: 'by hand', size: frame.length, drawn: drawn.length }], drawn };
    }
  }
}

/** The smallest number of labels of a stratum that has as many answers: with fewer, its variance is unknown. */
const leastInStratum = 2;

/** A function that names the part of its verdict that an entry belongs to. */
type PartOf = (entry: FrameEntry, index: number) => string;

/** Returns how a rule divides each verdict into parts; undefined when it does not. */
function partOfRule({ rule, clusters }: DrawSettings): PartOf | undefined {
  const isByCategory =
    (rule.type === 'stratified' && rule.byCategory) || (rule.type === 'outcome' && rule.by === 'category');
  if (isByCategory) return ({ subject }) => subject.category ?? 'uncategorized';
  if (rule.type === 'outcome' && rule.by === 'cluster')
    return (_, index) => `cluster ${(clusters?.[index] ?? 0) + 1}`;
  return undefined;
}

/** Returns the indexes of the entries of each stratum: by verdict, or by verdict and a part of it. */
function stratify(frame: readonly FrameEntry[], partOf: PartOf | undefined): Map<string, number[]> {
  const strata = new Map<string, number[]>(
    partOf === undefined
      ? [
          ['passed', []],
          ['failed', []],
        ]
      : [],
  );
  for (const [index, entry] of frame.entries()) {
    const verdict = verdictOf(entry);
    const name = partOf === undefined ? verdict : `${verdict} · ${partOf(entry, index)}`;
    const own = strata.get(name);
    if (own === undefined) strata.set(name, [index]);
    else own.push(index);
  }
  return new Map([...strata].filter(([, indexes]) => indexes.length > 0));
}

function verdictOf({ passed }: FrameEntry): string {
  if (passed === null) return 'not measured';
  return passed ? 'passed' : 'failed';
}

/** Divides the labels in halves between the verdicts, and within a verdict in proportion to the strata. */
function allocateHalves(
  frame: readonly FrameEntry[],
  strata: ReadonlyMap<string, readonly number[]>,
  count: number,
): number[] {
  const sizes = sizesOf(strata);
  const verdicts = [...strata.values()].map(([first = 0]) => verdictOf(frame[first] as FrameEntry));
  const groups = [...Map.groupBy(verdicts.keys(), (index) => verdicts[index])].map(([, indexes]) => indexes);
  const groupSizes = groups.map((indexes) => indexes.reduce((sum, index) => sum + (sizes[index] ?? 0), 0));
  const halves = allocate({ count, sizes: groupSizes, weights: groups.map(() => 1), least: leastInStratum });
  const counts = sizes.map(() => 0);
  for (const [group, indexes] of groups.entries()) {
    const own = indexes.map((index) => sizes[index] ?? 0);
    const parts = allocate({ count: halves[group] ?? 0, sizes: own, weights: own, least: leastInStratum });
    for (const [place, index] of indexes.entries()) counts[index] = parts[place] ?? 0;
  }
  return counts;
}

function sizesOf(strata: ReadonlyMap<string, readonly number[]>): number[] {
  return Array.from(strata.values(), (indexes) => indexes.length);
}

/** Draws from each stratum the given number of entries, all equally likely. */
function drawStrata(
  strata: ReadonlyMap<string, readonly number[]>,
  counts: readonly number[],
  { frame, random }: { readonly frame: readonly FrameEntry[]; readonly random: Random },
): Draw {
  const parts = [...strata].map(([name, indexes], stratum) => {
    const drawn = shuffle(indexes, random.fork(`stratum ${name}`)).slice(0, counts[stratum]);
    const probability = drawn.length / indexes.length;
    const targets = countTargets(indexes.map((index) => frame[index] as FrameEntry));
    return {
      stratum: { name, size: indexes.length, drawn: drawn.length, targets },
      drawn: drawn.map((index) => ({ index, stratum: name, probability })),
    };
  });
  return { strata: parts.map(({ stratum }) => stratum), drawn: parts.flatMap(({ drawn }) => drawn) };
}

/** Counts the answers of each target. */
function countTargets(entries: readonly FrameEntry[]): Record<string, number> {
  const byTarget = Map.groupBy(entries, ({ subject }) => subject.target);
  return Object.fromEntries(Array.from(byTarget, ([target, own]) => [target, own.length]));
}

function drawByUncertainty(
  frame: readonly FrameEntry[],
  { floor, count }: { readonly floor: number; readonly count: number },
  random: Random,
): Draw {
  const uncertainties = frame.map(({ uncertainty }) => uncertainty);
  const probabilities = inclusionProbabilities({ uncertainties, count, floor });
  const drawn = sampleByProbability(probabilities, random.fork('probability')).map((index) => ({
    index,
    stratum: 'all',
    probability: probabilities[index] ?? null,
  }));
  return { strata: [{ name: 'all', size: frame.length, drawn: drawn.length }], drawn };
}

/** Returns items in random order (Fisher and Yates). */
export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const shuffled = [...items];
  for (let last = shuffled.length - 1; last > 0; last -= 1) {
    const other = random.integer(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Item, shuffled[last] as Item];
  }
  return shuffled;
}
