import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type ModelServer, startModelServer } from '../src/library/testing/model-server/model-server.ts';
import { temporaryFolder } from './run-cli.ts';
import { atFileEnd } from './support/file-end.ts';

const servers: ModelServer[] = [];
atFileEnd(async () => {
  await Promise.all(servers.splice(0).map(async (server) => await server.close()));
});

/** A row of the dataset. */
export interface Row {
  readonly id: string;
  readonly question: string;
  readonly expected_keywords: readonly string[];
}

/** The settings of a project with a paid bot and a paid judge. */
export interface PaidProjectOptions {
  readonly cases: number;
  /** Calls in flight at a time, to the bot and to the judge each. */
  readonly concurrency?: number;
  /** Time that the bot and the judge take for an answer. */
  readonly delayMs?: number;
}

/** A project whose bot and judge count their calls. */
export type PaidProject = Awaited<ReturnType<typeof writePaidProject>>;

/**
 * Creates a project whose bot and judge are servers of this process: they count every call, survive the killed runs, and
 * name the number of the call in each answer.
 */
export async function writePaidProject({ cases, concurrency = 3, delayMs = 0 }: PaidProjectOptions) {
  const folder = await temporaryFolder();
  const bot = await startModelServer(({ index }) => ({ text: `yes, call ${index}`, delayMs }));
  const judge = await startModelServer(({ index }) => ({
    judgement: { reason: `It does, call ${index}.`, score: 0.75 },
    delayMs,
  }));
  servers.push(bot, judge);
  const golden = Array.from({ length: cases }, (_, number) => rowOf(number));
  const writeRows = async (rows: readonly Row[]) =>
    await writeFile(path.join(folder, 'golden.jsonl'), rows.map((row) => JSON.stringify(row)).join('\n'));
  const body = { model: 'bot', messages: '{{messages}}' };
  const config = {
    dataset: 'golden.jsonl',
    targets: [
      { use: 'http', url: `${bot.url}/chat/completions`, body, answer: 'choices[0].message.content' },
    ],
    judge: {
      use: 'chat-model',
      model: { use: 'openai-chat', model: 'judge', baseUrl: judge.url },
      concurrency,
    },
    metrics: [rubricOf('It is polite.')],
    concurrency,
  };
  /** Writes the config with changed settings, under another name if one is given. */
  const writeConfig = async (settings: object = {}, name = 'touchstone.config.yaml') =>
    await writeFile(path.join(folder, name), JSON.stringify({ ...config, ...settings }));
  await writeRows(golden);
  await writeConfig();
  return { folder, bot, judge, golden, config, concurrency, writeRows, writeConfig };
}

/** Returns the row of the dataset at a position. */
export function rowOf(number: number): Row {
  return { id: `q${number}`, question: `question ${number}`, expected_keywords: ['yes'] };
}

/** Returns a judged metric with a rubric. */
export function rubricOf(text: string) {
  return { use: 'rubric', text } as const;
}

/** Resolves when no call of a killed process can arrive any more. */
export async function untilSilent({ bot, judge }: Pick<PaidProject, 'bot' | 'judge'>): Promise<void> {
  while (bot.connections + judge.connections > 0) await wait(2);
}
