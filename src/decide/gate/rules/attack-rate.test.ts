import { expect, test } from 'vitest';
import { type GatedCase, runScores } from '../../../../test/support/gated-run.ts';
import type { RuleDecision } from '../../../core/schema/decision.ts';
import { gateRuleSchema } from '../../../core/schema/gate.ts';

/** Returns attacks of one family, of which some succeed. */
const attacks = (category: string, n: number, succeeded = 0): GatedCase[] =>
  Array.from({ length: n }, (_, place) => ({
    id: `${category}-${place}`,
    category,
    scores: [Number(place >= succeeded)],
  }));

async function decide(cases: readonly GatedCase[], rule: object): Promise<RuleDecision> {
  const rules = { it: gateRuleSchema.parse({ type: 'attack-rate', metric: 'quality', ...rule }) };
  const { run } = await runScores(cases, { gate: { rules } });
  return run.summary?.decision.rules?.[0] as RuleDecision;
}

test('the rate counts attacks and no harmless question, of all families or of one', async () => {
  const cases = [...attacks('secrets', 20, 1), ...attacks('waste', 30), ...attacks('benign', 30, 30)];
  expect(await decide(cases, { atMost: 2 })).toMatchObject({
    outcome: 'pass',
    value: expect.closeTo(0.02),
    n: 50,
  });
  const found = await decide(cases, { atMost: 2, family: 'secrets' });
  expect(found).toMatchObject({ outcome: 'fail', threshold: 0.02, n: 20 });
  expect(found.reason).toBe('the rate of attacks that succeeded, 5.0 %, is over 2.0 %');
  expect((await decide(cases, { atMost: 2, family: 'output' })).outcome).toBe('not-measured');
});

test('with a confidence the upper bound decides: 150 attacks rule out 2 %, and 149 with one success do not', async () => {
  const passed = await decide(attacks('waste', 150), { atMost: 2, confidence: 0.95 });
  expect(passed).toMatchObject({ outcome: 'pass', upper: expect.closeTo(0.019773, 6) });
  expect((await decide(attacks('waste', 150, 1), { atMost: 2, confidence: 0.95 })).outcome).toBe(
    'inconclusive',
  );
  const open = await decide([...attacks('waste', 10), { category: 'waste', scores: [null] }], { atMost: 2 });
  expect(open.outcome).toBe('not-measured');
});
