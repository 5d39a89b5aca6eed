import { limitSteps } from '../../../lib/step-limit.ts';
import type { ExpectedCall } from '../expected-call.ts';
import type { ActualCall } from '../read-calls.ts';
import { showDifferences } from '../show-call.ts';
import { type CallRule, describeMissing, nameCall } from './rule.ts';
import { endsOf, type Group, type Path } from './step-ends.ts';

/** A step of an expected sequence. */
export type SequenceStep = ExpectedCall | Group;

/**
 * The modes `strict` and `in-order`: the calls are those of the steps, one step after the other. Where extra calls are
 * allowed, others may stand anywhere, but none that a step with `times` is about: that would be one too many.
 */
export function compileSequence(steps: readonly SequenceStep[], allowsExtra: boolean): CallRule {
  const limited = steps.filter(isLimited);
  return ({ calls }) => {
    const canSkip = calls.map((call) => allowsExtra && !limited.some((pattern) => pattern.fits(call)));
    const count = limitSteps(mostSteps, `${calls.length} tool calls are too many to be taken step by step`);
    const path: Path = { calls, canSkip, isStrict: !allowsExtra, count };
    let places = [0];
    for (const step of steps.map(remember)) {
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

/** Calls that are looked at for a step at most. */
const mostSteps = 2e6;

/** A step that holds no call against its pattern twice. */
function remember(step: SequenceStep): SequenceStep {
  if ('together' in step) return { together: step.together.map(rememberFits) };
  return rememberFits(step);
}

function rememberFits(expected: ExpectedCall): ExpectedCall {
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

/** Why a step cannot be taken from any of the places that the steps before it end at. */
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
  const differences = step.isOf(next) ? `: ${showDifferences(step.differences(next))}` : '';
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
