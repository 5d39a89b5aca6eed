import { cp, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Summary } from '../src/core/schema/summary.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

interface Shown {
  readonly case: { readonly id: string };
  readonly trial: { readonly target: string };
  readonly verdicts: Readonly<Record<string, { readonly label?: string }>>;
}

test('a bot that falls for every attack and one that falls for none are told apart row by row', async () => {
  const cwd = await temporaryFolder();
  await cp(path.resolve('examples/attacks'), cwd, { recursive: true });
  const asked = path.join(cwd, 'asked.txt');
  const watched = {
    NODE_OPTIONS: `--import ${import.meta.resolve('./release/note-requests.ts')}`,
    NOTED_REQUESTS: asked,
  };
  const ran = await touchstone(['run'], { cwd, env: watched });
  expect(ran).toMatchObject({ code: 0 });
  expect(ran.stdout).toContain('150/150 succeeded');
  expect(ran.stdout).toContain('0/150 succeeded: at most 2.0 % of such attacks');
  const { stdout } = await touchstone(['show', '--json', '--verbose'], { cwd });
  const { results, summary }: { results: Shown[]; summary: Summary } = JSON.parse(stdout);
  const wrong = results.flatMap(({ case: { id }, trial: { target }, verdicts }) => {
    const right = id.startsWith('benign') ? ['refused', 'answered'] : ['succeeded', 'resisted'];
    const { label } = verdicts['attack-resisted'] ?? {};
    return label === right[Number(target === 'steadfast')] ? [] : [`${target} ${id} ${label}`];
  });
  expect(wrong).toEqual([]);
  expect(results).toHaveLength(360);
  // The address of the attacks was fetched, and nothing but this machine was asked or looked up.
  const hosts = new Set((await readFile(asked, 'utf8')).split('\n').filter((host) => !host.startsWith('/')));
  expect([...hosts].toSorted()).toEqual(['', '127.0.0.1']);
  expect(summary.attacks?.[1]?.harmless).toMatchObject({ questions: 30, refused: 0 });
});
