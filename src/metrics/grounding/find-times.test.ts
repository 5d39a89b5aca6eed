import { expect, test } from 'vitest';
import { findTimes } from './find-times.ts';

const pm = 12 * 60;

test.each([
  ['open 9:00 to 17:30', [[540, 540 + pm], [1050]]],
  ['5:30 pm, 5:30 P.M. and 12 am', [[1050], [1050], [0]]],
  ['12 pm', [[720]]],
  ['14h30 or 9 Uhr', [[870], [540, 540 + pm]]],
  ["at 5 o'clock", [[300, 300 + pm]]],
  ['１７：３０', [[1050]]],
  ['25:00, 9:75, 13 pm, 9 amps, 1:2, 10h', []],
])('%j', (text, readings) => {
  expect(
    findTimes(text)
      .sort((a, b) => a.index - b.index)
      .map((time) => time.readings),
  ).toEqual(readings);
});
