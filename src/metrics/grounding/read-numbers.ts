import { findNumbers, type FoundNumber } from '../values/find-numbers.ts';
import type { NumberFact } from './fact.ts';

/**
 * Every number of a text, read by both decimal marks: `1,204` is 1204 or 1.204, `1204,50` is 1204.5 or two numbers. What
 * falls apart with `,` for the mark alone is one number: nobody lists numbers with full stops between them.
 */
export function readNumbers(text: string): NumberFact[] {
  const points = new Set(findNumbers(text, '.'));
  const commas = new Set(findNumbers(text, ','));
  return clusterNumbers([...points, ...commas]).map((cluster) => {
    const byPoint = cluster.filter((number) => points.has(number));
    const byComma = cluster.filter((number) => commas.has(number));
    const readings = byPoint.length === 1 && byComma.length > 1 ? [byPoint] : [byPoint, byComma];
    const longest = cluster.reduce((best, next) => (next.text.length > best.text.length ? next : best));
    const { text: written, index } = longest;
    return { kind: 'number', text: written, index, readings: readings.filter(({ length }) => length > 0) };
  });
}

/** Readings that share a digit are of one number. */
function clusterNumbers(numbers: readonly FoundNumber[]): FoundNumber[][] {
  const clusters: FoundNumber[][] = [];
  let end = -1;
  for (const number of numbers.toSorted((a, b) => a.index - b.index)) {
    if (number.index < end) clusters.at(-1)?.push(number);
    else clusters.push([number]);
    end = Math.max(end, endOf(number));
  }
  return clusters;
}

/** Where the digits of a number end: its text may begin before its index, with a sign or a currency. */
function endOf({ text, index }: FoundNumber): number {
  const [digits = ''] = /\d[\d.,'’_\u00a0\u202f\u2009 ]*\d|\d|\.\d+/u.exec(text) ?? [];
  return index + digits.length;
}
