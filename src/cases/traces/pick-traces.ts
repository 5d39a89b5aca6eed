import { hashText } from '../../core/lib/content-hash.ts';
import { type Feedback, opinionOf } from '../../core/schema/feedback/feedback.ts';
import type { PickReason } from '../../core/schema/proposal/pick-reason.ts';
import type { Pick } from '../../core/schema/proposal/proposal.ts';
import type { FindNearest } from './nearest-cases.ts';
import type { TraceFacts } from './trace-facts.ts';

/** The rules by which traces are picked. */
export interface PickRules {
  /** The seed of the random share. */
  readonly seed: number;
  /** The share of all traces that is picked at random, from 0 to 1. */
  readonly share: number;
  /** The least distance in words to the nearest case from which a trace is unlike the golden set, from 0 to 1. */
  readonly distance: number;
  /** The reasons that count; all by default. */
  readonly reasons?: readonly PickReason[];
}

/** A trace with the feedback about it. */
export interface RatedTrace {
  readonly facts: TraceFacts;
  /** In the order in which it was given. */
  readonly feedback: readonly Feedback[];
}

/** The share of traces that are expensive, and how often the median they cost at least. */
const expensiveShare = 0.05;
const expensiveTimes = 2;

/** The fewest traces with a known price from which some can be called expensive. */
const fewestPriced = 20;

/** The order in which reasons count when there are more traces than wanted. */
const order: readonly PickReason[] = [
  'escalated',
  'negative-feedback',
  'judge-failed',
  'error',
  'unlike',
  'expensive',
  'random',
];

/** A picked trace with all reasons for it, the most important first. */
export interface PickedTrace extends RatedTrace {
  readonly picked: readonly [Pick, ...Pick[]];
}

/**
 * Picks traces that are worth a case. The random share depends on the seed and the id of each trace alone, so that the same
 * seed picks the same traces however many others there are.
 */
export function pickTraces(
  traces: readonly RatedTrace[],
  rules: PickRules,
  findNearest: FindNearest,
): PickedTrace[] {
  const price = createPriceCheck(traces.map(({ facts }) => facts));
  const picked = traces.flatMap((trace): PickedTrace[] => {
    const found = [
      ...findObjections(trace),
      ...unlikeness(trace.facts, rules, findNearest),
      ...price(trace.facts),
      ...chance(trace.facts, rules),
    ].filter(({ reason }) => rules.reasons?.includes(reason) !== false);
    const [first, ...others] = found.sort((a, b) => rank(a) - rank(b));
    return first === undefined ? [] : [{ ...trace, picked: [first, ...others] }];
  });
  return picked.sort((a, b) => rank(a.picked[0]) - rank(b.picked[0]));
}

/** Finds what speaks against the answer of a trace: users, judges, or an error. */
export function findObjections({ facts, feedback }: RatedTrace): Pick[] {
  return [
    ...picksOfUsers(feedback),
    ...picksOfJudges(facts),
    ...(facts.error === undefined ? [] : [pick('error', `it failed: ${facts.error}`)]),
  ];
}

function rank({ reason }: Pick): number {
  return order.indexOf(reason);
}

const longestWhy = 300;

function pick(reason: PickReason, why: string): Pick {
  const line = why.replaceAll(/\s+/g, ' ').trim();
  return { reason, why: line.length > longestWhy ? `${line.slice(0, longestWhy)}…` : line };
}

function picksOfUsers(feedback: readonly Feedback[]): Pick[] {
  const escalation = feedback.find(({ signal }) => signal === 'escalated');
  const last = feedback.findLast((each) => opinionOf(each) !== null);
  const correction = feedback.findLast(({ signal }) => signal === 'edit');
  return [
    ...(escalation === undefined ? [] : [pick('escalated', 'the user asked for a person')]),
    ...(last !== undefined && opinionOf(last) === 'negative'
      ? [pick('negative-feedback', describeOpinion(last))]
      : []),
    ...(correction === undefined ? [] : [pick('negative-feedback', 'the user corrected the answer')]),
  ];
}

function describeOpinion({ signal, value, text }: Feedback): string {
  const given = signal === 'thumb' ? 'thumbs down' : `${String(value)} of 5 stars`;
  return text === undefined ? given : `${given}: ${text}`;
}

const failedLabels = /^(fail(ed)?|incorrect|wrong|no|false|bad|negative|poor|unhelpful|hallucinated|toxic)$/i;

/** Finds the evaluations in a trace that it did not pass: a score below one half, or a label that says so. */
function picksOfJudges({ evaluations }: TraceFacts): Pick[] {
  return Object.entries(evaluations).flatMap(([name, value]) => {
    const isFailed = typeof value === 'number' ? value < 0.5 : failedLabels.test(value.trim());
    return isFailed ? [pick('judge-failed', `${name}: ${String(value)}`)] : [];
  });
}

function unlikeness({ question, input }: TraceFacts, { distance }: PickRules, find: FindNearest): Pick[] {
  if (input === null) return [];
  const [nearest] = find(question, 1);
  const similarity = nearest?.similarity ?? 0;
  if (1 - similarity < distance) return [];
  const why =
    nearest === undefined
      ? 'it shares no word with any question'
      : `${Math.round(similarity * 100)} % of the words also occur in the nearest question, ${nearest.case.id}`;
  return [pick('unlike', why)];
}

/** Returns a function that finds expensive traces: by their cost, or by their tokens where costs are not known. */
function createPriceCheck(all: readonly TraceFacts[]): (facts: TraceFacts) => Pick[] {
  const costs = all.flatMap(({ cost }) => cost ?? []);
  const tokens = all.flatMap((each) => each.tokens ?? []);
  const isByCost = costs.length >= fewestPriced;
  const known = isByCost ? costs : tokens;
  if (known.length < fewestPriced) return () => [];
  const sorted = known.toSorted((one, other) => one - other);
  // The nearest rank: the least value that so many are not above.
  const rankOf = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] as number;
  const [median, high] = [rankOf(0.5), rankOf(1 - expensiveShare)];
  return ({ cost, tokens: own }) => {
    const price = isByCost ? cost : own;
    if (price === null || price <= high || price < expensiveTimes * median) return [];
    const amount = (value: number) => (isByCost ? `$${value.toPrecision(2)}` : `${Math.round(value)} tokens`);
    return [pick('expensive', `${amount(price)}; the median is ${amount(median)}`)];
  };
}

function chance({ traceId }: TraceFacts, { seed, share }: PickRules): Pick[] {
  const drawn = Number.parseInt(hashText(`pick ${seed} ${traceId}`).slice(0, 12), 16) / 2 ** 48;
  return drawn < share ? [pick('random', `drawn with ${share * 100} % (seed ${seed})`)] : [];
}
