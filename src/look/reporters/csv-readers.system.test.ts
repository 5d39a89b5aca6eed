import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { readPieces, sampleInput, sampleView } from '../../../test/support/build-sample-run.ts';
import { csv } from './csv.ts';

const hasPython = spawnSync('python3', ['--version']).status === 0;

const program = `import csv, io, json, sys
text = io.TextIOWrapper(sys.stdin.buffer, encoding='utf-8-sig', newline='')
print(json.dumps(list(csv.DictReader(text, strict=True))))`;

test.skipIf(!hasPython)(
  'the csv module of Python reads every hostile text as it was written (needs python3)',
  async () => {
    const answers = [
      'a "quoted", text\r\nwith\nlines\rand\ttabs',
      '""",""\r\n=1+1',
      ' leading; and trailing ',
      "O'Neil; 東京 🪨 \u2028 \u00a0",
      '"',
      ',',
    ];
    const trials = answers.map((answer, index) => ({ id: `c${index}`, question: `"${answer}"`, answer }));
    const text = await readPieces(csv.report(sampleInput(trials), sampleView()));
    const python = spawnSync('python3', ['-c', program], { input: text, encoding: 'utf8' });
    expect(python.stderr).toBe('');
    const rows: Record<string, string | null>[] = JSON.parse(python.stdout);
    expect(rows.map((row) => row['answer'])).toEqual(answers);
    expect(rows.map((row) => row['question'])).toEqual(answers.map((answer) => `"${answer}"`));
    // As many cells as columns in every row: none left over under null, none missing.
    expect(rows.flatMap((row) => Object.values(row)).filter((cell) => typeof cell !== 'string')).toEqual([]);
  },
);
