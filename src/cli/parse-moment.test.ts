import { expect, test } from 'vitest';
import { moment } from './parse-moment.ts';

test('a day begins at midnight UTC, and a moment is what it says', () => {
  expect(moment('2026-02-11')).toBe(Date.UTC(2026, 1, 11));
  expect(moment('2026-02-11T09:30Z')).toBe(Date.UTC(2026, 1, 11, 9, 30));
  expect(moment('2026-02-11T09:30:05+02:00')).toBe(Date.UTC(2026, 1, 11, 7, 30, 5));
});

test('a number of hours, days or weeks is so long ago', () => {
  for (const [text, hours] of [
    ['36h', 36],
    ['14d', 336],
    ['2w', 336],
  ] as const) {
    expect(Math.abs(Date.now() - moment(text) - hours * 3_600_000)).toBeLessThan(60_000);
  }
});

test.each(['', 'yesterday', '2026-02-31', '2026-13-01', '11.02.2026', '0d', '5m', '2026-02-11T25:00Z'])(
  '%j is refused',
  (text) => {
    expect(() => moment(text)).toThrow('It is a day such as 2026-02-11');
  },
);
