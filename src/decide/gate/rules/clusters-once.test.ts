import { expect, test } from 'vitest';
import { type GatedCase, runScores } from '../../../../test/support/gated-run.ts';
import type { RuleDecision } from '../../../core/schema/decision.ts';
import { gateRuleSchema } from '../../../core/schema/gate.ts';
import { clusterPairs, evaluateDifference } from './evaluate-difference.ts';

/** Returns passes in clusters of some sizes. */
function documents(sizes: readonly number[], failed = -1): GatedCase[] {
  return sizes.flatMap((size, place) =>
    Array.from({ length: size }, () => ({ scores: [Number(place !== failed)], cluster: `d${place}` })),
  );
}

async function decide(cases: readonly GatedCase[], rule: object): Promise<RuleDecision> {
  const rules = { it: gateRuleSchema.parse({ type: 'pass-rate', atLeast: 95, confidence: 0.95, ...rule }) };
  const { run } = await runScores(cases, { gate: { rules } });
  return run.summary?.decision.rules?.[0] as RuleDecision;
}

const unequal = [30, ...Array.from({ length: 58 }, () => 2)];

test('59 documents of any size show 95 % when each counts once, and not when questions count', async () => {
  expect(await decide(documents(unequal), { mean: 'clusters' })).toMatchObject({ outcome: 'pass', n: 59 });
  expect((await decide(documents(unequal), {})).outcome).toBe('inconclusive');
});

test('the reason says how many documents it takes at least', async () => {
  const found = await decide(documents(unequal.slice(0, 12)), { mean: 'clusters' });
  expect(found.outcome).toBe('inconclusive');
  expect(found.reason).toContain('12 of 59 clusters that this rule needs at least');
});

test('without clusters there is nothing to count once', async () => {
  const alone = Array.from({ length: 60 }, (): GatedCase => ({ scores: [1] }));
  const found = await decide(alone, { mean: 'clusters' });
  expect(found).toMatchObject({ outcome: 'not-measured', reason: 'no question has a cluster' });
});

test('a loss is compared document by document', () => {
  const rule = {
    margin: 0.05,
    confidence: 0.95,
    subject: { measure: 'score' },
    unit: undefined,
    name: 'main',
  } as const;
  const of = (sizes: readonly number[]) => {
    const clusters = sizes.flatMap((size, place) => Array.from({ length: size }, () => `d${place}`));
    const same = clusters.map(() => 1);
    const pairs = clusterPairs({ now: same, before: same, clusters });
    return pairs === undefined ? undefined : evaluateDifference(pairs, rule);
  };
  expect(of(unequal)).toMatchObject({ outcome: 'pass', n: 59 });
  expect(of(unequal.slice(0, 12))?.reason).toContain('12 of 59 clusters that this rule needs at least');
  expect(of([1, 1])?.outcome).not.toBe('pass');
});
