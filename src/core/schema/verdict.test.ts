import { expect, expectTypeOf, test } from 'vitest';
import { type ScorecardResult, type Verdict, verdictSchema } from './verdict.ts';

test('reading the value of a verdict without asking for its status does not compile', () => {
  expectTypeOf<Verdict>().not.toHaveProperty('value');
  expectTypeOf<Extract<Verdict, { status: 'scored' }>>().toHaveProperty('value').toEqualTypeOf<number>();
});

test('a total that was not measured is null, never undefined or a number', () => {
  expectTypeOf<ScorecardResult['total']>().toEqualTypeOf<number | null>();
});

test.each([Number.NaN, Number.POSITIVE_INFINITY])('%d is refused as the value of a verdict', (value) => {
  expect(verdictSchema.safeParse({ status: 'scored', value }).success).toBe(false);
});
