import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../core/schema/json.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { byIdentity, listChanges, stateDiff } from './state-diff.ts';

const before = {
  meetings: [
    { id: 'm1', time: '10:00', people: ['Ann'], version: 1 },
    { id: 'm2', time: '11:00', people: ['Bob'], version: 1 },
  ],
  count: 2,
  notes: { m1: 'bring the lease' },
};

function score(expected: Json | undefined, after: Json | undefined, options: object = {}) {
  const { definition } = stateDiff;
  const metric = definition.create(definition.options.parse(options), {});
  return metric.score({
    case: buildCase({
      expected: expected === undefined ? {} : { state: expected },
      metadata: { state: before },
    }),
    trial: buildTrial('Done.', { state: after }),
  });
}

type State = typeof before & { [more: string]: Json };

function changed(change: (state: State) => void): Json {
  const after = structuredClone(before) as State;
  change(after);
  return after;
}

const identity = { identity: 'id' };
const moved = changed(({ meetings }) => void (meetings[0] = { ...meetings[0], time: '12:00' } as never));
const added = changed((state) => {
  state.meetings.push({ id: 'm3', time: '14:00', people: ['Cem'], version: 1 });
  state.count = 3;
});
const removed = changed((state) => void state.meetings.shift());

test.each<[string, Json, Json, object, boolean]>([
  ['what was expected', { meetings: [{ id: 'm1', time: '12:00' }] }, moved, identity, true],
  ['another value', { meetings: [{ id: 'm1', time: '13:00' }] }, moved, identity, false],
  ['nothing, as expected', {}, before, {}, true],
  ['something, where nothing was to', {}, moved, {}, false],
  ['nothing, where something was to', { meetings: [{ id: 'm1', time: '12:00' }] }, before, identity, false],
  ['a new item', { meetings: [{ id: 'm3', time: '14:00' }], count: 3 }, added, identity, true],
  ['a new item, and a count', { meetings: [{ id: 'm3', time: '14:00' }] }, added, identity, false],
  [
    'a new item with just these members',
    { meetings: { m3: { $exact: { id: 'm3', time: '14:00' } } }, count: 3 },
    added,
    identity,
    false,
  ],
  ['a whole list', { meetings: [{ time: '12:00' }, {}] }, moved, {}, true],
  ['an item that is gone', { meetings: { m1: { $absent: true } } }, removed, identity, true],
  [
    'an item that is gone, without its note',
    { meetings: { m1: { $absent: true } }, notes: { m1: { $absent: true } } },
    removed,
    identity,
    false,
  ],
  ['the order alone, by identity', {}, changed(({ meetings }) => void meetings.reverse()), identity, true],
  ['the order alone', {}, changed(({ meetings }) => void meetings.reverse()), {}, false],
  ['what may change', {}, changed((state) => void (state.count = 9)), { ignore: ['count'] }, true],
  [
    'what may change in every item',
    {},
    changed(({ meetings }) => meetings.forEach((each) => (each.version += 1))),
    { ignore: ['meetings[*].version'] },
    true,
  ],
  ['a number nearly', { count: 3 }, changed((state) => void (state.count = 3.05)), { tolerance: 0.1 }, true],
  ['something new at the top', { count: 2 }, changed((state) => void (state['log'] = [])), {}, false],
])('%s changed', (_name, expected, after, options, passed) => {
  expect(score(expected, after, options)).toMatchObject({ status: 'scored', value: passed ? 1 : 0, passed });
});

test('names missing and unexpected changes by their path', () => {
  const after = changed((state) => {
    state.count = 5;
    state.notes = {} as never;
    state['log'] = ['x'];
  });
  expect(score({ meetings: [{ id: 'm1', time: '12:00' }] }, after, identity)).toEqual({
    status: 'scored',
    value: 0,
    passed: false,
    explanation:
      'meetings.m1.time is "10:00", not "12:00"; count changed from 2 to 5, unexpectedly; notes.m1 was removed: "bring the lease", unexpectedly; and 1 more',
    evidence: {
      count: 3,
      changes: [
        'count changed from 2 to 5',
        'notes.m1 was removed: "bring the lease"',
        'log was added: ["x"]',
      ],
    },
  });
});

test('sees the first items of an empty list one by one', () => {
  const { definition } = stateDiff;
  const metric = definition.create(definition.options.parse({ identity: 'id' }), {});
  const scoreOf = (state: Json) =>
    metric.score({
      case: buildCase({ expected: { state: { list: [{ id: 1 }] } }, metadata: { state: { list: [] } } }),
      trial: buildTrial('x', { state }),
    });
  expect(scoreOf({ list: [{ id: 1, more: true }] })).toMatchObject({ value: 1 });
  expect(scoreOf({ list: [{ id: 1 }, { id: 2 }] })).toMatchObject({
    value: 0,
    explanation: 'list.2 was added: {"id":2}, unexpectedly',
  });
});

test('an expected list without items expects none, and matchers keep their meaning', () => {
  const meetings = (list: Json) => changed((state) => void (state.meetings = list as never));
  expect(score({ meetings: [] }, meetings([]), identity)).toMatchObject({ value: 1 });
  expect(score({ meetings: [] }, before, identity)).toMatchObject({ value: 0 });
  const matcher = { $unordered: [{ id: 1 }, { id: 2 }] };
  expect(byIdentity({ list: matcher }, 'id')).toEqual({ list: matcher });
});

test('is not applicable without a state before or expected changes; not measured without a final state', () => {
  expect(score(undefined, before)).toEqual({
    status: 'not-applicable',
    reason: 'the question has no expected.state',
  });
  expect(score({}, before, { before: 'metadata.world' })).toEqual({
    status: 'not-applicable',
    reason: 'the question has no metadata.world',
  });
  expect(score({}, undefined)).toMatchObject({ status: 'failed', code: 'state-missing' });
});

test('the changes between two random states turn one into the other, and equal states have none', () => {
  const json = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom<Json>(null, true, 0, 'a'),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c d', '0'), tie('value'), { noNullPrototype: true }),
    ),
  })).value;
  fc.assert(
    fc.property(json, json, (from, to) => {
      expect(listChanges(from, structuredClone(from))).toEqual([]);
      let state = structuredClone(from);
      for (const { steps, before: was, after } of listChanges(from, to)) {
        expect(was).not.toEqual(after);
        const last = steps.at(-1);
        if (last === undefined) state = structuredClone(after as Json);
        else {
          let holder = { state } as unknown as Record<string, never>;
          for (const step of ['state', ...steps.slice(0, -1)]) holder = holder[step] as never;
          if (Array.isArray(holder) && after !== undefined && !Number.isInteger(Number(last))) return;
          if (after === undefined) delete holder[last];
          else holder[last] = structuredClone(after) as never;
        }
      }
      if (!Array.isArray(from)) expect(JSON.stringify(sorted(state))).toBe(JSON.stringify(sorted(to)));
    }),
    { numRuns: 1000 },
  );
});

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, member]) => [key, sorted(member)]));
}
