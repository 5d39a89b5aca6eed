import { computeWithin, outOfTime, UnmeasurableError } from './compute-within.ts';

/** Steps that take less than a second. */
const fewSteps = 2e8;
const limitMs = 1000;
const longestShown = 80;

/**
 * Returns the result of `pattern.exec(text)` for a pattern written by a user. Throws `UnmeasurableError`
 * (`pattern-too-slow`) when the match takes more than a second of computing.
 */
export function execPattern(pattern: RegExp, text: string): RegExpExecArray | null {
  if (mostSteps(pattern, text.length) <= fewSteps) return pattern.exec(text);
  const match = computeWithin(limitMs, () => pattern.exec(text));
  if (match !== outOfTime) return match;
  const shown = String(pattern);
  const named = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  throw new UnmeasurableError(
    'pattern-too-slow',
    `looking for ${named} in ${text.length} characters takes more than ${limitMs / 1000} s: there are too many ways to match; write it with fewer repetitions, none inside another`,
  );
}

/** Returns whether `pattern` matches somewhere in `text`; throws as {@link execPattern} does. */
export function testPattern(pattern: RegExp, text: string): boolean {
  return execPattern(pattern, text) !== null;
}

const escapeOrClass = /\\(k<|[1-9])|\\[^]|\[(?:\\[^]|[^\]\\])*\]/g;

/**
 * Returns an upper bound of the steps that matching takes in a text of a length: from each place, each part of the
 * pattern is tried at most once for every combination of the choices before it. A repetition or back-reference has at
 * most length + 1 choices, an optional part or alternative two. `Infinity` when a group is repeated, and for the sets of
 * strings that the flag `v` allows.
 */
export function mostSteps({ source, unicodeSets }: RegExp, length: number): number {
  const signs = source.replace(escapeOrClass, (_, backReference) => (backReference ? 'x+' : 'x'));
  if (unicodeSets || /\)[*+{]/.test(signs)) return Infinity;
  const repetitions = signs.match(/[*+{]/g)?.length ?? 0;
  const pairs = signs.match(/(?<!\()\?|\|/g)?.length ?? 0;
  return source.length * (length + 1) ** (repetitions + 1) * 2 ** pairs;
}
