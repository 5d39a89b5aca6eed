import { cp } from 'node:fs/promises';
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
  const ran = await touchstone(['run'], { cwd });
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
  expect(summary.attacks?.[1]?.harmless).toMatchObject({ questions: 30, refused: 0 });
});
