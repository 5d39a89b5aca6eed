import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { toRules } from '../src/config/load-rules.ts';
import type { PortableRules } from '../src/config/portable-rules.ts';
import type { Result } from '../src/schema/result.ts';
import type { ThreadMessage, ThreadWork } from '../src/worker/thread-messages.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const thread = path.resolve(import.meta.dirname, '../dist/scoring-thread.js');

const config = {
  dataset: 'golden.jsonl',
  targets: [{ use: 'module', path: 'bot.mjs' }],
  scorecard: null,
  metrics: ['keyword-recall'],
};

/** A run of six questions, scored by keywords alone. */
async function keptRun() {
  const cwd = await temporaryFolder();
  const rows = Array.from({ length: 6 }, (_, index) =>
    JSON.stringify({ id: `q${index}`, input: `${index}`, expected: { keywords: ['even'] } }),
  );
  await writeFile(path.join(cwd, 'golden.jsonl'), rows.join('\n'));
  await writeFile(path.join(cwd, 'bot.mjs'), `export default (input) => (input % 2 ? 'odd' : 'even');\n`);
  await writeFile(path.join(cwd, 'touchstone.config.json'), JSON.stringify(config));
  const { stdout } = await touchstone(['run', '--json'], { cwd });
  const { run } = JSON.parse(stdout);
  return { cwd, run };
}

test('the built thread scores its part of a plan, and tells how far it is', async () => {
  const { cwd, run } = await keptRun();
  const { portable } = await toRules({ ...config, metrics: ['answer-length'] }, cwd);
  const workerData: ThreadWork = {
    source: run.id,
    runId: run.id,
    from: 2,
    rules: portable as PortableRules,
    file: path.join(cwd, '.touchstone', 'touchstone.db'),
    options: {},
  };
  const worker = new Worker(thread, { workerData });
  const messages: ThreadMessage[] = [];
  worker.on('message', (message) => messages.push(message));
  expect(await once(worker, 'exit')).toEqual([0]);
  expect(messages).toEqual([{ type: 'kept', to: 6 }, { type: 'done' }]);
  const { stdout } = await touchstone(['show', run.id, '--json', '--verbose'], { cwd });
  const metrics = JSON.parse(stdout).results.map(({ verdicts }: Result) => Object.keys(verdicts));
  expect(metrics).toEqual([
    ...Array.from({ length: 2 }, () => ['keyword-recall']),
    ...Array.from({ length: 4 }, () => ['answer-length']),
  ]);
});
