import { computeWithin, outOfTime } from './compute-within.ts';
import { type PatternWork, patternWork, stepsFor } from './pattern-work.ts';
import { UnmeasurableError } from './unmeasurable-error.ts';

/** Steps that take less than a second. */
const fewSteps = 2e8;
const limitMs = 1000;
const longestShown = 80;

const works = new WeakMap<RegExp, PatternWork>();

/**
 * What `pattern.exec(text)` gives, for a pattern that somebody else wrote. Throws `UnmeasurableError` (`pattern-too-slow`) when it takes
 * more than a second of computing.
 */
export function execPattern(pattern: RegExp, text: string): RegExpExecArray | null {
  if (stepsFor(workOf(pattern), text.length) <= fewSteps) return pattern.exec(text);
  const match = computeWithin(limitMs, () => pattern.exec(text));
  if (match !== outOfTime) return match;
  const shown = String(pattern);
  const named = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  throw new UnmeasurableError(
    'pattern-too-slow',
    `looking for ${named} in ${text.length} characters takes more than ${limitMs / 1000} s: there are too many ways to match; write it with fewer repetitions, none inside another`,
  );
}

/** Whether `pattern` matches somewhere in `text`; see `execPattern`. */
export function testPattern(pattern: RegExp, text: string): boolean {
  return execPattern(pattern, text) !== null;
}

function workOf(pattern: RegExp): PatternWork {
  const known = works.get(pattern);
  if (known !== undefined) return known;
  const work = patternWork(pattern);
  works.set(pattern, work);
  return work;
}
