import { expect, test } from 'vitest';
import { importFiles } from '../../../test/support/import-files.ts';
import { compareWithRecorded } from './agreement.ts';

const root = (parts: object) => ({
  id: 'r1',
  span_id: 's1',
  root_span_id: 's1',
  is_root: true,
  span_attributes: { type: 'eval', name: 'eval' },
  input: 'Cost?',
  expected: '49',
  output: '48',
  scores: { Levenshtein: 0.5, ExactMatch: 0, ValidJSON: 1, Factuality: 1, tone: 1 },
  ...parts,
});

test('a metric of ours stands beside a score of autoevals that it computes, and others are named', async () => {
  const project = await importFiles({ 'experiment.json': [root({})] });
  const config = project.files['touchstone.config.yaml'] ?? '';
  for (const name of ['Levenshtein', 'ExactMatch', 'ValidJSON'])
    expect(config).toContain(`name: ${name} (touchstone)`);
  for (const name of ['Factuality', 'tone']) expect(config).not.toContain(`name: ${name} (touchstone)`);
  expect(config).not.toContain('unread');
  const left = project.record.ledger.filter(({ fate }) => fate === 'left-out');
  expect(left).toMatchObject([
    { part: 'our metric in addition to Factuality', note: expect.stringContaining('`correctness`') },
  ]);
});

test('without expected answers there is nothing to compare with, which is said', async () => {
  const project = await importFiles({ 'experiment.json': [root({ expected: null })] });
  const config = project.files['touchstone.config.yaml'] ?? '';
  expect(config).not.toContain('Levenshtein (touchstone)');
  expect(config).toContain('ValidJSON (touchstone)');
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({
      part: 'our metric in addition to Levenshtein',
      note: '`edit-similarity` needs expected answers, which are not in the file.',
    }),
  );
});

test('recorded values and ours agree when they are shown as the same', () => {
  const scored = (value: number) => ({ status: 'scored' as const, value });
  const answer = (recorded: number, own: number) => ({
    caseId: 'a',
    target: 'bot',
    attempt: 1,
    verdicts: { Levenshtein: scored(recorded), 'Levenshtein (touchstone)': scored(own), other: scored(1) },
  });
  expect(compareWithRecorded([answer(0.67, 2 / 3), answer(0.5, 0.25)])).toEqual({
    answers: 2,
    agreeing: 1,
    checks: 2,
    differences: [{ caseId: 'a', target: 'bot', attempt: 1, check: 'Levenshtein', recorded: 0.5, own: 0.25 }],
  });
});
