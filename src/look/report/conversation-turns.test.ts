import { expect, test } from 'vitest';
import { sampleResult } from '../../../test/support/build-sample-run.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Verdict } from '../../core/schema/verdict.ts';
import { turnsOf } from './conversation-turns.ts';

const evidence = {
  turns: [{ turn: 2, checks: [{ metric: 'keywords', outcome: 'failed', note: 'missing: Monday' }] }],
};

function resultWith(verdicts: Readonly<Record<string, Verdict>>): Result {
  const result = sampleResult({}, 0);
  const transcript = ['Hi.', 'Hello.', 'When?', 'Soon.'].map((content, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    content,
  }));
  const conversation = {
    turns: [
      { from: 0, script: 0 },
      { from: 2, script: 1 },
    ],
    ended: 'script-over' as const,
  };
  return { ...result, trial: { ...result.trial, transcript, conversation }, verdicts };
}

test('a failed turn is known from a metric of turns, or from a part of another metric, and listed once', () => {
  const scored = { status: 'scored', value: 0 } as const;
  const inside = { parts: { turns: { ...scored, evidence } } };
  const found: Record<string, Verdict>[] = [
    { 'turn-checks': { ...scored, evidence } },
    { 'response-quality': { ...scored, evidence: inside } },
    { 'response-quality': { ...scored, evidence: inside }, 'turn-checks': { ...scored, evidence } },
  ];
  for (const verdicts of found) {
    const { turns } = turnsOf(resultWith(verdicts));
    expect(turns.map(({ from, checks }) => [from, checks])).toEqual([
      [0, []],
      [2, [{ metric: 'keywords', outcome: 'failed', note: 'missing: Monday' }]],
    ]);
  }
});
