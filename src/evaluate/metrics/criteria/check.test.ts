import { expect, test } from 'vitest';
import { scoreAnswer } from '../../../../test/support/score-answer.ts';
import { loadEvaluation } from '../../../library/config/load-evaluation.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { testMetricContract } from '../../../library/testing/metric-contract.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { check } from './check.ts';

testMetricContract(
  'check',
  () => check.definition.create(check.definition.options.parse({ path: 'answer', longerThan: 3 }), {}),
  { test, expect },
);

const state = {
  stage: 'done',
  booking: { time: '10:00', people: ['Ann', 'Bob', 'Ann'], minutes: 30, note: 'Bring the Lease.', id: null },
  alternatives: [],
  constructor: 'own',
};
const transcript: Message[] = [
  { role: 'user', content: 'Book a meeting with Bob.' },
  {
    role: 'assistant',
    content: null,
    toolCalls: [
      { name: 'find_slot', arguments: { day: 'Monday' }, error: 'calendar locked' },
      { name: 'book', arguments: { time: '10:00', people: ['Ann', 'Bob'] }, result: { id: 7 } },
    ],
  },
  { role: 'assistant', content: 'Shall I book 10:00?' },
  { role: 'user', content: 'Yes.' },
  { role: 'assistant', content: 'Booked for 10:00.' },
];
const expected = {
  state: { time: '10:00', people: ['Bob', 'Ann'], length: { $near: 28, $tolerance: 2 }, none: null },
};

function score(condition: object, trial: object = {}): Verdict {
  const { definition } = check;
  const metric = definition.create(definition.options.parse(condition), {});
  return metric.score({
    case: buildCase({ expected, metadata: { limit: 30 } }),
    trial: buildTrial('Booked for 10:00.', { state, transcript, ...trial }),
  }) as Verdict;
}

const holds = (condition: object, trial?: object) => {
  const verdict = score(condition, trial);
  return verdict.status === 'scored' ? verdict.passed : verdict.status;
};

const inState = (path: string, comparison: object) => ({ path: `state.${path}`, ...comparison });

test.each<[object, boolean]>([
  [{ equals: '2025-03-01T10:00:00.000Z', as: 'instant' }, true],
  [{ equals: '2025-03-01T12:00:00+02:00', as: 'instant' }, true],
  [{ equals: { path: 'expected.answer' }, as: 'instant' }, true],
  [{ equals: { $instant: '2025-03-01 10:00Z' } }, true],
  [{ oneOf: ['soon', { $instant: '2025-03-01 10:00Z' }] }, true],
  [{ equals: '2025-03-01T12:00:00+02:00' }, false],
  [{ equals: '2025-03-01T10:00:01Z', as: 'instant' }, false],
  [{ equals: '2025-03-01T10:00:00', as: 'instant' }, false],
])('an answer of 2025-03-01T10:00:00Z: %j → %j', (condition, passed) => {
  const options = { path: 'answer', ...condition };
  const expected = { answer: '2025-03-01T11:00:00.0+01:00' };
  expect(scoreAnswer(check, '2025-03-01T10:00:00Z', { options, expected })).toMatchObject({ passed });
});

test.each<[object, boolean]>([
  [inState('booking.time', { equals: '10:00' }), true],
  [inState('booking.time', { equals: '11:00' }), false],
  [inState('booking.time', { equals: { path: 'expected.state.time' } }), true],
  [inState('booking.people', { equals: { path: 'expected.state.people' } }), false],
  [inState('booking.people', { equals: { path: 'expected.state.people' }, as: 'set' }), true],
  [inState('booking.people', { equals: ['Bob', 'Ann', 'Ann'], as: 'unordered' }), true],
  [inState('booking.people', { equals: ['Bob', 'Ann'], as: 'unordered' }), false],
  [inState('booking.minutes', { equals: { path: 'expected.state.length' } }), true],
  [inState('booking.minutes', { equals: 31, tolerance: 1 }), true],
  [inState('booking.minutes', { equals: { path: 'expected.state.minutes', default: 30 } }), true],
  [inState('booking.id', { equals: { path: 'expected.state.none', default: 1 } }), true],
  [inState('booking.note', { equals: 'bring the lease', as: 'text' }), true],
  [inState('booking', { matches: { time: '10:00' } }), true],
  [inState('booking', { equals: { time: '10:00' } }), false],
  [inState('booking.time', { oneOf: ['9:00', '10:00'] }), true],
  [inState('booking.time', { oneOf: ['9:00'] }), false],
  [inState('booking.time', { oneOf: { path: 'expected.state.people' } }), false],
  [inState('booking.note', { contains: 'Lease' }), true],
  [inState('booking.note', { contains: 'lease' }), false],
  [inState('booking.note', { contains: 'the, LEASE', as: 'text' }), true],
  [inState('booking.people', { contains: 'Bob' }), true],
  [inState('booking.people', { contains: 'bob', as: 'text' }), true],
  [inState('booking.people', { contains: 'Cem' }), false],
  [inState('booking.minutes', { contains: '3' }), false],
  [inState('booking.note', { regex: '^bring .*\\.$' }), true],
  [inState('booking.minutes', { regex: '30' }), false],
  [inState('booking.id', { exists: true }), false],
  [inState('booking.id', { exists: false }), true],
  [inState('booking.time', {}), true],
  [inState('booking.nothing', { equals: { $absent: true } }), true],
  [inState('alternatives', { truthy: false }), true],
  [inState('alternatives', { exists: true }), true],
  [inState('booking', { truthy: true }), true],
  [inState('booking.minutes', { atLeast: 30, atMost: { path: 'metadata.limit' } }), true],
  [inState('booking.minutes', { more: 30 }), false],
  [inState('booking.minutes', { less: 30 }), false],
  [inState('booking.minutes', { more: 29, less: 31 }), true],
  [inState('booking.time', { atLeast: 1 }), false],
  [inState('booking.people', { length: 3 }), true],
  [inState('booking.people', { longerThan: 3 }), false],
  [inState('booking', { length: 5 }), true],
  [inState('booking.id', { length: 0 }), true],
  [inState('booking.minutes', { longerThan: 0 }), false],
  [inState('constructor', { equals: 'own' }), true],
  [inState('toString', { exists: false }), true],
  [{ path: 'answer', regex: 'booked' }, true],
  [{ path: 'case.id', equals: 'address' }, true],
  [{ path: 'transcript[0].role', equals: 'user' }, true],
])('%j: %s', (condition, holding) => {
  expect(holds(condition)).toBe(holding);
});

test.each<[object, boolean]>([
  [{ messages: 'assistant', which: 'last', equals: 'Booked for 10:00.' }, true],
  [{ messages: 'assistant', which: 'first', contains: 'Shall' }, true],
  [{ messages: 'assistant', contains: 'Shall' }, true],
  [{ messages: 'assistant', which: 'every', contains: '10:00' }, true],
  [{ messages: 'any', which: 'every', contains: '10:00' }, false],
  [{ messages: 'user', which: 'count', equals: 2 }, true],
  [{ messages: 'system' }, false],
  [{ messages: 'system', exists: false }, true],
  [{ messages: 'system', which: 'every', equals: 'x' }, true],
  [{ calls: 'book' }, true],
  [{ calls: 'cancel' }, false],
  [{ calls: 'cancel', exists: false }, true],
  [{ calls: 'book', exists: false }, false],
  [{ calls: 'book', at: 'error', exists: false }, true],
  [{ calls: 'find_slot', at: 'error', exists: false }, false],
  [{ calls: 'cancel', at: 'error', exists: false }, false],
  [{ calls: 'cancel', which: 'last', at: 'error', exists: false }, false],
  [{ calls: '*', which: 'every', at: 'error', exists: false }, false],
  [{ calls: '*', which: 'count', atMost: 2 }, true],
  [
    {
      calls: 'book',
      which: 'last',
      at: 'arguments.people',
      equals: { path: 'expected.state.people' },
      as: 'set',
    },
    true,
  ],
  [{ calls: 'book', which: 'last', at: 'result.id', equals: 7 }, true],
  [{ calls: 'book', matches: { arguments: { time: '10:00' } } }, true],
])('in a conversation, %j: %s', (condition, holding) => {
  expect(holds(condition)).toBe(holding);
});

test('an answer that never came is an empty last message, whatever came before', () => {
  const silent: Message[] = [
    ...transcript.slice(0, -1),
    { role: 'assistant', content: null, toolCalls: [{ name: 'book' }] },
  ];
  expect(holds({ messages: 'assistant', which: 'last', longerThan: 0 }, { transcript: silent })).toBe(false);
  expect(holds({ messages: 'assistant', which: 'last', length: 0 }, { transcript: silent })).toBe(true);
  expect(holds({ messages: 'assistant', which: 'last', longerThan: 0 }, { transcript: [] })).toBe(false);
});

const yes = { path: 'answer' };
const no = { path: 'answer', equals: 'x' };
const unknown = { path: 'answer', equals: { path: 'expected.answer' } };
const unmeasured = { path: 'answer', equals: { path: 'state.answer' } };

test.each<[object, unknown]>([
  [{ all: [yes, yes] }, true],
  [{ all: [yes, no, unknown] }, false],
  [{ all: [yes, unknown] }, 'not-applicable'],
  [{ any: [no, yes, unknown] }, true],
  [{ any: [no, unknown] }, 'not-applicable'],
  [{ any: [unknown, unmeasured] }, 'failed'],
  [{ not: no }, true],
  [{ not: { all: [yes, yes] } }, false],
  [{ not: unknown }, 'not-applicable'],
  [{ when: yes, must: no }, false],
  [{ when: no, must: no }, true],
  [{ when: no, must: no, otherwise: yes }, true],
  [{ when: no, must: yes, otherwise: no }, false],
  [{ when: unknown, must: yes }, 'not-applicable'],
  [{ when: no, must: unknown, otherwise: yes }, true],
  [{ all: [{ any: [{ not: no }, no] }, { when: yes, must: { not: no } }] }, true],
])('%j is %s', (condition, finding) => {
  expect(holds(condition, { state: undefined })).toBe(finding);
});

test('without a reported state it is not measured; without an expectation it is not applicable', () => {
  const time = inState('booking.time', { equals: '10:00' });
  expect(score(time, { state: undefined })).toEqual({
    status: 'failed',
    code: 'state-missing',
    reason: 'the target reported no final state',
  });
  expect(score(inState('booking.time', { equals: { path: 'expected.state.day' } }))).toEqual({
    status: 'not-applicable',
    reason: 'there is no expected.state.day to compare with',
  });
  expect(holds(inState('booking.time', {}), { state: {} as Json })).toBe(false);
});

test.each<[object, string]>([
  [inState('booking.time', { equals: '11:00' }), 'state.booking.time is "10:00", not "11:00"'],
  [
    inState('booking', { matches: { time: '11:00', minutes: 45 } }),
    'state.booking.time is "10:00", not "11:00"; state.booking.minutes is 30, not 45',
  ],
  [inState('booking.people', { longerThan: 3 }), 'state.booking.people has a length of 3, not more than 3'],
  [{ calls: 'cancel' }, 'there is no call of cancel'],
  [{ calls: 'book', which: 'last', at: 'error' }, 'there is no error of the last call of book'],
  [{ messages: 'user', which: 'count', atLeast: 3 }, 'the number of user messages is 2, not at least 3'],
  [
    { any: [no, inState('booking.minutes', { more: 30 })] },
    'answer is "Booked for 10:00.", not "x"; state.booking.minutes is 30, not more than 30',
  ],
  [{ not: inState('booking.time', {}) }, 'state.booking.time is "10:00"'],
  [
    inState('booking.time', { oneOf: ['9:00', '8:00'] }),
    'state.booking.time is "10:00", not one of "9:00", "8:00"',
  ],
  [
    inState('booking.note', { regex: 'x' }),
    'state.booking.note is "Bring the Lease.", which does not match /x/iu',
  ],
])('%j explains why it is false', (condition, explanation) => {
  expect(score(condition)).toMatchObject({ value: 0, explanation });
});

test.each<[object, string]>([
  [{}, 'metrics[0]: needs something to look at: `path`, `messages` or `calls`'],
  [{ path: 'answer', calls: 'book' }, 'has both `path` and `calls`'],
  [{ path: 'sate.booking' }, 'metrics[0].path: a path begins with one of state, answer, transcript'],
  [{ path: 'sate.booking' }, 'Did you mean "state"?'],
  [{ path: 'answer', equals: { path: 'expcted.state' } }, 'metrics[0].equals.path: a path begins with'],
  [{ path: 'answer', equals: { $nea: 5 } }, 'equals: expected a matcher, and $nea is none'],
  [
    { path: 'answer', contains: [{ $near: 'x', $tolerance: 1 }] },
    'metrics[0].contains[0]: expected a matcher such as { "$near": 5, "$tolerance": 0.1 }',
  ],
  [{ path: 'answer', which: 'last' }, '`which` and `at` go with `messages` or `calls`'],
  [
    { all: [{ path: 'answer', longrThan: 3 }] },
    'metrics[0].all[0].longrThan: unknown setting. Did you mean "longerThan"?',
  ],
  [
    { all: [{ any: [{ path: 'answer', regex: '(' }] }] },
    'metrics[0].all[0].any[0].regex: Invalid regular expression',
  ],
  [{ all: [{ path: 'answer' }], equals: 5 }, '`equals` needs a `path`, `messages` or `calls` to look at'],
  [{ when: { path: 'answer' } }, '`when` and `must` go together'],
  [{ path: 'answer', otherwise: { path: 'answer' } }, '`otherwise` goes with `when` and `must`'],
  [{ path: 'answer', exists: true, as: 'set' }, '`as` and `tolerance` go with'],
  [
    { path: 'state.time', contains: '2025-03-01T10:00Z', as: 'instant' },
    '`as: instant` goes with `equals` or',
  ],
  [{ path: 'state.time', equals: 'tomorrow', as: 'instant' }, '2025-03-01T10:00:00Z", not "tomorrow"'],
  [
    { path: 'state.time', equals: { $instant: '2025-02-30T10:00Z' } },
    'expected a date and time of ISO 8601 as $instant',
  ],
  [{ path: 'answer', atLeast: 'x' }, 'metrics[0].atLeast: must be a number, or where to find one'],
])('rejects %j', async (condition, message) => {
  const config = {
    dataset: 'check.test.ts',
    targets: [{ use: 'module', function: () => '' }],
    scorecard: null,
    metrics: [{ use: 'check', ...condition }],
  };
  await expect(loadEvaluation(config, {}, import.meta.dirname)).rejects.toThrow(message);
});

test('an unusable matcher in a case leaves the trial unmeasured, never scored as 0', () => {
  const { definition } = check;
  const metric = definition.create(
    definition.options.parse({ path: 'answer', equals: { path: 'expected.state' } }),
    {},
  );
  const input = { case: buildCase({ expected: { state: { $nea: 5 } } }), trial: buildTrial('x') };
  expect(metric.score(input)).toMatchObject({
    status: 'failed',
    code: 'matcher-invalid',
    reason: expect.stringContaining('$nea'),
  });
});
