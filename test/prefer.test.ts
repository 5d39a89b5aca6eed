import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { PreferenceReport } from '../src/core/schema/api/preference/report.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import type { ReceivedRequest } from '../src/library/testing/model-server/script.ts';
import { openSqliteStore } from '../src/stores/sqlite/sqlite.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { labelPairs } from './support/compared-pairs.ts';

const cases = 20;
const inFlight = 4;

/** Prefers the answer in which more words are said. */
function preferLonger({ prompt }: ReceivedRequest): 'first' | 'second' {
  const [first = '', second = ''] = Array.from(prompt.matchAll(/word( word)*/g), ([words]) => words);
  return first.length > second.length ? 'first' : 'second';
}
const server = await startModelServer((request) => ({
  judgement: { reason: 'It says more.', better: preferLonger(request) },
  delayMs: 20,
}));
afterAll(async () => await server.close());

const folder = await temporaryFolder();
const start = async (...args: string[]) => await touchstone(args, { cwd: folder, env: { COLUMNS: '120' } });

/** Returns the text of a request without what differs each time the same question is asked. */
function questionOf({ prompt }: ReceivedRequest): string {
  return prompt.replace(/"id": "\w+"/g, '');
}

test('a killed comparison is continued by the same command, and no answer of the judge is paid for twice', async () => {
  const rows = Array.from({ length: cases }, (_, index) => ({
    id: `q${index}`,
    question: `question ${index}?`,
  }));
  await writeFile(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const bot = (more: boolean) =>
    `export default (question) => question.match(/\\d+/)[0] + ': word'${more ? " + ' word'.repeat(2)" : ''};`;
  await writeFile(path.join(folder, 'brief.mjs'), bot(false));
  await writeFile(path.join(folder, 'long.mjs'), bot(true));
  const model = {
    use: 'openai-chat',
    model: 'judge-1',
    baseUrl: server.url,
    prices: { input: 1, output: 1 },
  };
  const config = {
    dataset: 'golden.jsonl',
    targets: ['brief', 'long'].map((name) => ({ use: 'module', name, path: `${name}.mjs` })),
    scorecard: null,
    metrics: ['latency'],
    judge: { use: 'chat-model', model, concurrency: inFlight },
  };
  await writeFile(path.join(folder, 'touchstone.config.yaml'), JSON.stringify(config));
  expect((await start('run')).code).toBe(0);

  const planned = await start('prefer', 'latest', '--dry-run');
  expect(planned.code).toBe(0);
  expect(planned.stdout).toContain('40 questions to judge-1; 0 judgements are stored');
  expect(planned.stdout).toMatch(/output tokens: \$0\.\d+\.\nNothing was asked\./);
  expect(server.requests).toHaveLength(0);

  const killed = await touchstone(['prefer', 'latest', '--json'], {
    cwd: folder,
    onStarted: (child) => {
      const timer = setInterval(() => {
        if (server.requests.length < 15) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 2);
    },
  });
  expect(killed).toMatchObject({ code: null, stdout: '' });
  while (server.connections > 0) await wait(2);
  const paidBefore = server.requests.length;
  expect(paidBefore).toBeLessThan(2 * cases);

  const { code, stdout } = await start('prefer', 'latest', '--json');
  const report = JSON.parse(stdout) as PreferenceReport;
  expect(code).toBe(0);
  expect(report.pairs).toMatchObject([
    {
      a: 'brief',
      b: 'long',
      verdict: 'b-better',
      wins: 0,
      losses: cases,
      measured: cases,
      position: { consistent: cases },
    },
  ]);
  expect(report.judging.cost).toBeGreaterThan(0);
  // Only what was in flight at the kill is asked again.
  const asked = server.requests.map(questionOf);
  expect(new Set(asked).size).toBe(2 * cases);
  expect(asked.length).toBeLessThanOrEqual(2 * cases + inFlight);
  expect(server.requests.some(({ prompt, system }) => `${system}${prompt}`.includes('brief'))).toBe(false);

  const files = ['--output', 'p.md', '--output', 'p.json'];
  const again = await start('prefer', 'latest', '--target', 'long', '--target', 'brief', ...files);
  expect(await readFile(path.join(folder, 'p.md'), 'utf8')).toContain('`long` **is preferred to** `brief`');
  expect(JSON.parse(await readFile(path.join(folder, 'p.json'), 'utf8')).pairs).toEqual(report.pairs);
  expect(server.requests).toHaveLength(asked.length);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('long is preferred to brief');
  expect(again.stdout).toContain(
    'brief wins 0.0 % [0.0, 16.1] of 20 pairs of answers: 0 wins, 0 ties, 20 losses.',
  );
  expect(again.stdout).toContain('no calls: all judgements were stored');
});

test('people compare the same answers: planned, labelled, reported beside the judge, exported and imported', async () => {
  const none = await start('prefer', 'latest', '--by', 'people');
  expect([none.code, none.stderr]).toEqual([4, expect.stringContaining('touchstone review create --pairs ')]);
  const asks = await start('review', 'create');
  expect([asks.code, asks.stderr]).toEqual([4, expect.stringContaining('--pairs latest~1 latest')]);
  const create = ['review', 'create', '--pairs', 'latest', '--labels', '10', '--seed', '3'];
  const planned = await start(...create, '--dry-run');
  expect(planned.stdout).toContain('brief, long: blind, the sides drawn for each pair');
  expect(planned.stdout).toContain('10 pairs of answers to label: 10 labels, about 6 min 40 s');
  const created = await start(...create, '--yes', '--json');
  const { task } = JSON.parse(created.stdout);
  const store = openSqliteStore(path.join(folder, '.touchstone', 'touchstone.db'));
  await labelPairs(store, task.id, 'ann', (first, second) =>
    first.length > second.length ? 'first' : 'second',
  );
  await store.close();

  const report = await start('prefer', 'latest', '--by', 'people', '--output', 'people.json');
  expect(report.code).toBe(0);
  expect(report.stdout).toContain(
    'brief wins 0.0 % [0.0, 27.8] of 10 pairs of answers: 0 wins, 0 ties, 10 losses.',
  );
  expect(report.stdout).toContain(
    'Judge judge-1 and people agree on 100.0 % [72.2, 100.0] of the same pairs (10 of 10)',
  );
  expect(report.stdout).toContain('10 of 20 pairs of different answers, drawn at random; 10 blind labels.');
  expect(JSON.parse(await readFile(path.join(folder, 'people.json'), 'utf8'))).toMatchObject({
    task: task.id,
  });

  expect((await start('labels', 'export', 'labels.jsonl')).code).toBe(0);
  const other = await temporaryFolder();
  const imported = await touchstone(['labels', 'import', path.join(folder, 'labels.jsonl')], { cwd: other });
  expect(imported.stdout).toBe('Added 10 labels.\n');
  const exported = await touchstone(['labels', 'export', '-'], { cwd: other });
  expect(exported.stdout).toBe(await readFile(path.join(folder, 'labels.jsonl'), 'utf8'));
  const foreign = await start('labels', 'export', 'x.json', '--format', 'argilla');
  expect([foreign.code, foreign.stderr]).toEqual([4, expect.stringContaining('is about pairs of answers')]);
});

test('a report is not made for a file whose format is unknown', async () => {
  const { code, stderr } = await start('prefer', 'latest', '--output', 'p.pdf');
  expect([code, stderr]).toEqual([4, expect.stringContaining('ends in .html, .md or .json')]);
});

test('without a judge, and without a second target, nothing is asked', async () => {
  const before = server.requests.length;
  const alone = await start('prefer', 'latest', '--target', 'brief');
  expect([alone.code, alone.stderr]).toEqual([4, expect.stringContaining('between two targets or more')]);
  const config = { dataset: 'golden.jsonl', targets: [{ use: 'module', path: 'long.mjs' }] };
  await writeFile(path.join(folder, 'plain.config.yaml'), JSON.stringify(config));
  const { code, stderr } = await start('prefer', 'latest', '--config', 'plain.config.yaml');
  expect([code, stderr]).toEqual([4, expect.stringContaining('none is configured')]);
  expect(server.requests).toHaveLength(before);
});
