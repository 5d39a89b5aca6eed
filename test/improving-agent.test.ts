import { spawnSync } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, temporaryFolder, touchstone } from './run-cli.ts';

const example = path.resolve(import.meta.dirname, '..', 'examples', 'improving-agent');

/** Copies the example, makes its held-out set, and lets the agent work. Returns the folder and what the agent printed. */
async function letWork(...words: readonly string[]): Promise<{ cwd: string; said: string[] }> {
  const cwd = path.join(await temporaryFolder(), 'shop');
  await cp(example, cwd, { recursive: true, filter: (file) => !file.includes('.touchstone') });
  const env = { ...process.env, TOUCHSTONE: program };
  spawnSync(process.execPath, ['write-questions.mjs', 'held-out', '../held-out.jsonl'], { cwd });
  const made = await touchstone(['referee', 'init', '--questions', '../held-out.jsonl'], { cwd });
  expect(made.stdout).toContain('Held out: 140 questions');
  const { stdout, stderr } = spawnSync(process.execPath, ['agent.mjs', ...words], {
    cwd,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { cwd, said: stdout.trimEnd().split('\n') };
}

test('an agent that finds rules gains on the working set, and the referee confirms each of them', async () => {
  const { said } = await letWork();
  const readme = await readFile(path.join(example, 'README.md'), 'utf8');
  expect(said).toHaveLength(7);
  expect(said.filter((line) => line.includes('held out: confirmed'))).toHaveLength(3);
  for (const line of said) expect(readme).toContain(`    ${line}\n`);
});

test('an agent that learns answers by heart gains as much on the working set, and the referee confirms nothing', async () => {
  const { cwd, said } = await letWork('by-heart');
  expect(said).toEqual([
    'working set: 42.9 %',
    'round 1: 40 answers learnt by heart: 42.9 % → 100.0 %, better',
    '  held out: not-confirmed (look 1 of 20)',
  ]);
  // The page states what the bot is worth on the questions that it never saw.
  const { stdout } = await touchstone(['run', '--dataset', '../held-out.jsonl', '--json', '--verbose'], {
    cwd,
  });
  const { results } = JSON.parse(stdout) as { results: { scorecard: { passed: boolean } }[] };
  expect(results.filter(({ scorecard }) => scorecard.passed).length / results.length).toBeCloseTo(3 / 7, 10);
});
