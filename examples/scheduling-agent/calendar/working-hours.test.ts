import { expect, test } from 'vitest';
import { findPerson, openCalendar } from './calendar.ts';
import { workingHours } from './working-hours.ts';

const calendar = openCalendar();

function hoursOf(id: string, start: string, end: string): string[] {
  return workingHours(findPerson(calendar, id), { start, end }).map((span) => `${span.start} ${span.end}`);
}

test('working hours move in UTC when the clocks of the place change', () => {
  expect(hoursOf('chloe', '2026-03-27T00:00Z', '2026-03-31T00:00Z')).toEqual([
    '2026-03-27T09:00Z 2026-03-27T17:30Z',
    '2026-03-30T08:00Z 2026-03-30T16:30Z',
  ]);
  expect(hoursOf('ana', '2026-03-06T00:00Z', '2026-03-10T00:00Z')).toEqual([
    '2026-03-06T14:00Z 2026-03-06T22:00Z',
    '2026-03-09T13:00Z 2026-03-09T21:00Z',
  ]);
});

test('a place without summer time keeps its hours in UTC', () => {
  expect(hoursOf('priya', '2026-03-27T00:00Z', '2026-03-30T23:00Z')).toEqual([
    '2026-03-27T05:30Z 2026-03-27T14:30Z',
    '2026-03-30T05:30Z 2026-03-30T14:30Z',
  ]);
});

test('a day of work may lie on two days in UTC', () => {
  expect(hoursOf('maria', '2026-03-26T00:00Z', '2026-03-27T00:00Z')).toEqual([
    '2026-03-26T16:00Z 2026-03-27T00:00Z',
  ]);
  expect(hoursOf('kenji', '2026-03-25T13:00Z', '2026-03-26T12:00Z')).toEqual([
    '2026-03-26T00:00Z 2026-03-26T09:00Z',
  ]);
});

test('there are no hours on days off, and those that the span cuts are cut', () => {
  expect(hoursOf('joerg', '2026-03-27T00:00Z', '2026-03-29T23:00Z')).toEqual([]);
  expect(hoursOf('ana', '2026-03-25T15:10Z', '2026-03-25T16:00Z')).toEqual([
    '2026-03-25T15:10Z 2026-03-25T16:00Z',
  ]);
});
