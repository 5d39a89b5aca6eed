import { UnmeasurableError } from './unmeasurable-error.ts';

/**
 * Makes a count of steps that throws `UnmeasurableError` (`too-long`) with a reason when there are more than `most`. Counting steps and
 * not time, it says the same on every machine.
 */
export function limitSteps(most: number, reason: string): (steps: number) => void {
  let taken = 0;
  return (steps) => {
    taken += steps;
    if (taken > most) throw new UnmeasurableError('too-long', reason);
  };
}
