import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { amount, duration, gather, moment, percentage, wholeNumber } from './parse-option.ts';

test.each(['1', '7', '0012', '9007199254740991'])('%s is a whole number of at least 1', (text) => {
  expect(wholeNumber(1)(text)).toBe(Number(text));
});

test.each(['0', '-1', '1.5', '1e3', '', ' ', 'many', '٣', '9007199254740993'])('"%s" is refused', (text) => {
  expect(() => wholeNumber(1)(text)).toThrow(InvalidArgumentError);
});

test.each([
  ['85', 85],
  ['85.5', 85.5],
  ['85%', 85],
  ['85 %', 85],
  ['0', 0],
  ['100', 100],
])('%s is a percentage', (text, value) => {
  expect(percentage(text)).toBe(value);
});

test.each(['-1', '100.1', '', 'NaN', 'eighty'])('"%s" is not a percentage', (text) => {
  expect(() => percentage(text)).toThrow('It must be a percentage from 0 to 100.');
});

test.each([
  ['0.85', 'for 85 % write 85'],
  ['0.07', 'for 7 % write 7'],
  ['1', 'for 100 % write 100'],
])('a share such as %s is refused with the percentage to write', (text, message) => {
  expect(() => percentage(text)).toThrow(message);
});

test.each([
  ['2.50', 2.5],
  ['$3', 3],
  ['0', 0],
])('%s is an amount of money', (text, value) => {
  expect(amount(text)).toBe(value);
});

test.each(['', '-1', 'free', 'Infinity', '3 €'])('"%s" is not an amount of money', (text) => {
  expect(() => amount(text)).toThrow(InvalidArgumentError);
});

test('the values of a repeated option are collected in order', () => {
  expect(gather('b', gather('a', undefined))).toEqual(['a', 'b']);
});

test.each([
  ['500ms', 500],
  ['90s', 90_000],
  ['1.5h', 5_400_000],
  ['30 min', 1_800_000],
  ['2m', 120_000],
])('%s is a duration', (text, milliseconds) => {
  expect(duration(text)).toBe(milliseconds);
});

test.each(['30', '0s', '-1s', '1d', '1e3s', '', '600h'])('"%s" is not a duration', (text) => {
  expect(() => duration(text)).toThrow('such as 90s, 30min or 2h');
});

test('a day begins at midnight UTC, and a time keeps its own zone', () => {
  expect(moment('2026-02-11')).toBe(Date.UTC(2026, 1, 11));
  expect(moment('2026-02-11T09:30Z')).toBe(Date.UTC(2026, 1, 11, 9, 30));
  expect(moment('2026-02-11T09:30:05+02:00')).toBe(Date.UTC(2026, 1, 11, 7, 30, 5));
});

test('an age in hours, days or weeks is subtracted from now', () => {
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
    expect(() => moment(text)).toThrow('It must be a day such as 2026-02-11');
  },
);
