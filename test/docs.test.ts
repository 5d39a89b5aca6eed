import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder, touchstone } from './run-cli.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Returns the blocks of a page in a language, in order. */
function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)).flatMap(([, name, block = '']) =>
    name === language ? [block] : [],
  );
}

/** Returns the only block of a page in a language that contains a text. */
function blockWith(page: string, language: string, text: string): string {
  const [block, ...others] = blocksOf(page, language).filter((candidate) => candidate.includes(text));
  if (block === undefined || others.length > 0)
    throw new Error(`${page} has not just one block with ${text}`);
  return block;
}

const question = blockWith('docs/your-own-bot.md', 'json', 'expected_tools');
const reply = { answer: 'It costs $49.', tools: ['price_list'] };

/** Writes files to a new folder, runs the evaluation there and returns the scores of its questions. */
async function totalsOf(files: Readonly<Record<string, string>>, env = {}): Promise<number[]> {
  const cwd = await temporaryFolder();
  const all = { 'golden.jsonl': question, ...files };
  for (const [name, text] of Object.entries(all)) await writeFile(path.join(cwd, name), text);
  const { code, stdout, stderr } = await touchstone(['run', '--json'], { cwd, env });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout).results.map(({ scorecard }: { scorecard: { total: number } }) => scorecard.total);
}

test('the Python bot on the page of five minutes works as written', async () => {
  const bot = `def ask_my_bot(question):\n    return ${JSON.stringify(reply.answer)}, ${JSON.stringify(reply.tools)}\n\n`;
  const totals = await totalsOf({
    'touchstone.config.yaml': blockWith('docs/your-own-bot.md', 'yaml', 'use: command'),
    'bot.py': bot + blockWith('docs/your-own-bot.md', 'python', 'ask_my_bot'),
  });
  expect(totals).toEqual([1]);
});

test('the HTTP bot on the page of five minutes works as written', async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { text, session } = body as Record<string, unknown>;
      seen.push([request.headers.authorization, text, typeof session]);
      response.end(JSON.stringify({ data: { reply: reply.answer, calls: [{ fn: 'price_list' }] } }));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const targets = blockWith('docs/your-own-bot.md', 'yaml', 'use: http').replace('8080', String(port));
  const config = `dataset: golden.jsonl\n${targets}`;
  const totals = await totalsOf({ 'touchstone.config.yaml': config }, { MY_BOT_KEY: 'not-for-logs' });
  server.close();
  expect(totals).toEqual([1]);
  expect(seen.at(-1)).toEqual(['Bearer not-for-logs', JSON.parse(question).question, 'string']);
});

const botModule = `export default () => (${JSON.stringify({ answer: reply.answer, toolCalls: reply.tools })});\n`;

test('the report in the README is the one that `npm start` prints', async () => {
  const store = ['--store', await temporaryFolder()];
  const run = await touchstone(['run', 'examples/property-assistant', '--target', 'v1', ...store], {
    cwd: root,
  });
  for (const part of blockWith('README.md', 'text', 'likely').split('  …\n'))
    expect(run.stdout).toContain(part);
  const { stdout } = await touchstone(['show', ...store], { cwd: root });
  // Two parts of one metric miss terms, and each sentence names its part.
  expect(stdout).toContain('Keywords missing most often: "Dana Poole" twice');
  expect(stdout).toContain('Entities missing most often: "Dana Poole" 3 times');
});

test.each(['setBaseline(', 'deleteRuns(', 'const response', 'weighted'])(
  'the program on the library page with %j prints the output shown',
  async (text) => {
    const cwd = await temporaryFolder();
    await mkdir(path.join(cwd, 'node_modules'));
    await symlink(root, path.join(cwd, 'node_modules', 'touchstone-evals'));
    await writeFile(path.join(cwd, 'program.ts'), blockWith('docs/library.md', 'ts', text));
    const { stdout } = await promisify(execFile)(process.execPath, ['program.ts'], { cwd });
    expect(blocksOf('docs/library.md', 'text')).toContain(stdout);
  },
);

test('the module on the page of five minutes works as written', async () => {
  const config = `dataset: golden.jsonl\n${blockWith('docs/your-own-bot.md', 'yaml', 'use: module')}`;
  expect(await totalsOf({ 'touchstone.config.yaml': config, 'bot.ts': botModule })).toEqual([1]);
});

test('the custom metric on the page of five minutes works in its scorecard', async () => {
  const config = blockWith('docs/your-own-bot.md', 'ts', 'defineMetric');
  expect(await totalsOf({ 'touchstone.config.ts': config, 'bot.ts': botModule })).toEqual([1]);
  const wordy = botModule.replace('It costs', `It costs${' you'.repeat(50)}`);
  expect(
    await totalsOf({
      'touchstone.config.ts': config.replace('failUnder: 85', 'failUnder: 5'),
      'bot.ts': wordy,
    }),
  ).toEqual([0.8]);
});

test('the metric in CONTRIBUTING works as written', async () => {
  const metric = blockWith('CONTRIBUTING.md', 'ts', 'startsWith = ')
    .replace("'../metric.ts'", "'touchstone'")
    .replace("'zod'", "'touchstone'");
  const config = `import { defineConfig } from 'touchstone-evals';
  import { weighted } from 'touchstone-evals/scorecards';
  import { module } from 'touchstone-evals/targets';
import { startsWith } from './starts-with.ts';
export default defineConfig({ dataset: 'golden.jsonl', targets: [module({ path: 'bot.ts' })],
  scorecard: weighted({ criteria: [{ metric: startsWith({ value: 'It' }), weight: 1 }] }) });`;
  const files = { 'touchstone.config.ts': config, 'starts-with.ts': metric, 'bot.ts': botModule };
  expect(await totalsOf(files)).toEqual([1]);
});

test('the conversation on the page of five minutes is held and checked turn by turn', async () => {
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'golden.json'), `[${blockWith('docs/your-own-bot.md', 'json', '"turns"')}]`);
  await writeFile(
    path.join(cwd, 'agent.js'),
    `export default (question, { session, useTool }) => {
      session.memory.asked = [...(session.memory.asked ?? []), question];
      const state = { participants: ['ana', 'ben'] };
      const tool = session.turn === 1 ? 'free_busy' : 'book_event';
      return useTool(tool, {}, () => ({ ok: true })).then(() => ({ answer: 'Done, ' + session.memory.asked.length, state }));
    };`,
  );
  await writeFile(
    path.join(cwd, 'touchstone.config.yaml'),
    `dataset: golden.json
targets: [{ use: module, path: agent.js }]
scorecard: null
metrics: [turn-checks, tool-calls, state-match]
`,
  );
  const { code, stdout, stderr } = await touchstone(['run', '--json'], { cwd });
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  const [{ trial, verdicts }] = JSON.parse(stdout).results;
  expect(trial.answer).toBe('Done, 2');
  expect(Object.values(verdicts).map((verdict) => (verdict as { value?: number }).value)).toEqual([1, 1, 1]);
});
