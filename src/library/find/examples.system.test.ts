import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import {
  answer,
  leaves,
  metricTrials,
  otherTrials,
  question,
  reply,
  row,
  type Trying,
} from '../../../test/support/example-trials.ts';
import { python } from '../../../test/support/terminal.ts';
import type { TouchstoneError } from '../../core/errors.ts';
import { randomId } from '../../core/lib/random-id.ts';
import type { Result } from '../../core/schema/result.ts';
import { providers } from '../../evaluate/models/providers/table.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { run } from '../api/runs/run.ts';
import type { Config } from '../config/config.ts';
import type { ExtensionKind } from '../config/definitions.ts';
import { startModelServer } from '../testing/model-server/model-server.ts';
import { findDefinitions } from './find-definitions.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-examples-'));
/** A model that answers the question, judges an answer, and plays a user who has what it wants. */
const server = await startModelServer(({ body }) => {
  const text = JSON.stringify(body);
  if (text.includes('goal-met')) return { text: leaves };
  return text.includes('judge') ? { judgement: { reason, score: 1 } } : { text: answer };
});
const keys = ['ANTHROPIC_API_KEY', 'GEMINI_API_KEY', ...providers.map(({ apiKeyEnv = '' }) => apiKeyEnv)];
for (const key of keys) if (key !== '') vi.stubEnv(key, 'unused');
afterAll(async () => {
  vi.unstubAllEnvs();
  await server.close();
  rmSync(folder, { recursive: true });
});

writeFileSync(path.join(folder, 'my-metric.ts'), `export default ({ state }) => state.order === 'open';`);

const supports = { reason: 'The list says so.', supported: true, passage: 'The lamp costs 49 dollars.' };
const finds = { reason: 'There is none.', supported: false, passage: '' };
const checks = (count: number, check = supports) =>
  Array.from({ length: count }, (_, index) => ({ claim: index + 1, ...check }));
const reason = 'It names the price.';

/** A judge that needs no model, and finds nothing to object to. */
const judge: Config['judge'] = {
  use: 'scripted-judge',
  rules: [
    { about: 'moderation', reply: { checks: checks(5, finds) } },
    { about: 'context-precision', reply: { checks: checks(1) } },
    { about: 'context-recall-claims', reply: { claims: ['The lamp costs 49 dollars.'] } },
    { about: 'groundedness-claims', reply: { claims: ['The lamp costs 49 dollars.'] } },
    { about: 'context-recall-checks', reply: { checks: checks(1) } },
    { about: 'groundedness-checks', reply: { checks: checks(1) } },
    { about: 'judged-label', reply: { reason, label: 'friendly' } },
    { about: 'question', reply: { reason, quote: 'You get a refund within 14 days', verdict: 'yes' } },
    { reply: { reason, score: 1 } },
  ],
};

const embedder = { use: 'openai-embeddings', model: 'any', baseUrl: server.url };

/** Evaluates one question by a part of a config, and returns what came of it. */
async function measure(
  settings: Partial<Config>,
  { row: own, reply: replied, bot, recorded, options, config }: Trying = {},
): Promise<Result> {
  writeFileSync(path.join(folder, 'golden.jsonl'), JSON.stringify({ ...row, ...own }));
  const plain = `export default () => (${JSON.stringify({ ...reply, ...replied })});`;
  const file = `answers-${randomId()}.${recorded === undefined ? 'mjs' : 'jsonl'}`;
  writeFileSync(path.join(folder, file), recorded === undefined ? (bot ?? plain) : JSON.stringify(recorded));
  const { results } = await run(
    {
      dataset: 'golden.jsonl',
      targets: [{ use: recorded === undefined ? 'module' : 'replay', path: file, ...options }],
      scorecard: null,
      metrics: ['keywords'],
      ...config,
      ...settings,
    },
    { folder, store: createMemoryStore() },
  );
  // The last is the one under a condition, where there is one.
  const last = (await Array.fromAsync(results())).at(-1);
  return last ?? expect.fail('nothing was asked');
}

const examplesOf = (kind: ExtensionKind) =>
  findDefinitions([kind]).hits.map((one) => [one.name, one] as const);

test.each(examplesOf('metric'))(
  'the example of the metric %s gives a score, and one that asks a judge is refused where there is none',
  async (name, { example, needs }) => {
    const given = metricTrials[name] ?? {};
    const settings = parse(example) as Partial<Config>;
    const asked = { ...given, config: { judge, embedder, ...given.config } };
    const { verdicts, trial } = await measure(settings, asked);
    expect([trial.error, verdicts[name]]).toMatchObject([
      undefined,
      { status: 'scored', value: given.value ?? 1 },
    ]);
    const alone = await measure(settings, given).catch((error: TouchstoneError) => error.code);
    const wanted = { judge: 'judge-missing', embedder: 'config-invalid' };
    const [missing] = needs.map((need) => wanted[need as keyof typeof wanted]);
    if (missing === undefined) expect(alone).toMatchObject({ verdicts: { [name]: { status: 'scored' } } });
    else expect(alone).toBe(missing);
  },
);

/** Opens a server at a free port of this machine, and returns the port. */
async function listen(opened: Server): Promise<number> {
  opened.listen(0, '127.0.0.1');
  await once(opened, 'listening');
  return (opened.address() as AddressInfo).port;
}

/** A port that was free a moment ago, for a target that listens itself. */
const spare = createServer();
const listening = await listen(spare);
spare.close();
/** A bot that replies; at the path `/events` it also posts its answer to where the example of `webhook` listens. */
const bots = createServer((request, response) => {
  let text = '';
  request.setEncoding('utf8').on('data', (piece: string) => (text += piece));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ reply: answer }));
    if (request.url !== '/events') return;
    const { channel } = JSON.parse(text) as { channel: string };
    const message = JSON.stringify({ channel, text: answer });
    void fetch(`http://127.0.0.1:${listening}`, { method: 'POST', body: message });
  });
});
const port = String(await listen(bots));
afterAll(() => bots.close());

/** Puts the servers of this test in the place of those that an example names; all else is as it is shown. */
function atOwnServers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(atOwnServers);
  if (typeof value !== 'object' || value === null) return value;
  const own = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, atOwnServers(part)]));
  const { model, url, listen: place } = own;
  return {
    ...own,
    ...(typeof model === 'string' && { baseUrl: server.url }),
    ...(typeof url === 'string' && { url: url.replace('3000', port) }),
    ...(place !== undefined && { listen: { port: listening } }),
  };
}

const files: Readonly<Record<string, string>> = {
  'bot.py': `import json, sys
for line in sys.stdin:
    print(json.dumps({"id": json.loads(line)["id"], "answer": ${JSON.stringify(answer)}}), flush=True)
`,
  'bot.ts': `export default (question: string): string => ${JSON.stringify(answer)};\n`,
  'faq.jsonl': JSON.stringify({ question, answer }),
  'answers.jsonl': JSON.stringify({ question, answer }),
  'handbook.md': answer,
};
for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);

/** Examples that are not run: their addresses are made of an account's names, or they need code, a model's file or python3. */
const elsewhere = new Set(['ai-sdk', 'azure', 'bedrock', 'node-llama-cpp', 'vertex']);
if (python === '') elsewhere.add('command');
/** The metric that uses what an example sets, where that is not the answer alone. */
const metricOf: Readonly<Partial<Record<ExtensionKind, string>>> = {
  judge: 'relevance',
  embedder: 'semantic-similarity',
};

for (const kind of ['target', 'model', 'judge', 'scorecard', 'user', 'embedder'] as const) {
  const examples = examplesOf(kind).filter(([name]) => !elsewhere.has(name));
  test.each(examples)(
    `the example of the ${kind} %s brings an answer and its score`,
    async (name, { example }) => {
      const settings = atOwnServers(parse(example)) as Partial<Config>;
      const metric = metricOf[kind] ?? 'keywords';
      const { trial, verdicts, scorecard } = await measure(
        { metrics: [metric], ...settings },
        otherTrials[name],
      );
      expect([trial.error, verdicts[metric]]).toMatchObject([undefined, { status: 'scored', value: 1 }]);
      expect(scorecard?.passed).toBe(kind === 'scorecard' ? true : undefined);
    },
  );
}
