import type { DifferenceList } from '../schema/api/comparison-view.ts';

type Step = DifferenceList['steps'][number];

/**
 * Thins sorted differences to steps that a chart can draw: equal differences are one step, and when these are too many,
 * neighbours of the same sign are averaged. The numbers of pairs below, at and above 0 stay exact.
 * @param most - The largest number of steps, but for one more of each sign.
 */
export function thinDifferences(sorted: readonly number[], most = 400): Step[] {
  const steps = joinWhile(
    sorted.map((difference) => ({ difference, pairs: 1 })),
    (last, next) => last.difference === next.difference,
  );
  if (steps.length <= most) return steps;
  const least = sorted.length / most;
  return joinWhile(
    steps,
    (last, next) => last.pairs < least && Math.sign(last.difference) === Math.sign(next.difference),
  );
}

/** Joins each step to the one before it as long as a test holds. */
function joinWhile(steps: readonly Step[], belongs: (last: Step, next: Step) => boolean): Step[] {
  const joined: Step[] = [];
  for (const step of steps) {
    const last = joined.at(-1);
    if (last !== undefined && belongs(last, step)) joined[joined.length - 1] = joinSteps(last, step);
    else joined.push(step);
  }
  return joined;
}

function joinSteps(one: Step, other: Step): Step {
  const pairs = one.pairs + other.pairs;
  if (one.difference === other.difference) return { difference: one.difference, pairs };
  return { difference: (one.difference * one.pairs + other.difference * other.pairs) / pairs, pairs };
}
