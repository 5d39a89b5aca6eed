import { expect, test } from 'vitest';
import { buildRun } from '../../../library/testing/build-records.ts';
import { renderTerminal } from '../blocks/terminal.ts';
import { showHint } from './title.ts';

const run = { ...buildRun(), id: 'r1' };
const hint = { lead: 'Failed: ', flags: '--failed', indent: 0 };
const text = (storeFolder: string | undefined, width: number) =>
  renderTerminal([showHint({ run, storeFolder }, hint)], { width, color: false });

test('a command that fits is on one line', () => {
  expect(text(undefined, 80)).toBe('Failed: touchstone show r1 --failed\n');
  expect(text('bots/.touchstone', 80)).toBe('Failed: touchstone show r1 --failed --store bots/.touchstone\n');
});

test('a command that is too long is continued as a shell expects', () => {
  expect(text('bots/.touchstone', 50)).toBe(
    'Failed: touchstone show r1 --failed \\\n        --store bots/.touchstone\n',
  );
});
