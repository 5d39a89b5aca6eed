import { expect, test } from 'vitest';
import { createStrikes } from './strikes.ts';

const uses = ['search', 'query', 'search', 'search', 'query', 'list'];

function hits(seed: number, rate?: number): boolean[] {
  const strikes = createStrikes({ seed, kind: 'timeout', rate });
  return uses.map((tool) => strikes(tool) !== undefined);
}

test('without a rate, half of the conversations are hit at the first use of each tool, the others at every use', () => {
  const all = Array.from({ length: 200 }, (_, seed) => hits(seed));
  const lasting = all.filter((hit) => hit.every(Boolean));
  const passing = all.filter((hit) => !hit.every(Boolean));
  expect(lasting.length).toBeGreaterThan(75);
  expect(lasting.length).toBeLessThan(125);
  for (const hit of passing) expect(hit).toEqual([true, true, false, false, false, true]);
});

test('with a rate, that share of the uses is hit', () => {
  const all = Array.from({ length: 2000 }, (_, seed) => hits(seed, 0.3)).flat();
  expect(all.filter(Boolean).length / all.length).toBeCloseTo(0.3, 1);
  expect(hits(1, 1)).toEqual(uses.map(() => true));
});

test('the same seed hits the same uses, with the same random numbers', () => {
  const draw = () => {
    const strikes = createStrikes({ seed: 7, kind: 'error', rate: 0.7 });
    return uses.map((tool) => strikes(tool)?.next());
  };
  expect(draw()).toEqual(draw());
});

test('two kinds of faults hit different uses', () => {
  const of = (kind: string) =>
    Array.from({ length: 50 }, (_, seed) => createStrikes({ seed, kind, rate: 0.5 })('search') !== undefined);
  expect(of('timeout')).not.toEqual(of('empty'));
});
