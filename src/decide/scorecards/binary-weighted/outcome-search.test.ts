import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { binaryWeighted } from '../binary-weighted.ts';

type State = 'true' | 'false' | 'unknown' | 'inapplicable';

interface Drawn {
  readonly share: number;
  readonly state: State;
  readonly negative: boolean;
  readonly required: boolean;
  readonly caps: string | undefined;
}

const outcomes = [
  { outcome: 'best', from: 0.75, when: '0' },
  { outcome: 'good', from: 0.5 },
  { outcome: 'some', above: 0.1, when: '1' },
  { outcome: 'none' },
];

const drawn: fc.Arbitrary<Drawn> = fc.record({
  share: fc.integer({ min: 0, max: 4 }),
  state: fc.constantFrom<State>('true', 'false', 'unknown', 'inapplicable'),
  negative: fc.boolean(),
  required: fc.constantFrom(true, false, false, false),
  caps: fc.constantFrom('good', 'some', undefined, undefined, undefined),
});

/** Classifies a trial by the rule of the source documents, for criteria that are all known. */
function classify(criteria: readonly (Drawn & { readonly weight: number })[]): {
  score: number;
  outcome: string;
} {
  const applicable = criteria.filter(({ state }) => state !== 'inapplicable');
  const missed = (each: Drawn | undefined) =>
    each !== undefined && each.state !== 'inapplicable' && (each.state === 'true') === each.negative;
  let all = 0;
  let gained = 0;
  let lost = 0;
  for (const { weight, state, negative } of applicable) {
    if (negative) lost += state === 'true' ? weight : 0;
    else {
      all += weight;
      gained += state === 'true' ? weight : 0;
    }
  }
  const score = Math.max(0, gained / all - lost);
  const atMost = Math.max(
    0,
    ...criteria
      .filter(missed)
      .map(({ required, caps }) => Math.max(required ? 2 : 0, ['', 'good', 'some'].indexOf(caps ?? ''))),
  );
  if (score > 0.75 - 1e-9 && !missed(criteria[0]) && atMost === 0) return { score, outcome: 'best' };
  if (score > 0.5 - 1e-9 && atMost <= 1) return { score, outcome: 'good' };
  return { score, outcome: score > 0.1 + 1e-9 && !missed(criteria[1]) ? 'some' : 'none' };
}

function* completions<Item extends Drawn>(criteria: readonly Item[]): Generator<Item[]> {
  const place = criteria.findIndex(({ state }) => state === 'unknown');
  if (place === -1) yield [...criteria];
  else {
    for (const state of ['true', 'false'] as const) {
      yield* completions(criteria.with(place, { ...(criteria[place] as Item), state }));
    }
  }
}

const verdictOf: Readonly<Record<State, Verdict>> = {
  true: { status: 'scored', value: 1 },
  false: { status: 'scored', value: 0, passed: false },
  unknown: { status: 'failed', code: 'judge-timeout', reason: 'no answer' },
  inapplicable: { status: 'not-applicable', reason: 'nothing to say' },
};

test('on random scorecards the outcome is the one that every completion has, and the bounds are the least and greatest scores', () => {
  fc.assert(
    fc.property(fc.array(drawn, { minLength: 2, maxLength: 7 }), (all) => {
      const sum = all.reduce((total, { share, negative }) => total + (negative ? 0 : share), 0);
      fc.pre(sum > 0);
      const criteria = all.map((each) => ({ ...each, weight: each.share / (each.negative ? 10 : sum) }));
      const { definition } = binaryWeighted;
      const scorecard = definition.create(
        definition.options.parse({
          criteria: criteria.map(({ weight, negative, required, caps }, index) => ({
            name: `${index}`,
            metric: 'check',
            weight,
            negative,
            required,
            caps,
          })),
          outcomes,
          passes: ['best', 'good'],
        }),
        {},
      );
      const result = scorecard.evaluate(
        new Map(criteria.map(({ state }, index) => [`${index}`, verdictOf[state]])),
      );
      fc.pre(
        criteria.some(({ negative, state, weight }) => !negative && state !== 'inapplicable' && weight > 0),
      );
      const possible = Array.from(completions(criteria), classify);
      const scores = possible.map(({ score }) => score);
      expect(result.lower).toBeCloseTo(Math.min(...scores), 9);
      expect(result.upper).toBeCloseTo(Math.max(...scores), 9);
      const isKnown = criteria.every(({ state, weight }) => state !== 'unknown' || weight === 0);
      expect(result.total).toEqual(isKnown ? expect.closeTo(scores[0] ?? -1, 9) : null);
      const names = new Set(possible.map(({ outcome }) => outcome));
      expect(result.outcome).toBe(names.size === 1 ? [...names][0] : null);
      const passed = new Set(possible.map(({ outcome }) => outcome === 'best' || outcome === 'good'));
      expect(result.passed).toBe(passed.size === 1 ? [...passed][0] : null);
      expect(result.explanation).toMatch(/^[A-Z\d].*\.$/);
    }),
    { numRuns: 4000 },
  );
});
