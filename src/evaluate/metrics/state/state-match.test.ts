import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { stateMatch } from './state-match.ts';

const state = {
  user: 'Ann',
  meetings: [
    { id: 1, time: '10:00', people: ['Ann', 'Bob'], minutes: 30 },
    { id: 2, time: '11:00', people: ['Cem'], minutes: 45.2 },
  ],
  settings: { zone: 'Europe/Berlin', updatedAt: 17 },
};

function score(expected: Json | undefined, options: object = {}, actual: Json | undefined = state) {
  const { definition } = stateMatch;
  const metric = definition.create(definition.options.parse(options), {});
  return metric.score({
    case: buildCase({ expected: expected === undefined ? {} : { state: expected } }),
    trial: buildTrial('Done.', { state: actual }),
  });
}

const [first = null, second = null]: Json[] = state.meetings;

test.each<[Json, object, boolean]>([
  [{ user: 'Ann' }, {}, true],
  [{ user: 'Ann' }, { mode: 'exact' }, false],
  [state, { mode: 'exact' }, true],
  [{ ...state, more: 1 }, { mode: 'subset' }, true],
  [{ ...state, more: 1 }, {}, false],
  [{ user: 'Bob' }, {}, false],
  [{ meetings: [first, second] }, {}, true],
  [{ meetings: [second, first] }, {}, false],
  [{ meetings: { $unordered: [second, first] } }, {}, true],
  [{ meetings: { $includes: [{ time: '11:00' }] } }, {}, true],
  [{ meetings: [{ people: ['Bob', 'Ann', 'Bob'] }, { people: ['Cem'] }] }, {}, false],
  [
    { meetings: [{ people: ['Bob', 'Ann', 'Bob'] }, { people: ['Cem'] }] },
    { sets: ['meetings[*].people'] },
    true,
  ],
  [{ meetings: [{ minutes: 30.4 }, { minutes: 45 }] }, {}, false],
  [{ meetings: [{ minutes: 30.4 }, { minutes: 45 }] }, { tolerance: 0.5 }, true],
  [{ settings: { zone: 'Europe/Berlin', updatedAt: 0 } }, { ignore: ['settings.updatedAt'] }, true],
  [{ time: '11:00' }, { at: 'meetings[1]' }, true],
  [{ time: '11:00' }, { at: 'meetings[2]' }, false],
  [{ $set: ['Bob', 'Ann'] }, { at: 'meetings[0].people' }, true],
  [{ 'meetings[0].time': '10:00', 'settings.zone': { $regex: '^Europe' } }, { keys: 'paths' }, true],
  [{ 'meetings[0].people': ['Bob', 'Ann'] }, { keys: 'paths', sets: ['meetings[0].people'] }, true],
  [{ 'meetings[1].time': '10:00' }, { keys: 'paths' }, false],
  [{ 'meetings[2]': { $absent: true } }, { keys: 'paths' }, true],
])('%j with %j: %s', (expected, options, passed) => {
  expect(score(expected, options)).toMatchObject({ status: 'scored', value: passed ? 1 : 0, passed });
});

test('names every difference with its path, the actual and the expected value', () => {
  const expected: Json = {
    user: 'Bob',
    meetings: [{ time: '9:00' }, { time: '11:00', room: 4 }],
    settings: { zone: 'UTC' },
  };
  expect(score(expected)).toEqual({
    status: 'scored',
    value: 0,
    passed: false,
    explanation:
      'user is "Ann", not "Bob"; meetings[0].time is "10:00", not "9:00"; meetings[1].room is nothing, not 4; and 1 more',
    evidence: {
      count: 4,
      differences: [
        { path: 'user', expected: '"Bob"', actual: '"Ann"' },
        { path: 'meetings[0].time', expected: '"9:00"', actual: '"10:00"' },
        { path: 'meetings[1].room', expected: '4', actual: 'nothing' },
        { path: 'settings.zone', expected: '"UTC"', actual: '"Europe/Berlin"' },
      ],
    },
  });
  expect(score({ 'meetings[0]': { people: ['Cem'] } }, { keys: 'paths' })).toMatchObject({
    explanation: expect.stringMatching(/^meetings\[0\]\.people/),
  });
  expect(score({}, { mode: 'exact' }, 'closed')).toMatchObject({
    explanation: 'the state is "closed", not {}',
  });
});

test('is not applicable without an expected state; not measured without a reported one', () => {
  expect(score(undefined)).toEqual({
    status: 'not-applicable',
    reason: 'the question has no expected.state',
  });
  const { definition } = stateMatch;
  const metric = definition.create(definition.options.parse({ expected: { user: 'Ann' } }), {});
  expect(metric.score({ case: buildCase(), trial: buildTrial('x', { state }) })).toMatchObject({ value: 1 });
  expect(metric.score({ case: buildCase(), trial: buildTrial('x') })).toMatchObject({
    status: 'failed',
    code: 'state-missing',
  });
});

test('an unusable matcher is rejected in the config and leaves a trial unmeasured in a case', () => {
  expect(stateMatch.definition.options.safeParse({ expected: { a: { $nea: 5 } } }).success).toBe(false);
  expect(stateMatch.definition.options.safeParse({ from: 'expcted.state' }).success).toBe(false);
  expect(score({ user: { $nea: 5 } })).toMatchObject({ status: 'failed', code: 'matcher-invalid' });
});

test('any state matches itself and contains each of its parts', () => {
  const key = fc.string({ minLength: 1, maxLength: 4 }).filter((name) => !name.startsWith('$'));
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 0, 1.5, 'a', ''),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(key, json, { maxKeys: 4, noNullPrototype: true }), fc.nat(), (whole, drop) => {
      const names = Object.keys(whole);
      const part = Object.fromEntries(
        Object.entries(whole).filter((_, index) => index !== drop % (names.length + 1)),
      );
      expect(score(whole, { mode: 'exact' }, structuredClone(whole))).toMatchObject({ value: 1 });
      expect(score(part, {}, whole)).toMatchObject({ value: 1 });
      expect(score(whole, { mode: 'subset' }, part)).toMatchObject({ value: 1 });
      const isWhole = Object.keys(part).length === names.length;
      expect(score(part, { mode: 'exact' }, whole)).toMatchObject({ value: isWhole ? 1 : 0 });
    }),
    { numRuns: 500 },
  );
});
