import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expectedCallsSchema } from '../../../core/schema/expected-calls.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { valueOf } from '../../../../test/support/score-answer.ts';
import { toolCalls } from './tool-calls.ts';
import { type LeaderboardQuestion, leaderboardCalls } from '../../../../test/support/bfcl-calls.ts';

/** Tool calls of real models with the verdicts of the leaderboard's checker; not part of the repository. */
const file = '../shared/data/toolcalls/bfcl_sample.jsonl';

interface Row extends LeaderboardQuestion {
  readonly id: string;
  readonly model_output: ToolCall[] | null;
  readonly verdict: boolean;
  /**
   * Python distinguishes 5 from 5.0, and its checker rejects the one in place of the other; in JSON they are the same
   * number.
   */
  readonly number_type_sensitive: boolean;
}

const isThere = existsSync(file);
const rows: Row[] = isThere
  ? readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
  : [];
const metric = toolCalls.definition.create({ ignoreTools: [] }, {});

function valueFor(row: LeaderboardQuestion, output: readonly ToolCall[] | null): number | string {
  const calls = expectedCallsSchema.parse(leaderboardCalls(row));
  const input = { case: buildCase({ expected: { calls } }), trial: buildTrial('x', { tools: output ?? [] }) };
  return valueOf(metric.score(input) as Verdict);
}

test.skipIf(!isThere)(
  'every answer of a model gets the verdict of the leaderboard (needs ../shared/data)',
  () => {
    const compared = rows.filter((row) => !row.number_type_sensitive);
    for (const row of compared) {
      expect.soft(valueFor(row, row.model_output), row.id).toBe(Number(row.verdict));
    }
    expect(compared.length).toBeGreaterThan(500);
  },
);

const weather: LeaderboardQuestion = {
  category: 'simple',
  functions: [
    {
      name: 'weather',
      parameters: {
        properties: {
          city: { type: 'string' },
          days: { type: 'integer' },
          units: { type: 'array', items: { type: 'string' } },
          place: { type: 'dict' },
          stops: { type: 'array', items: { type: 'dict' } },
          live: { type: 'boolean' },
          when: { type: 'string' },
        },
        required: ['city'],
      },
    },
  ],
  expected_calls: [
    {
      name: 'weather',
      args: {
        city: ['San Francisco, CA', ''],
        days: [3, ''],
        units: [['m/s'], ['Knots', 'C'], ''],
        place: [{ lat: [37.5], name: ['Bay', ''] }, ''],
        stops: [[{ id: [1] }, { id: [2, 3] }], ''],
        live: [true, ''],
        when: [2024, ''],
      },
    },
  ],
};

// Computed by hand from the rules of the checker.
test.each<[ToolCall['arguments'], number]>([
  [{ city: 'san francisco CA' }, 1],
  [{ city: 'San Francisco' }, 0],
  [{}, 0],
  [{ city: 'San Francisco, CA', days: 3, live: true }, 1],
  [{ city: 'San Francisco, CA', days: '3' }, 0],
  [{ city: 'San Francisco, CA', days: '' }, 0],
  [{ city: 'San Francisco, CA', units: ['MS'] }, 1],
  [{ city: 'San Francisco, CA', units: ['c', 'knots'] }, 0],
  [{ city: 'San Francisco, CA', units: [] }, 1],
  [{ city: 'San Francisco, CA', place: { lat: 37.5 } }, 1],
  [{ city: 'San Francisco, CA', place: { name: 'bay' } }, 0],
  [{ city: 'San Francisco, CA', place: { lat: 37.5, country: 'US' } }, 0],
  [{ city: 'San Francisco, CA', stops: [{ id: 1 }, { id: 3 }] }, 1],
  [{ city: 'San Francisco, CA', stops: [{ id: 2 }, { id: 1 }] }, 0],
  [{ city: 'San Francisco, CA', stops: [{ id: 1 }] }, 0],
  [{ city: 'San Francisco, CA', when: 2024 }, 1],
  [{ city: 'San Francisco, CA', when: '2024' }, 0],
  [{ city: 'San Francisco, CA', wind: 1 }, 0],
])('%j → %d', (given, value) => {
  expect(valueFor(weather, [{ name: 'weather', arguments: given }])).toBe(value);
});

test('another number of calls is wrong; without a matching function, each call is wrong', () => {
  const call = { name: 'weather', arguments: { city: 'San Francisco, CA' } };
  expect(valueFor(weather, [call, call])).toBe(0);
  expect(valueFor(weather, null)).toBe(0);
  for (const [category, ofNone, ofOne] of [
    ['live_irrelevance', 1, 0],
    ['live_relevance', 0, 1],
  ] as const) {
    expect(valueFor({ ...weather, category }, null)).toBe(ofNone);
    expect(valueFor({ ...weather, category }, [call])).toBe(ofOne);
  }
});
