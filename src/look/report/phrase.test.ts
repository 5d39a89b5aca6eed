import { expect, test } from 'vitest';
import { buildRun } from '../../library/testing/build-records.ts';
import { showCommand } from './phrase.ts';

const run = { ...buildRun(), id: 'r1' };

test('the command names the store only if needed, and quotes names that a shell would split', () => {
  expect(showCommand({ run })).toBe('touchstone show r1');
  expect(showCommand({ run, storeFolder: 'bots/.touchstone' }, '--failed')).toBe(
    'touchstone show r1 --failed --store bots/.touchstone',
  );
  expect(showCommand({ run, storeFolder: "it's here" })).toBe(
    String.raw`touchstone show r1 --store 'it'\''s here'`,
  );
});
