import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { pictures } from './support/pictures.ts';

const config = `
dataset: cases.jsonl
targets:
  - { name: v1, use: module, path: ./bot.mjs }
  - { name: v2, use: module, path: ./bot.mjs, takes: [] }
metrics: [answer-match]
`;

async function project(): Promise<string> {
  const cwd = await temporaryFolder();
  const content = [
    { type: 'text', text: 'What is broken?' },
    { type: 'image', image: 'dent.png' },
  ];
  const rows = [
    { id: 'dent', input: [{ role: 'user', content }], expected_answer: 'the left door' },
    { id: 'plain', question: 'Which side?', expected_answer: 'left' },
  ];
  const bot = `export default (input, { attachments }) => (attachments.length > 0 ? 'the left door' : 'left');`;
  await writeFile(path.join(cwd, 'cases.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  return cwd;
}

test('a question with a picture is run by the command line, and a picture that is missing stops it with its row', async () => {
  const cwd = await project();
  const missing = await touchstone(['run'], { cwd });
  expect(missing.code).toBe(4);
  expect(missing.stderr).toContain('input[0].content[1]: "dent.png" does not exist');

  await writeFile(path.join(cwd, 'dent.png'), pictures.png);
  const { stdout, stderr } = await touchstone(['run', '--json'], { cwd });
  const [v1, v2] = JSON.parse(stdout).summary.targets;
  expect(v1.counts).toMatchObject({ planned: 2, measured: 2, errors: 0, notMeasured: 0 });
  expect(v2.counts).toMatchObject({ planned: 2, measured: 1, errors: 0, notMeasured: 1, untaken: 1 });
  expect(stderr).toContain('1 of 2 questions has pictures that `v2` does not take');
  expect(stderr).not.toContain('`v1`');
});
