import { limitSteps } from '../../../../core/lib/compute-within.ts';
import { assign } from '../../matching/assign.ts';
import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';
import { formatDifferences } from '../format-call.ts';
import { type CallRule, describeMissing, nameCall } from './rule.ts';

/** A step of an expected sequence. */
export type SequenceStep = ExpectedCall | Group;

/**
 * Compiles the modes `strict` and `in-order`: the calls have to match the steps, one step after the other. When extra
 * calls are allowed, others may be anywhere, except calls that match a step with `times`: one more of these is one too
 * many.
 */
export function compileSequence(steps: readonly SequenceStep[], allowsExtra: boolean): CallRule {
  const limited = steps.filter(isLimited);
  return ({ calls }) => {
    const canSkip = calls.map((call) => allowsExtra && !limited.some((pattern) => pattern.fits(call)));
    const count = limitSteps(
      mostSteps,
      `${calls.length} tool calls are too many to be compared step by step`,
    );
    const path: Path = { calls, canSkip, isStrict: !allowsExtra, count };
    let places = [0];
    for (const step of steps.map(cacheStep)) {
      const next = [...new Set(places.flatMap((place) => endsOf(step, place, path)))];
      if (next.length === 0) return [describeBreak(step, places, path)];
      places = next;
    }
    if (places.some((place) => canSkip.slice(place).every(Boolean))) return [];
    const last = latest(places);
    return calls
      .filter((_, index) => index >= last && canSkip[index] !== true)
      .map((call) => `${nameCall(call)}, comes after all that was expected`);
  };
}

/** The most calls that are examined. */
const mostSteps = 2e6;

/** Returns a step that compares each call with its pattern only once. */
function cacheStep(step: SequenceStep): SequenceStep {
  if ('together' in step) return { together: step.together.map(cacheFits) };
  return cacheFits(step);
}

function cacheFits(expected: ExpectedCall): ExpectedCall {
  const known = new Map<ActualCall, boolean>();
  const fits = (call: ActualCall) => {
    const fit = known.get(call) ?? expected.fits(call);
    known.set(call, fit);
    return fit;
  };
  return Object.create(expected, { fits: { value: fits } }) as ExpectedCall;
}

function isLimited(step: SequenceStep): step is ExpectedCall {
  return !('together' in step) && step.times !== undefined;
}

/** Describes why a step cannot begin at any of the positions where the steps before it end. */
function describeBreak(step: SequenceStep, places: readonly number[], { calls, isStrict }: Path): string {
  if ('together' in step) {
    const list = step.together.map(({ text }) => text).join(', ');
    return `${list} ${step.together.length === 1 ? 'was' : 'were'} not asked for in one message${after(earliest(places))}`;
  }
  const place = isStrict ? latest(places) : earliest(places);
  const next = calls[place];
  if (!isStrict || next === undefined) {
    return `${describeMissing(step, calls.slice(place))}${after(place)}`;
  }
  const differences = step.isOf(next) ? `: ${formatDifferences(step.differences(next))}` : '';
  return `${nameCall(next)}, came where ${step.text} was expected${differences}`;
}

function latest(places: readonly number[]): number {
  return places.reduce((last, place) => Math.max(last, place), 0);
}

function earliest(places: readonly number[]): number {
  return places.reduce((first, place) => Math.min(first, place), Number.POSITIVE_INFINITY);
}

function after(place: number): string {
  return place === 0 ? '' : `, after call ${place}`;
}

/** Calls that belong to one message, in any order. */
interface Group {
  readonly together: readonly ExpectedCall[];
}

/** The calls to match with steps, and which of them may be skipped. */
interface Path {
  readonly calls: readonly ActualCall[];
  readonly canSkip: readonly boolean[];
  /** True when a group must be all calls of its message. */
  readonly isStrict: boolean;
  /** Counts the calls that are examined; throws when they are too many. */
  readonly count: (calls: number) => void;
}

/**
 * Returns the possible positions after a step that begins at a position; an empty list when the step is not possible
 * there.
 */
function endsOf(step: ExpectedCall | Group, place: number, path: Path): number[] {
  return 'together' in step ? endsOfGroup(step, place, path) : endsOfCall(step, place, path);
}

function endsOfCall(
  step: ExpectedCall,
  place: number,
  { calls, canSkip, count: countSteps }: Path,
): number[] {
  const { least, most } = step.times ?? { least: 1, most: 1 };
  const ends = least === 0 ? [place] : [];
  let counts = new Set([0]);
  for (let index = place; index < calls.length; index++) {
    countSteps(1);
    const call = calls[index] as ActualCall;
    const next = new Set<number>();
    for (const count of counts) {
      if (count < most && step.fits(call)) next.add(count + 1);
      if (canSkip[index] === true) next.add(count);
    }
    counts = next;
    if (counts.size === 0) break;
    if ([...counts].some((count) => count >= least)) ends.push(index + 1);
  }
  return ends;
}

function endsOfGroup({ together }: Group, place: number, path: Path): number[] {
  const { calls, canSkip, isStrict, count } = path;
  const ends: number[] = [];
  for (let start = place; start < calls.length; start++) {
    for (let end = start + together.length; end <= calls.length; end++) {
      const isOneMessage = calls[start]?.message === calls[end - 1]?.message;
      if (!isOneMessage) break;
      count((end - start) * together.length);
      const isWhole = !isStrict || (isEdge(calls, start) && isEdge(calls, end));
      if (
        isWhole &&
        isGroup(together, { ...path, calls: calls.slice(start, end), canSkip: canSkip.slice(start, end) })
      ) {
        ends.push(end);
      }
    }
    if (canSkip[start] !== true) break;
  }
  return ends;
}

/** Returns whether the calls before and after a position belong to different messages. */
function isEdge(calls: readonly ActualCall[], place: number): boolean {
  return calls[place - 1]?.message !== calls[place]?.message;
}

/** Returns whether each call of a group is among some calls, and all others among them may be skipped. */
function isGroup(together: readonly ExpectedCall[], { calls, canSkip }: Path): boolean {
  // Calls that cannot be skipped have more weight, so that a pairing that covers them wins.
  const weights = together.map((pattern) =>
    calls.map((call, index) => (pattern.fits(call) ? 2 - Number(canSkip[index]) : 0)),
  );
  const paired = assign(weights);
  return (
    paired.every((index) => index !== null) &&
    canSkip.every((isSkippable, index) => isSkippable || paired.includes(index))
  );
}
