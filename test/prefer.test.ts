import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { PreferenceReport } from '../src/schema/api/preference-report.ts';
import { startModelServer } from '../src/testing/model-server/model-server.ts';
import type { ReceivedRequest } from '../src/testing/model-server/script.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

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
  expect(await readFile(path.join(folder, 'p.md'), 'utf8')).toContain('**`long` is preferred to `brief`.**');
  expect(JSON.parse(await readFile(path.join(folder, 'p.json'), 'utf8')).pairs).toEqual(report.pairs);
  expect(server.requests).toHaveLength(asked.length);
  expect(again.code).toBe(0);
  expect(again.stdout).toContain('long is preferred to brief');
  expect(again.stdout).toContain(
    'brief wins 0.0 % [0.0, 16.1] of 20 pairs of answers: 0 wins, 0 ties, 20 losses.',
  );
  expect(again.stdout).toContain('no calls: all judgements were stored');
});

test('a report is not made for a file whose format is unknown', async () => {
  const { code, stderr } = await start('prefer', 'latest', '--output', 'p.pdf');
  expect([code, stderr]).toEqual([4, expect.stringContaining('ends in .md or .json')]);
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
