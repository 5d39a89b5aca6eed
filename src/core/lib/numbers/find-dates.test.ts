import { expect, test } from 'vitest';
import { findDates, monthNames, usualLocales } from './find-dates.ts';

const months = monthNames(usualLocales);
const read = (text: string, order?: 'day-first' | 'month-first') =>
  findDates(text, { months, order }).map(({ readings }) =>
    readings.map(({ year, month, day }) => [year, month, day].join('-').replace(/-$/, '')).join(' or '),
  );

test.each<[string, string[]]>([
  ['2024-08-01, 2024-08-01T10:00:00Z, 2024/8/1', ['2024-8-1', '2024-8-1', '2024-8-1']],
  ['in 2024-08', ['2024-8']],
  ['on August 1, 2024.', ['2024-8-1']],
  ['August 1st 2024; Aug. 1, 2024; Sept 5 2023', ['2024-8-1', '2024-8-1', '2023-9-5']],
  ['the 1st of August, 2024', ['2024-8-1']],
  ['1 August 2024 to 2 August 2024', ['2024-8-1', '2024-8-2']],
  ['1. August 2024 und 1.8.2024', ['2024-8-1', '2024-8-1']],
  ['1er août 2024', ['2024-8-1']],
  ['1 de agosto de 2024', ['2024-8-1']],
  ['1 августа 2024', ['2024-8-1']],
  ['August 2024', ['2024-8']],
  ['2024年8月1日 ２０２４年８月', ['2024-8-1', '2024-8']],
  ['2024년 8월 1일', ['2024-8-1']],
  ['03/04/2024', ['2024-4-3 or 2024-3-4']],
  ['13/04/2024 and 04/13/2024', ['2024-4-13', '2024-4-13']],
  ['05/05/2024', ['2024-5-5']],
  ['8/1/24', ['2024-1-8 or 2024-8-1']],
  ['31/12/69', ['1969-12-31']],
  ['2024-02-30, 31 April 2024, 32/13/2024', []],
  ['10.0.0.2024, 2024-08-01-02, 12 dollars 2024, 2024', []],
])('finds in %j: %j', (text, dates) => {
  expect(read(text)).toEqual(dates);
});

test('the order decides what 03/04/2024 means, and makes 04/13/2024 invalid', () => {
  expect(read('03/04/2024', 'day-first')).toEqual(['2024-4-3']);
  expect(read('03/04/2024', 'month-first')).toEqual(['2024-3-4']);
  expect(read('04/13/2024', 'day-first')).toEqual([]);
});

test('names of months come from the given languages', () => {
  const finnish = findDates('1. elokuuta 2024', { months: monthNames(['fi']) });
  expect(finnish[0]?.readings).toEqual([{ year: 2024, month: 8, day: 1 }]);
});

test('a name that two languages have is the month of the earlier one, and other names come from the later ones', () => {
  expect(monthNames(['pl', 'hr']).get('listopad')).toBe(11);
  expect(monthNames(['hr', 'pl']).get('listopad')).toBe(10);
  expect(monthNames(['en', 'pl']).get('września')).toBe(9);
  expect(monthNames(['fi']).get('sept')).toBe(9);
  expect(monthNames(usualLocales).get('berlin')).toBeUndefined();
});

test('what is no tag of a language is refused at once', () => {
  expect(() => monthNames(['not a tag'])).toThrow(RangeError);
});

test('the words of a date are read in any case, the long s among them', () => {
  expect(read('THE END IS ON 3RD OF MAY 2024')).toEqual(['2024-5-3']);
  expect(read('MAY THE 3RD, 2024')).toEqual(['2024-5-3']);
  expect(read('3 DE MAYO DE 2024')).toEqual(['2024-5-3']);
  expect(read('1ſt May 2024')).toEqual(['2024-5-1']);
});
