import type { SequentialDecision } from '../../schema/decision.ts';
import { sayMoney, sayPlural } from '../rules/say-number.ts';

/** How much was asked and what that saved, in sentences, the most important first. */
export function tellSequence(
  { error, seed, asked, planned, saved }: SequentialDecision,
  outcome: 'pass' | 'fail',
): string[] {
  const { calls = 0, cost = null, answeringMs = null } = saved ?? {};
  const share = planned === 0 ? 0 : Math.round((100 * calls) / planned);
  const parts = [
    `${sayPlural(calls, 'call')} (${share} %)`,
    ...(cost === null || cost === 0 ? [] : [`about ${sayMoney(cost)}`]),
    ...(answeringMs === null || answeringMs === 0 ? [] : [`about ${saySpan(answeringMs)} of answering`]),
  ];
  const other = outcome === 'pass' ? 'breaks a rule would pass' : 'keeps every rule would fail';
  const wrong = `a target that ${other} like this in at most ${Number((error * 100).toPrecision(3))} % of runs`;
  return [
    `decided after ${asked} of ${sayPlural(planned, 'trial')}: ${outcome}; ${wrong}; saved ${parts.join(', ')}`,
    ...(calls === 0
      ? []
      : [
          `only the intervals of the rules hold wherever a run ends: all others are those of runs of a fixed size (random order, seed ${seed})`,
        ]),
  ];
}

/** A time in its largest unit: `12 min`. */
function saySpan(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  if (seconds < 90) return `${Number(seconds.toPrecision(2))} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${Number((seconds / 3600).toPrecision(2))} h`;
}
