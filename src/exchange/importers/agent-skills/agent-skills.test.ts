import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';

const evals = {
  skill_name: 'csv-analyzer',
  evals: [
    {
      id: 1,
      prompt: 'Which month was best?',
      expected_output: 'A chart with the best three months.',
      files: ['evals/files/sales.csv', '../../secrets.txt'],
      expectations: ['The output has a chart.', { text: 'The best month is March.' }],
    },
    { id: 2, prompt: 'Clean it.', assertions: ['No row has missing values.'], difficulty: 'hard' },
  ],
};

test.each([
  [
    'the folder of a skill',
    { 'SKILL.md': '# CSV', 'evals/evals.json': evals, 'evals/files/sales.csv': 'month,sum\n' },
  ],
  ['the folder of its evals', { 'evals.json': evals, 'files/sales.csv': 'month,sum\n' }],
])(
  'the evals of an agent skill are questions with statements for a judge, and their files come along: %s',
  async (_, files) => {
    const project = await importFiles(files);
    expect(linesOf(project, 'golden.jsonl')).toMatchObject([
      {
        id: 'eval-1',
        input: 'Which month was best?',
        expected: {
          behavior: [
            'A chart with the best three months.',
            'The output has a chart.',
            'The best month is March.',
          ],
        },
      },
      {
        id: 'eval-2',
        expected: { behavior: ['No row has missing values.'] },
        metadata: { difficulty: 'hard' },
      },
    ]);
    expect(project.files['evals/files/sales.csv']).toBe('month,sum\n');
    expect(project.files['touchstone.config.yaml']).toContain('expected-behavior');
    expect(project.record.ledger).toContainEqual(
      expect.objectContaining({
        fate: 'left-out',
        part: 'input file',
        places: ['eval-1: ../../secrets.txt'],
      }),
    );
    expect(project.record.metadata).toEqual({ skill_name: 'csv-analyzer' });
  },
);
