import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { evaluate } from '../../../library/api/runs/evaluate.ts';
import { scriptedJudge } from '../../judges/scripted.ts';
import type { ExpectedCheck } from '../../../core/schema/checks/expected-checks.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';

// Real results of promptfoo 0.123.1, which are not part of the repository.
const folder = new URL('../../../../../shared/data/interop/promptfoo/', import.meta.url);
const isMissing = !existsSync(folder);

interface Component {
  readonly pass: boolean;
  readonly score: number;
  readonly assertion?: { readonly type: string } | null;
}

interface PromptfooResult {
  readonly success: boolean;
  readonly score: number;
  readonly response: { readonly output: string };
  readonly testCase: { readonly description: string };
  readonly gradingResult: { readonly componentResults: readonly Component[] };
}

/** Returns the recorded results of the tests with a description. */
function read(set: string, description: string): PromptfooResult[] {
  const text = readFileSync(new URL(`${set}/results.json`, folder), 'utf8');
  const file = JSON.parse(text) as { results: { results: PromptfooResult[] } };
  const found = file.results.results.filter(({ testCase }) => testCase.description === description);
  expect(found.length).toBeGreaterThan(0);
  return found;
}

function component({ gradingResult }: PromptfooResult, type: string): Component {
  return gradingResult.componentResults.find(({ assertion }) => assertion?.type === type) as Component;
}

async function score(
  answer: string,
  checks: readonly ExpectedCheck[],
  { passMark, judged }: { readonly passMark?: number; readonly judged?: number | 'fault' } = {},
): Promise<Verdict> {
  const expected = { checks, ...(passMark !== undefined && { passMark }) };
  const rule =
    judged === 'fault' ? { fail: 'unreadable' } : { reply: { reason: 'As recorded.', score: judged } };
  const { verdicts } = await evaluate(
    answer,
    { question: 'As recorded?', expected },
    {
      scorecard: null,
      metrics: ['case-checks'],
      ...(judged !== undefined && { judge: scriptedJudge({ rules: [rule] }) }),
    },
  );
  return verdicts['case-checks'] as Verdict;
}

const contains = (value: string | string[], ignoreCase = false) => ({ use: 'contains', value, ignoreCase });
const tone: ExpectedCheck = { not: contains('as an ai language model', true), name: 'Tone' };

test.skipIf(isMissing)(
  'weights, a judge, a group with a threshold and the threshold of a test (needs ../shared/data)',
  async () => {
    const outcomes = new Set<boolean>();
    for (const result of read('shop', 'shipping, judged')) {
      const judged = component(result, 'llm-rubric').score;
      const checks = [
        tone,
        { use: 'rubric', text: 'Says how long it takes.', name: 'Helpful', threshold: 0.8, weight: 3 },
        { use: 'regex', pattern: '^.{11,}$', flags: 's', name: 'Length' },
        { all: [contains('Norway'), contains('Sweden')], threshold: 0.5, name: 'Either' },
      ];
      const verdict = await score(result.response.output, checks, { passMark: 0.6, judged });
      expect(verdict).toMatchObject({ value: expect.closeTo(result.score, 9), passed: result.success });
      outcomes.add(result.success);
    }
    expect(outcomes.size).toBeGreaterThan(0);
  },
);

test.skipIf(isMissing)(
  'six assertions with a weight, each by itself and together (needs ../shared/data)',
  async () => {
    const mapped: Readonly<Record<string, ExpectedCheck>> = {
      'not-icontains': tone,
      contains: contains('49'),
      'icontains-any': { ...contains(['DOLLARS', 'euro'], true), mode: 'any', weight: 2 },
      'contains-all': contains(['49', 'dollars']),
      regex: { use: 'regex', pattern: String.raw`\b\d+ dollars`, flags: '' },
      'starts-with': { use: 'regex', pattern: '^The desk', flags: '' },
    };
    for (const result of read('shop', 'price of the lamp')) {
      const recorded = Object.keys(mapped).map((type) => component(result, type));
      const weights = Object.values(mapped).map(({ weight = 1 }) => weight);
      for (const [index, check] of Object.values(mapped).entries()) {
        const one = recorded[index] as Component;
        expect(await score(result.response.output, [check])).toMatchObject({
          value: one.score,
          passed: one.pass,
        });
      }
      const sum = recorded.reduce((total, one, index) => total + one.score * (weights[index] ?? 1), 0);
      expect(await score(result.response.output, Object.values(mapped))).toMatchObject({
        value: expect.closeTo(sum / weights.reduce((total, weight) => total + weight, 0), 9),
        passed: recorded.every(({ pass }) => pass),
      });
    }
  },
);

test.skipIf(isMissing).each([
  [
    'wifi',
    [
      { use: 'json-schema', schema: { type: 'object', required: ['wifi'] } },
      { ...contains(['GUEST', 'visitor'], true), mode: 'any' },
    ],
  ],
  [
    'address (a bare text is equals)',
    [
      contains(['Hauptstraße', 'Nummer, 5']),
      { not: contains('Berlin') },
      { use: 'equals', value: 'In der Hauptstraße 5, "beim Markt".' },
    ],
  ],
  ['recorded', [{ use: 'equals', value: 'Yes.' }, contains('Y')]],
] as [string, ExpectedCheck[]][])(
  'the tests of a CSV file: %s (needs ../shared/data)',
  async (description, checks) => {
    for (const result of read('csv', description)) {
      const verdict = await score(result.response.output, checks);
      expect(verdict).toMatchObject({ value: expect.closeTo(result.score, 9), passed: result.success });
    }
  },
);

test.skipIf(isMissing)(
  'a judge that could not be read is 0 there and not measured here (needs ../shared/data)',
  async () => {
    for (const result of read('shop', 'the judge cannot be read')) {
      expect(component(result, 'llm-rubric')).toMatchObject({ pass: false, score: 0 });
      const checks = [
        tone,
        { use: 'rubric', text: 'unreadable' },
        { use: 'equals', value: 'You can return goods within 30 days.' },
      ];
      expect(await score(result.response.output, checks, { judged: 'fault' })).toMatchObject({
        status: 'failed',
      });
    }
  },
);
