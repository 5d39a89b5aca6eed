import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { ModeShare, ModeTable } from '../src/core/schema/modes/mode-table.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

/** The number of questions, of which the first `failing` fail. */
const [asked, failing] = [400, 80];

/** The planted truth: every fourth failure has a wrong date, and every fortieth answer that passes is rude. */
const planted = {
  'wrong-date': (question: number) => question < failing && question % 4 === 0,
  rude: (question: number) => question >= failing && question % 40 === 0,
};
const truth = { 'wrong-date': 20 / asked, rude: 8 / asked };

async function project(): Promise<string> {
  const cwd = await temporaryFolder();
  const rows = Array.from({ length: asked }, (_, question) =>
    JSON.stringify({ id: `q${question}`, question: `Question ${question}?`, expected_keywords: ['right'] }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.join('\n'));
  const bot = `export default (question) => {
    const number = Number(question.replace(/\\D/g, ''));
    return (number < ${failing} ? 'wrong ' : 'right ') + number;
  };`;
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    'dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs, name: bot }]\n',
  );
  return cwd;
}

function covers(share: ModeShare | null | undefined, truth: number): boolean {
  return (share?.lower ?? 1) <= truth && truth <= (share?.upper ?? 0);
}

test('80 conversations with planted modes, read in a spreadsheet, give a table that covers the truth, in another store too', async () => {
  const cwd = await project();
  const command = async (...args: string[]) => {
    const ended = await touchstone(args, { cwd });
    expect([args.join(' '), ended.code, ended.code === 0 ? '' : ended.stderr]).toEqual([
      args.join(' '),
      0,
      '',
    ]);
    return ended.stdout;
  };
  const table = async (...args: string[]) =>
    JSON.parse(await command('modes', '--json', ...args)) as ModeTable;
  await command('run', '--name', 'v1');
  await command('review', 'create', '--notes', '--run', 'v1', '--labels', '80', '--seed', '7', '--yes');
  await command('modes', 'add', 'wrong-date', '--definition', 'States a wrong date.', '--by', 'Ann');
  await command('modes', 'add', 'rude', '--definition', 'Is rude.', '--by', 'Ann');

  await command('modes', 'export', 'notes.csv');
  const [head = '', ...drawn] = (await readFile(path.join(cwd, 'notes.csv'), 'utf8')).trim().split('\r\n');
  expect(head.split(',').slice(-2)).toEqual(['mode:wrong-date', 'mode:rude']);
  expect(drawn).toHaveLength(80);
  const read = drawn.map((row) => {
    const [id = '', ...place] = row.split(',').slice(0, 6);
    const question = Number(id.slice(1));
    const modes = [planted['wrong-date'](question), planted.rude(question)];
    const isWrong = question < failing || modes.includes(true);
    const cells = [
      'Ann',
      '2026-01-03T10:00:00.000Z',
      isWrong ? 'yes' : 'no',
      isWrong ? '"bad, or so"' : '',
      '',
    ];
    return [id, ...place, ...cells, ...modes.map((has) => (has ? 'yes' : 'no'))].join(',');
  });
  await writeFile(path.join(cwd, 'read.csv'), [head, ...read].join('\r\n'));
  await command('modes', 'import', 'read.csv', '--by', 'Ann');

  const found = await table();
  expect(found.strata.toSorted((one, other) => one.size - other.size)).toEqual([
    { name: 'failed', size: failing, read: 40 },
    { name: 'passed', size: asked - failing, read: 40 },
  ]);
  for (const [id, share] of Object.entries(truth)) {
    const row = found.rows.find((each) => each.id === id);
    expect([id, row?.unmarked, covers(row?.ofAll, share)]).toEqual([id, 0, true]);
  }
  expect(covers(found.rows[0]?.ofFailed, 0.25)).toBe(true);
  expect(found.unseen?.failures).toBe(40);

  // Merged, the modes are one; undone, all is as before.
  await command('modes', 'merge', 'rude', 'wrong-date', '--by', 'Ann');
  expect((await table()).rows.map(({ id }) => id)).toEqual(['wrong-date']);
  await command('modes', 'undo', 'rude', '--by', 'Ann');
  expect((await table()).rows).toEqual(found.rows);

  // In another store, the tables give the same numbers.
  await command('modes', 'export', 'notes.csv');
  await command('export', 'v1', '--output', 'v1.jsonl');
  await command('import', 'v1.jsonl', '--store', 'other');
  await command('modes', 'import', 'notes.csv', '--by', 'Ann', '--store', 'other');
  const numbers = ({ rows, strata, unseen }: ModeTable) => ({
    strata,
    unseen,
    rows: rows.map(({ id, yes, no, ofAll, ofFailed }) => ({ id, yes, no, ofAll, ofFailed })),
  });
  expect(numbers(await table('--store', 'other'))).toEqual(numbers(found));

  await command('modes', '--output', 'modes.md');
  const page = await readFile(path.join(cwd, 'modes.md'), 'utf8');
  expect(page).toMatch(/wrong-date/);
  expect(page).toMatch(/not yet seen/);
  expect(await command('modes')).toMatch(
    /80 of 400 conversations read \(40 of 80 failed, 40 of 320 passed\)/,
  );
});
