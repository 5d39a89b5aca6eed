import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Result } from '../src/core/schema/result.ts';
import { temporaryFolder } from './run-cli.ts';
import { readLatestResults } from './stored-run.ts';

const bot = `import { appendFileSync, readFileSync } from 'node:fs';
export default async function (question) {
  appendFileSync('calls.txt', question + '\\n');
  const calls = readFileSync('calls.txt', 'utf8').split('\\n').length - 1;
  await new Promise((resolve) => setTimeout(resolve, Number(process.env.SLOW_MS ?? 0)));
  return { answer: 'yes, call ' + calls, cost: 0.01 };
}
`;

/** Creates a project whose bot takes SLOW_MS for an answer, costs a cent, numbers its answers and notes every call. */
export async function writeSlowProject({ cases, concurrency }: { cases: number; concurrency: number }) {
  const folder = await temporaryFolder();
  const rows = Array.from({ length: cases }, (_, index) =>
    JSON.stringify({
      id: `q${index}`,
      question: `question ${index}`,
      expected_keywords: ['yes'],
      category: `c${index % 3}`,
    }),
  );
  await writeFile(path.join(folder, 'golden.jsonl'), rows.join('\n'));
  await writeFile(path.join(folder, 'bot.mjs'), bot);
  await writeFile(
    path.join(folder, 'touchstone.config.yaml'),
    `dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs }]\nconcurrency: ${concurrency}\ntimeLimitMs: 3600000\n`,
  );
  const readCalls = async (): Promise<string[]> => {
    const text = await readFile(path.join(folder, 'calls.txt'), 'utf8').catch(() => '');
    return text.split('\n').filter((line) => line !== '');
  };
  return {
    folder,
    /** Returns every question to the bot, in order. */
    readCalls,
    /** Resolves once the bot was called a number of times. */
    untilCalled: async (times: number): Promise<void> => {
      while ((await readCalls()).length < times) await wait(5);
    },
    /** Reads the stored results of the latest run. */
    readKept: async (): Promise<Result[]> => await readLatestResults(folder),
  };
}
