import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { RunGrids } from '../src/core/schema/api/comparison/grid.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

/** A bot of known effects: the small model loses its answer (80 % of the score) at every third question, the prompts make no difference. Every call is a line. */
const bot = `
import { appendFileSync } from 'node:fs';
export default (question, { options: { model, prompt } }) => {
  appendFileSync(new URL('calls.log', import.meta.url), model + ' ' + prompt + '\\n');
  const number = Number(/\\d+/.exec(question)[0]);
  const isRight = model === 'small' ? number % 3 > 0 : model === 'large' || number % 12 > 0;
  return { answer: isRight ? 'It is yes.' : 'It is no.', cost: model === 'small' ? 0.001 : 0.01 };
};
`;

async function write(cwd: string, grid: string): Promise<void> {
  const target = `{ use: module, name: bot, path: bot.mjs, grid: ${grid} }`;
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), `dataset: golden.jsonl\ntargets: [${target}]\n`);
}

test('a grid names the effect that is there and nothing else, and a new level asks nothing of old cells', async () => {
  const cwd = await temporaryFolder();
  const rows = Array.from({ length: 60 }, (_, at) =>
    JSON.stringify({ id: `q${at}`, question: `Is it ${at}?`, expected_keywords: ['yes'] }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.join('\n'));
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  await write(cwd, '{ with.model: [large, small], with.prompt: [short, long] }');
  expect(await touchstone(['run'], { cwd })).toMatchObject({ code: 0 });
  const { stdout } = await touchstone(['grid', '--within', '2', '--output', 'grid.md', '--json'], { cwd });
  const { grids }: RunGrids = JSON.parse(stdout);
  const [grid] = grids;
  expect(grid?.cells.map(({ target, front }) => [target, front])).toEqual([
    ['bot[with.model=large,with.prompt=short]', 'on'],
    ['bot[with.model=large,with.prompt=long]', 'on'],
    ['bot[with.model=small,with.prompt=short]', 'on'],
    ['bot[with.model=small,with.prompt=long]', 'on'],
  ]);
  const shown = grid?.effects.filter(({ finding }) => finding !== 'not-shown');
  expect(shown).toMatchObject([
    { settings: ['with.model'], levels: [{ level: 'small', than: 'large' }], finding: 'lower' },
  ]);
  expect(shown?.[0]?.value).toBeCloseTo(-0.8 / 3, 9);
  expect(await readFile(path.join(cwd, 'grid.md'), 'utf8')).toContain('▼');

  await writeFile(path.join(cwd, 'calls.log'), '');
  await write(cwd, '{ with.model: [large, middle, small], with.prompt: [short, long] }');
  expect(await touchstone(['run', '--resume', 'latest'], { cwd })).toMatchObject({ code: 0 });
  const calls = (await readFile(path.join(cwd, 'calls.log'), 'utf8')).trim().split('\n');
  expect(calls).toHaveLength(120);
  expect(calls.every((call) => call.startsWith('middle '))).toBe(true);
});

test('a large grid is refused with its calls, its price and what fits, and one over recorded answers, and a wrong setting', async () => {
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'golden.jsonl'), '{"question": "Is it 1?", "expected_keywords": ["yes"]}\n');
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  const levels = '[a, b, c, d, e, f]';
  await write(cwd, `{ with.model: ${levels}, with.prompt: ${levels} }`);
  const large = await touchstone(['run'], { cwd });
  expect(large).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('The grid of bot has 36 combinations: 1 question takes 36 calls.'),
  });
  await write(cwd, '{ with.model: [large, small] }');
  expect(await touchstone(['run'], { cwd })).toMatchObject({ code: 0 });
  await write(cwd, `{ with.model: ${levels}, with.prompt: ${levels} }`);
  const priced = await touchstone(['run', '--max-cost', '0.05'], { cwd });
  expect(priced.stderr.replaceAll(/\s+/g, ' ')).toMatch(
    /1 question takes 36 calls, about \$0\.20 by run \S+\. .*`cells: 12, seed: 7` in the grid \(12 calls, about \$0\.066\)\. The limit of \$0\.05 has room for `cells: 9`\./,
  );
  await write(cwd, '{ whit.model: [a, b] }');
  const wrong = await touchstone(['run'], { cwd });
  expect(wrong.stderr).toContain('Did you mean "with"?');
  const config =
    'dataset: golden.jsonl\ntargets: [{ use: replay, path: golden.jsonl, grid: { path: [golden.jsonl] } }]\n';
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), config);
  const recorded = await touchstone(['run'], { cwd });
  expect(recorded.stderr).toContain('recorded answers have no settings that could vary');
});
