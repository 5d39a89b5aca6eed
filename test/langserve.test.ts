import { spawn, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '../scripts/find-free-port.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';

const hasLangserve = spawnSync('python3', ['-c', 'import langserve, sse_starlette, uvicorn']).status === 0;

const questions = [
  { id: 'price', question: 'What does the lamp cost?', expected_keywords: ['49'] },
  { id: 'closed', question: 'fail', expected_keywords: ['49'] },
];

test.skipIf(!hasLangserve)(
  'LangServe: the package itself, whole, streamed and as events, with equal answers, and no answer where it breaks off (needs the Python package of langserve)',
  async () => {
    const port = await findFreePort();
    const bot = spawn(
      'python3',
      [path.join(import.meta.dirname, 'support', 'langserve-bot.py'), String(port)],
      { stdio: 'ignore' },
    );
    onTestFinished(() => void bot.kill());
    const url = `http://127.0.0.1:${port}`;
    while ((await fetch(`${url}/docs`).catch(() => undefined))?.ok !== true && bot.exitCode === null)
      await pause(50);
    const cwd = await temporaryFolder();
    await writeFile(path.join(cwd, 'golden.jsonl'), questions.map((row) => JSON.stringify(row)).join('\n'));
    const body = `body: { input: { question: '{{input}}' } }`;
    const targets = ['invoke', 'stream', 'stream_events'].map(
      (name) => `  - { use: http, name: ${name}, url: ${url}/bot/${name}, ${body} }`,
    );
    await writeFile(
      path.join(cwd, 'touchstone.config.yaml'),
      `dataset: golden.jsonl\nmetrics: [keywords]\nmaxRetries: 0\ntargets:\n${targets.join('\n')}\n`,
    );
    await touchstone(['run'], { cwd });
    const trials = (await readLatestResults(cwd)).map(({ trial }) => trial);
    const of = (target: string, id: string) =>
      trials.find((trial) => trial.target === target && trial.caseId === id);
    for (const target of ['invoke', 'stream', 'stream_events']) {
      expect(of(target, 'price')).toMatchObject({
        answer: 'It costs 49 dollars. Grüße 🙂',
        usage: { inputTokens: 7, outputTokens: 5 },
      });
      expect(of(target, 'price')).not.toHaveProperty('toolsUnknown');
    }
    for (const target of ['stream', 'stream_events']) {
      expect(of(target, 'price')?.latency?.firstTokenMs).toBeGreaterThan(0);
      // What came before the model failed is kept, and is no answer.
      expect(of(target, 'closed')).toMatchObject({
        answer: null,
        error: {
          code: 'target-reported-error',
          message: 'The target reported in its stream: Internal Server Error',
        },
      });
      expect(of(target, 'closed')?.transcript.at(-1)?.content).toBe('It costs ');
    }
    expect(of('invoke', 'closed')?.error).toMatchObject({ code: 'http-status' });
  },
);
