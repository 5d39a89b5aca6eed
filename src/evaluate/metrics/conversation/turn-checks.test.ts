import { expect, test } from 'vitest';
import type { Case } from '../../../core/schema/case.ts';
import type { Turn } from '../../../core/schema/conversation.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import type { Metric } from '../metric.ts';
import { latency } from '../operations/latency.ts';
import { exactMatch } from '../text/exact-match.ts';
import { forbidden } from '../text/forbidden.ts';
import { keywords } from '../text/keywords.ts';
import { refusal } from '../text/refusal.ts';
import { toolUsage } from '../tools/tool-usage.ts';
import { turnChecks } from './turn-checks.ts';

const known = {
  'exact-match': exactMatch,
  keywords,
  forbidden,
  'tool-usage': toolUsage,
  refusal,
  latency,
} as const;

/** Creates metrics by name as a config does; a name unknown to this test gives a metric that is not applicable. */
function find(use: string | { use: string }, others: Readonly<Record<string, Metric>>): Metric {
  const name = typeof use === 'string' ? use : use.use;
  const { use: _use, ...options } = typeof use === 'string' ? { use } : use;
  const factory = (known as unknown as Record<string, typeof keywords | undefined>)[name];
  const none: Metric = { score: () => ({ status: 'not-applicable', reason: 'unknown here' }) };
  if (factory === undefined) return others[name] ?? none;
  return factory.definition.create(factory.definition.options.parse(options), {});
}

const create = (options: object = {}, others: Readonly<Record<string, Metric>> = {}) =>
  turnChecks.definition.create(turnChecks.definition.options.parse(options), {
    metric: (use) => find(use, others),
  });

type Said = NonNullable<NonNullable<Case['user']>['script']>[number] & {
  readonly answer: string;
  readonly tools?: readonly string[];
  readonly totalMs?: number;
};

/** Builds a conversation that went as its script says. */
function conversation(turns: readonly Said[], parts: Partial<Trial> = {}): { case: Case; trial: Trial } {
  const transcript: Message[] = [{ role: 'system', content: 'Be kind.' }];
  const places: Turn[] = [];
  for (const [script, { say, answer, tools = [], totalMs = 5 }] of turns.entries()) {
    places.push({ from: transcript.length, script, latency: { totalMs } });
    transcript.push({ role: 'user', content: say });
    if (tools.length > 0) {
      transcript.push({ role: 'assistant', content: null, toolCalls: tools.map((name) => ({ name })) });
    }
    transcript.push({ role: 'assistant', content: answer });
  }
  const script = turns.map(({ answer: _answer, tools: _tools, totalMs: _totalMs, ...turn }) => turn);
  return {
    case: buildCase({ input: turns[0]?.say ?? 'x', user: { script } }),
    trial: buildTrial(turns.at(-1)?.answer ?? null, {
      transcript,
      conversation: { turns: places, ended: 'script-over' },
      ...parts,
    }),
  };
}

const score = async (turns: readonly Said[], options: object = {}) =>
  await create(options).score(conversation(turns));

const booking: Said[] = [
  {
    say: 'A room for Tuesday.',
    answer: 'Room 4 is free.',
    tools: ['find_rooms'],
    expected: { tools: ['find_rooms'], keywords: ['room 4'] },
  },
  {
    say: 'Make it 3 pm.',
    answer: 'Noted: 2 pm.',
    expected: { keywords: ['3 pm', 'noted'], forbidden: ['error'] },
  },
  { say: 'Thanks.', answer: 'Welcome.' },
  {
    say: 'Whose room is it?',
    answer: 'I cannot tell you that.',
    expected: { refusal: true, tools: ['find_rooms'] },
  },
];

test('checks each turn by its own expectations and names the turns that failed', async () => {
  const verdict = await score(booking);
  expect(verdict).toMatchObject({
    status: 'scored',
    value: 1 / 3,
    passed: false,
    explanation:
      'turn 2 ("Make it 3 pm."): keywords: missing: 3 pm; turn 4 ("Whose room is it?"): tool-usage: not used: find_rooms',
  });
  expect(verdict).toMatchObject({
    evidence: {
      turns: [
        {
          turn: 1,
          checks: [
            { metric: 'keywords', outcome: 'passed' },
            { metric: 'tool-usage', outcome: 'passed' },
          ],
        },
        {
          turn: 2,
          said: 'Make it 3 pm.',
          checks: [{ outcome: 'failed' }, { metric: 'forbidden', outcome: 'passed' }],
        },
        {
          turn: 4,
          checks: [
            { metric: 'tool-usage', outcome: 'failed' },
            { metric: 'refusal', outcome: 'passed' },
          ],
        },
      ],
    },
  });
});

test('scores 1 when all turns are as expected', async () => {
  expect(await score(booking.slice(0, 1))).toMatchObject({ value: 1, passed: true });
});

test('a turn that was not reached does not count; without turns the metric is not applicable', async () => {
  const { case: testCase } = conversation(booking);
  const { trial } = conversation(booking.filter((_turn, place) => place !== 1));
  for (const turn of trial.conversation?.turns.slice(1) ?? []) turn.script = (turn.script ?? 0) + 1;
  expect(await create().score({ case: testCase, trial })).toMatchObject({ value: 0.5 });
  expect(await score(booking.slice(2, 3))).toEqual({
    status: 'not-applicable',
    reason: 'no turn that was reached has expectations',
  });
  expect(await create().score({ case: buildCase(), trial: buildTrial('x') })).toEqual({
    status: 'not-applicable',
    reason: 'the question has no script',
  });
});

test('an expectation without a metric to check it is not measured', async () => {
  const metric = turnChecks.definition.create(turnChecks.definition.options.parse({}), {});
  expect(await metric.score(conversation(booking))).toMatchObject({
    status: 'failed',
    code: 'metric-missing',
    reason: 'turn 1 ("A room for Tuesday."): keywords: there is no metric to check this expectation',
  });
});

test('a turn without an applicable check is not counted', async () => {
  const silent: Said = { say: 'x', answer: 'y', expected: { documents: ['lease.md'] } };
  expect(await score([silent])).toMatchObject({ status: 'not-applicable' });
  expect(await score([silent, ...booking.slice(1, 2)])).toMatchObject({ value: 0 });
  expect(await score([silent, ...booking.slice(0, 1)])).toMatchObject({ value: 1 });
});

test('another metric can check an expectation, and further metrics can check every turn', async () => {
  const turns: Said[] = [{ say: 'x', answer: 'Leasing.', totalMs: 90, expected: { keywords: ['lease'] } }];
  expect(await score(turns)).toMatchObject({ value: 1 });
  const word = { keywords: { use: 'keywords', match: 'word' } };
  expect(await score(turns, { metrics: word })).toMatchObject({ value: 0 });
  expect(await score(turns, { every: ['latency'] })).toMatchObject({
    status: 'failed',
    code: 'no-verdict',
    reason: 'turn 1 ("x"): latency gives 90 ms and neither passes nor fails; give it a limit',
  });
});

test('waits for a metric that returns a promise; one failed check leaves the whole unmeasured, with its code', async () => {
  const judge = { models: ['m'] } as unknown as NonNullable<Metric['judge']>;
  const slow = (verdict: Verdict): Metric => ({
    judge,
    concurrency: 4,
    score: async () => await Promise.resolve(verdict),
  });
  const turns = conversation([{ say: 'x', answer: 'y', expected: { answer: 'z' } }]);
  const options = { metrics: { answer: 'correctness' } };
  const good = create(options, {
    correctness: slow({ status: 'scored', value: 1, passed: true, judgements: ['j1'] }),
  });
  expect(good).toMatchObject({ judge, concurrency: 4 });
  expect(await good.score(turns)).toMatchObject({ value: 1, judgements: ['j1'] });
  const down = create(options, {
    correctness: slow({ status: 'failed', code: 'judge-timeout', reason: 'late' }),
  });
  expect(await down.score(turns)).toEqual({
    status: 'failed',
    code: 'judge-timeout',
    reason: 'turn 1 ("x"): correctness: late',
  });
});

test('a turn is scored with the whole conversation before it and its own answer, latency and state', async () => {
  const seen: unknown[] = [];
  const spy: Metric = {
    score: ({ case: testCase, trial }) => {
      seen.push([
        testCase.input,
        trial.transcript.length,
        trial.answer,
        trial.latency,
        trial.state,
        trial.documents,
      ]);
      return { status: 'scored', value: 1 };
    },
  };
  const input = conversation(booking.slice(0, 2), { documents: [{ id: 'a', text: 'A' }] });
  const [first, second] = input.trial.conversation?.turns ?? [];
  Object.assign(second as Turn, { state: { at: 2 }, documents: ['a', 'b'] });
  expect(first).toBeDefined();
  await create({ every: ['spy'] }, { spy }).score(input);
  expect(seen[1]).toEqual([
    input.trial.transcript.slice(0, 5),
    2,
    'Noted: 2 pm.',
    { totalMs: 5 },
    { at: 2 },
    [{ id: 'a', text: 'A' }, { id: 'b' }],
  ]);
});
