import { spawnSync } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, temporaryFolder, touchstone } from './run-cli.ts';

const example = path.resolve(import.meta.dirname, '..', 'examples', 'improving-agent');

/** Copies the example, and lets the agent work in it. Returns the folder and what the agent printed. */
async function letWork(...words: readonly string[]): Promise<{ cwd: string; said: string[] }> {
  const cwd = path.join(await temporaryFolder(), 'shop');
  await cp(example, cwd, { recursive: true, filter: (file) => !file.includes('.touchstone') });
  const env = { ...process.env, TOUCHSTONE: program };
  const { stdout, stderr } = spawnSync(process.execPath, ['agent.ts', ...words], {
    cwd,
    env,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return { cwd, said: stdout.trimEnd().split('\n') };
}

/** The pass rate of the bot on the questions that are held out. */
async function passRate(cwd: string): Promise<number> {
  spawnSync(process.execPath, ['write-questions.ts', 'held-out', 'held-out.jsonl'], { cwd });
  const { stdout } = await touchstone(['run', '--dataset', 'held-out.jsonl', '--json', '--verbose'], { cwd });
  const { results } = JSON.parse(stdout) as { results: { scorecard: { passed: boolean } }[] };
  expect(results).toHaveLength(140);
  return results.filter(({ scorecard }) => scorecard.passed).length / results.length;
}

test('an agent that finds rules gains on the working set, and on questions that it never saw', async () => {
  const { cwd, said } = await letWork();
  const readme = await readFile(path.join(example, 'README.md'), 'utf8');
  expect(said).toHaveLength(4);
  for (const line of said) expect(readme).toContain(`    ${line}\n`);
  expect(await passRate(cwd)).toBe(1);
});

test('an agent that learns answers by heart gains as much on the working set, and nothing on other questions', async () => {
  const { cwd, said } = await letWork('by-heart');
  expect(said).toEqual([
    'working set: 42.9 %',
    'round 1: 40 answers learnt by heart: 42.9 % → 100.0 %, better',
  ]);
  expect(await passRate(cwd)).toBeCloseTo(3 / 7, 10);
});
