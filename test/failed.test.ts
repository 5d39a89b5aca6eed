import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone as start } from './run-cli.ts';

const folder = await temporaryFolder();
const touchstone = async (...args: readonly string[]) => await start(args, { cwd: folder });

async function writeBot(right: string): Promise<void> {
  await writeFile(
    path.join(folder, 'bot.mjs'),
    `export default (question) => (/${right}/.test(question) ? 'It is blue.' : 'I do not know.');`,
  );
}
const questions = ['sky', 'sea', 'jay'].map((id) => ({
  id,
  question: `Which colour has the ${id}?`,
  expected_keywords: ['blue'],
}));
await writeFile(path.join(folder, 'golden.jsonl'), questions.map((row) => JSON.stringify(row)).join('\n'));
await writeFile(
  path.join(folder, 'touchstone.config.yaml'),
  'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: bot }]\nscorecard: { use: weighted, criteria: [{ metric: keywords, weight: 1 }] }\n',
);

test('only what failed is asked again, shown apart in every list and report, until nothing is left', async () => {
  await writeBot('sky');
  expect((await touchstone('run', '--name', 'first')).code).toBe(0);
  await writeBot('sky|sea');
  const dry = await touchstone('run', '--failed', '--dry-run');
  expect(dry.stdout).toContain('Would call: 2 questions');
  const again = await touchstone(
    'run',
    '--failed',
    'first',
    '-o',
    'r.md',
    '-o',
    'r.xml',
    '-o',
    'r.json',
    '-o',
    'r.html',
  );
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('1 of 2 failed ones passes now');
  expect(again.stdout).toContain('this is no score of the whole set');
  for (const file of ['r.md', 'r.xml'])
    expect(await readFile(path.join(folder, file), 'utf8')).toContain('1 of 2 failed ones passes now');
  const { summary } = JSON.parse(await readFile(path.join(folder, 'r.json'), 'utf8')) as {
    summary: { targets: { score: { value: null }; failedAgain: object }[] };
  };
  expect(summary.targets[0]?.score.value).toBeNull();
  expect(summary.targets[0]?.failedAgain).toEqual({ failed: 2, asked: 2, pass: 1 });
  expect((await touchstone('runs')).stdout).toMatch(/ 1 of 2 failed ones passes now$/m);

  const gated = await touchstone('run', '--failed', 'first', '--fail-under', '10');
  expect(gated.code).toBe(2);
  expect(gated.stdout).toContain('the gate is about the whole set');

  await writeBot('.');
  await touchstone('run');
  const none = await touchstone('run', '--failed');
  expect(none).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Nothing to ask again: every question/),
  });
  const json = await touchstone('run', '--failed', '--json');
  expect(json).toMatchObject({ code: 0 });
  expect(JSON.parse(json.stdout)).toEqual({ failed: 0 });
});

test('a config after --failed is not taken for a run, and an unknown run is refused', async () => {
  const config = await touchstone('run', '--failed', 'touchstone.config.yaml');
  expect(config.code).toBe(4);
  expect(config.stderr).toContain('touchstone run touchstone.config.yaml --failed');
  expect(await touchstone('run', '--failed', 'nosuch')).toMatchObject({ code: 4 });
});
