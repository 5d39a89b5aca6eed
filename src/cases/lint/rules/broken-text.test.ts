import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { brokenText } from './broken-text.ts';

test.each([
  ['Where is the cafÃ©?', '"e is the cafÃ©?" was read in the wrong encoding'],
  ['What\u2019s a na\ufffdve bot?', 'was read in the wrong encoding'],
  ['Itâ€™s open?', 'was read in the wrong encoding'],
  ['Fish &amp; chips?', 'contains "&amp;", which is an entity of HTML'],
])('%s', async (question, message) => {
  const [found] = await lintRows(brokenText, [{ question }]);
  expect(found).toContain(message);
});

test.each(['Où est le café « São João » ?', 'Â la carte? Ã sua volta', 'R&D; AT&T', 'Größe in Å: 5 °C'])(
  '%s is whole',
  async (question) => {
    expect(await lintRows(brokenText, [{ question }])).toEqual([]);
  },
);
