import { expect, test } from 'vitest';
import { addDays, formatInstant, toInstant, toLocal, weekdayOf } from './zoned-time.ts';

/** The instant at which the clocks of a zone show a time, as the calendar writes it. */
function instantOf(date: string, time: string, zone: string): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return formatInstant(toInstant({ date, minutes: hours * 60 + minutes }, zone));
}

test.each([
  ['2026-01-15', '09:00', 'America/New_York', '2026-01-15T14:00Z'],
  ['2026-07-15', '09:00', 'America/New_York', '2026-07-15T13:00Z'],
  ['2026-03-27', '09:00', 'Europe/London', '2026-03-27T09:00Z'],
  ['2026-03-30', '09:00', 'Europe/London', '2026-03-30T08:00Z'],
  ['2026-03-26', '10:00', 'Asia/Kolkata', '2026-03-26T04:30Z'],
  ['2026-03-26', '09:00', 'Asia/Tokyo', '2026-03-26T00:00Z'],
  ['2026-03-26', '00:30', 'Asia/Tokyo', '2026-03-25T15:30Z'],
  ['2026-03-26', '12:00', 'UTC', '2026-03-26T12:00Z'],
])('%s %s in %s is %s', (date, time, zone, instant) => {
  expect(instantOf(date, time, zone)).toBe(instant);
});

test.each([
  ['America/New_York', '2026-03-08', '01:59', '2026-03-08T06:59Z'],
  ['America/New_York', '2026-03-08', '03:00', '2026-03-08T07:00Z'],
  ['Europe/Berlin', '2026-03-29', '01:59', '2026-03-29T00:59Z'],
  ['Europe/Berlin', '2026-03-29', '03:00', '2026-03-29T01:00Z'],
  ['Australia/Lord_Howe', '2026-10-04', '02:30', '2026-10-03T15:30Z'],
])('when the clocks of %s go forward, %s %s is %s', (zone, date, time, instant) => {
  expect(instantOf(date, time, zone)).toBe(instant);
});

test('a time that the clocks skip is read with the offset from before', () => {
  expect(instantOf('2026-03-08', '02:30', 'America/New_York')).toBe('2026-03-08T07:30Z');
  expect(instantOf('2026-03-29', '02:30', 'Europe/Berlin')).toBe('2026-03-29T01:30Z');
  expect(toLocal(Date.parse('2026-03-29T01:30Z'), 'Europe/Berlin').minutes).toBe(3 * 60 + 30);
});

test('of a time that the clocks show twice, the first counts', () => {
  expect(instantOf('2026-11-01', '01:30', 'America/New_York')).toBe('2026-11-01T05:30Z');
  expect(instantOf('2026-10-25', '02:30', 'Europe/Berlin')).toBe('2026-10-25T00:30Z');
});

test.each(['America/New_York', 'Europe/Berlin', 'Asia/Kolkata'])(
  'every half hour of a year in %s comes back from its clocks, but for the hour shown twice',
  (zone) => {
    const start = Date.parse('2026-01-01T00:00Z');
    const halfHours = Array.from({ length: 365 * 48 }, (_, at) => start + at * 1_800_000);
    const moved = halfHours.filter((instant) => toInstant(toLocal(instant, zone), zone) !== instant);
    expect(moved.length).toBe(zone.startsWith('Asia') ? 0 : 2);
  },
);

test('days are counted across months and across the change of the clocks', () => {
  expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
  expect(addDays('2026-03-29', 1)).toBe('2026-03-30');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
});

test('a week begins on Monday', () => {
  expect(weekdayOf('2026-03-23')).toBe(1);
  expect(weekdayOf('2026-03-29')).toBe(7);
});
