import { expect, test } from 'vitest';
import { buildRun } from '../../../library/testing/build-records.ts';
import { commandLines } from './title.ts';

const run = { ...buildRun(), id: 'r1' };
const hint = { lead: 'Failed: ', flags: '--failed' };
const text = (storeFolder: string | undefined, width: number) =>
  commandLines({ run, storeFolder }, hint, width).map((line) => line.map((part) => part.text).join(''));

test('a command that fits is on one line', () => {
  expect(text(undefined, 80)).toEqual(['Failed: touchstone show r1 --failed']);
  expect(text('bots/.touchstone', 80)).toEqual([
    'Failed: touchstone show r1 --failed --store bots/.touchstone',
  ]);
});

test('a command that is too long is continued as a shell expects', () => {
  expect(text('bots/.touchstone', 50)).toEqual([
    String.raw`Failed: touchstone show r1 --failed \ `.trimEnd(),
    '        --store bots/.touchstone',
  ]);
});
