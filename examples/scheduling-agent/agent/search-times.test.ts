import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCalendar, overlaps } from '../calendar/calendar.ts';
import { tools } from '../calendar/tools.ts';
import { otherTimes, type Search, suitableTimes, whyNone } from './search-times.ts';

const calendar = openCalendar();

function search(ids: string[], start: string, end: string, more: Partial<Search> = {}): Search {
  const horizon = { start: '2026-03-25T13:15Z', end: '2026-04-03T21:00Z' };
  const people = tools.free_busy(calendar, { people: ids, ...horizon });
  return { isExact: false, wanted: [{ start, end }], minutes: 30, horizon, people, ...more };
}

test('common times are those when all participants work and are free', () => {
  expect(suitableTimes(search(['ana', 'ben'], '2026-03-26T16:00Z', '2026-03-26T21:00Z'))).toEqual([
    '2026-03-26T16:00Z',
    '2026-03-26T16:30Z',
    '2026-03-26T17:00Z',
    '2026-03-26T17:30Z',
    '2026-03-26T19:30Z',
    '2026-03-26T20:00Z',
    '2026-03-26T20:30Z',
  ]);
});

test('New York and Tokyo have no time in common, London and Tokyo one hour after the change of the clocks', () => {
  const all = ['2026-03-25T13:15Z', '2026-04-03T21:00Z'] as const;
  expect(suitableTimes(search(['ana', 'kenji'], ...all))).toEqual([]);
  expect(suitableTimes(search(['chloe', 'kenji'], ...all)).slice(0, 3)).toEqual([
    '2026-03-30T08:00Z',
    '2026-03-30T08:30Z',
    '2026-03-31T08:00Z',
  ]);
});

test('other times are those nearest to what was wanted, the earlier of two first', () => {
  const wanted = search(['ana', 'ben'], '2026-03-26T18:00Z', '2026-03-26T19:00Z', {
    isExact: true,
    minutes: 60,
  });
  expect(suitableTimes(wanted)).toEqual([]);
  expect(otherTimes(wanted, 3)).toEqual(['2026-03-26T17:00Z', '2026-03-26T16:30Z', '2026-03-26T19:30Z']);
});

test.each([
  ['busy', ['ana', 'ben'], '2026-03-26T14:00Z', '2026-03-26T14:30Z', [['ben', 'busy']]],
  ['out of hours', ['ana', 'chloe'], '2026-03-26T19:00Z', '2026-03-26T19:30Z', [['chloe', 'out-of-hours']]],
  ['over', ['ana', 'ben'], '2026-03-25T12:00Z', '2026-03-25T12:30Z', [['ana', 'past']]],
])('what keeps people is named: %s', (_name, ids, start, end, conflicts) => {
  const found = whyNone(search(ids, start, end, { isExact: true }));
  expect(found.map(({ person, reason }) => [person, reason])).toEqual(conflicts);
});

test('the search reports that participants are free, but never together', () => {
  const monday = search(['ana', 'ben', 'chloe', 'joerg'], '2026-03-30T04:00Z', '2026-03-31T04:00Z');
  expect(whyNone(monday).map(({ reason }) => reason)).toEqual(Array(4).fill('no-common-time'));
});

test('every time found suits all participants, by the calendar itself', () => {
  const ids = calendar.people.map(({ id }) => id);
  const start = fc
    .integer({ min: 0, max: 200 })
    .map((hours) => Date.parse('2026-03-25T12:00Z') + hours * 3_600_000);
  fc.assert(
    fc.property(
      fc.subarray(ids, { minLength: 1 }),
      start,
      fc.constantFrom(30, 45, 60),
      (people, from, minutes) => {
        const [begin, end] = [from, from + 86_400_000].map((instant) => new Date(instant).toISOString());
        for (const time of suitableTimes(search(people, begin ?? '', end ?? '', { minutes }))) {
          const span = { start: time, end: new Date(Date.parse(time) + minutes * 60_000).toISOString() };
          const taken = calendar.events.filter((event) => overlaps(event, span));
          expect(
            taken.flatMap(({ participants }) => participants).filter((id) => people.includes(id)),
          ).toEqual([]);
        }
      },
    ),
    { numRuns: 50 },
  );
});
