import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Trial } from '../src/core/schema/trial.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';
import { readLatestResults, readStoredRuns } from './stored-run.ts';
import { findFreePort } from '../scripts/find-free-port.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const root = path.resolve(import.meta.dirname, '..');
const folder = await temporaryFolder();
const hasPython = spawnSync('python3', ['--version']).status === 0;
const isWindows = process.platform === 'win32';

const atEnd: (() => unknown)[] = [];
afterAll(async () => {
  for (const end of atEnd) await end();
});

/** Copies an example, so that its runs leave the original unchanged. */
async function copyExample(name: string): Promise<string> {
  const copy = path.join(folder, name);
  await cp(path.join(root, 'examples', name), copy, {
    recursive: true,
    filter: (file) => !file.includes('.touchstone'),
  });
  return copy;
}

/** Creates a project of a few files. A value that is not text is written as JSON, which is valid YAML. */
async function writeProject(name: string, files: Readonly<Record<string, unknown>>): Promise<string> {
  const project = path.join(folder, name);
  await mkdir(project);
  for (const [file, content] of Object.entries(files)) {
    await writeFile(
      path.join(project, file),
      typeof content === 'string' ? content : JSON.stringify(content),
    );
  }
  return project;
}

/** Returns the stored trials of the last run by the id of their case. */
async function storedTrials(cwd: string): Promise<Readonly<Record<string, Trial>>> {
  const results = await readLatestResults(cwd);
  return Object.fromEntries(results.map(({ trial }) => [trial.caseId, trial]));
}

/** Returns the ids of the cases that did not pass, from a report as JSON. */
function failedCases(report: string): string[] {
  const { results } = JSON.parse(report) as {
    results: { case: { id: string }; scorecard: { passed: boolean } }[];
  };
  return results.flatMap((row) => (row.scorecard.passed ? [] : [row.case.id]));
}

type Handle = (
  body: Readonly<Record<string, string>>,
  response: ServerResponse,
  request: IncomingMessage,
) => void;

/** Starts a server that hands the posted body to a function, and returns its URL. */
async function serve(handle: Handle): Promise<string> {
  const server = createServer((request, response) => {
    void Array.fromAsync(request).then((chunks) => {
      handle(JSON.parse(Buffer.concat(chunks).toString()), response, request);
    });
  }).listen(0, '127.0.0.1');
  atEnd.push(() => server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

async function countCodeLines(file: string): Promise<number> {
  const lines = (await readFile(path.join(root, 'examples', file), 'utf8')).split('\n');
  return lines.filter((line) => line.trim() !== '').length;
}

test.skipIf(!hasPython)('the Python bot scores as its README says (needs python3)', async () => {
  expect(await countCodeLines('python-bot/bot.py')).toBeLessThanOrEqual(30);
  const cwd = await copyExample('python-bot');
  const { code, stdout } = await touchstone(['run'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^9 passed · 1 failed · 0 errors$/m);
  expect(stdout).toMatch(/^That question: touchstone show \S+ --case price-three-teas$/m);
  const totals = (await readLatestResults(cwd)).map(({ scorecard }) => scorecard?.total);
  expect(totals).toEqual([...Array(9).fill(1), expect.closeTo(0.4 + 0.2, 12)]);
  expect((await storedTrials(cwd))['price-lunch']).toMatchObject({
    answer: '1 x coffee and sandwich: 9.20 dollars.',
    transcript: [{ role: 'user' }, { toolCalls: [{ name: 'price_lookup', result: 9.2 }] }],
  });
});

test('the bot that searches documents scores as its README says', async () => {
  const cwd = await copyExample('rag-bot');
  const { code, stdout } = await touchstone(['run', '--json'], { cwd });
  expect(code).toBe(0);
  expect(failedCases(stdout)).toEqual(['fee-penalty', 'workshop-children']);
  expect((await storedTrials(cwd))['fee-late']).toMatchObject({
    answer: 'A tool that is late costs 1.50 dollars a day, up to 30 dollars.',
    documents: [{ id: 'fees' }, expect.anything(), expect.anything()],
  });
  const bot = path.join(cwd, 'bot.ts');
  const source = await readFile(bot, 'utf8');
  const mended = source
    .replace('question);', "question.replace('overdue', 'late').replace('penalty', 'cost'));")
    .replace('leastShare = 0.4', 'leastShare = 0.2');
  await writeFile(bot, mended);
  expect((await touchstone(['run'], { cwd })).stdout).toContain('20 passed · 0 failed');
  // The gate fails a bot that always answers with the nearest document.
  await writeFile(
    bot,
    mended.replace('leastShare = 0.2', 'leastShare = -1').replace('.filter(({ score }) => score > 0)', ''),
  );
  const guessing = await touchstone(['run'], { cwd });
  expect(guessing.code).toBe(1);
  expect(guessing.stdout).toContain('knows what it does not know');
});

test.each<[string, readonly string[]]>([
  ['ai-sdk-agent', []],
  ['mcp-server', []],
  ['openai-server', ['parking']],
])('examples/%s starts with one command, and scores as its README says', async (name, failed) => {
  const store = path.join(folder, `store-${name}`);
  const cwd = path.join(root, 'examples', name);
  const { code, stdout } = await touchstone(['run', '--json', '--store', store], { cwd, isAlone: true });
  expect(code).toBe(0);
  expect(failedCases(stdout)).toEqual(failed);
});

test.for([
  { target: 'langgraph', module: 'langchain.agents' },
  { target: 'agents-sdk', module: 'agents' },
  { target: 'pydantic-ai', module: 'pydantic_ai' },
])(
  'the Python agent of $target scores as its README says (needs the Python package of $target)',
  async ({ target, module }, context) => {
    const { status, stderr } = spawnSync('python3', ['-c', `import ${module}`], { encoding: 'utf8' });
    const why = stderr?.trim().split('\n').at(-1) ?? 'there is no python3';
    if (status !== 0) return context.skip(`what examples/python-agents requires is not installed: ${why}`);
    const cwd = await copyExample('python-agents');
    const { code, stdout } = await touchstone(['run', '--target', target, '--json'], { cwd });
    expect(code).toBe(0);
    expect(failedCases(stdout)).toEqual(['refund-insisting']);
    const { 'refund-delivered': refund, 'status-unknown': unknown } = await storedTrials(cwd);
    expect(refund?.transcript.at(-1)).toMatchObject({
      content: 'I have refunded 180.00 dollars for your office chair.',
      toolCalls: [
        { name: 'find_order', arguments: { order_id: 'A-101' }, result: { status: 'delivered', total: 180 } },
        { name: 'refund_order', arguments: { order_id: 'A-101', amount: 180 }, result: { refunded: 180 } },
      ],
    });
    expect(unknown?.answer).toBe('I do not know an order A-999.');
    expect(stdout).toContain('1 of 1 failed calls dealt with');
  },
);

test.skipIf(!hasPython)(
  'messages of agents become replies without either framework installed (needs python3)',
  async () => {
    const cwd = await copyExample('python-agents');
    const program = `
from types import SimpleNamespace as Record
from replies import reply_from_messages, reply_from_result
import json
calls = [{"id": "1", "name": "find", "args": {"n": 1}}, {"id": "2", "name": "find", "args": {}}]
asked = Record(type="ai", text="", tool_calls=calls, usage_metadata={"input_tokens": 5, "output_tokens": 2})
found = Record(type="tool", tool_call_id="2", status="success", text='{"found": true}')
failed = Record(type="tool", tool_call_id="1", status="error", text="no such thing")
said = Record(type="ai", text="Found.", tool_calls=[], usage_metadata={"input_tokens": 9, "output_tokens": 1})
print(json.dumps(reply_from_messages([asked, found, failed, said])))
call = Record(type="tool_call_item", call_id="1", tool_name="find", raw_item=Record(arguments='{"n": 1}'))
output = Record(type="tool_call_output_item", call_id="1", output={"found": True})
used = Record(usage=Record(input_tokens=0, output_tokens=0, total_tokens=0))
items = [call, output, Record(type="message_output_item")]
print(json.dumps(reply_from_result(Record(new_items=items, final_output="Found.", context_wrapper=used))))
`;
    const { stdout, stderr } = spawnSync('python3', ['-c', program], { cwd, encoding: 'utf8' });
    expect(stderr).toBe('');
    const replies = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(replies).toEqual([
      {
        answer: 'Found.',
        tool_calls: [
          { name: 'find', arguments: { n: 1 }, error: 'no such thing' },
          { name: 'find', arguments: {}, result: { found: true } },
        ],
        usage: { input_tokens: 14, output_tokens: 3 },
      },
      {
        answer: 'Found.',
        tool_calls: [{ name: 'find', arguments: { n: 1 }, result: { found: true } }],
        usage: null,
      },
    ]);
  },
);

test('the HTTP bot scores as its README says', async () => {
  expect(await countCodeLines('http-bot/server.mjs')).toBeLessThanOrEqual(10);
  const cwd = await copyExample('http-bot');
  const port = await findFreePort();
  const config = path.join(cwd, 'touchstone.config.yaml');
  await writeFile(config, (await readFile(config, 'utf8')).replace(':8080', `:${port}`));
  const unreachable = await touchstone(['run'], { cwd });
  expect(unreachable.code).toBe(4);
  expect(unreachable.stderr).toContain(`127.0.0.1:${port}`);
  const server = spawn(process.execPath, ['server.mjs'], { cwd, env: { ...process.env, PORT: `${port}` } });
  atEnd.push(() => server.kill());
  await expect.poll(async () => await isListening(port)).toBe(true);
  const { code, stdout } = await touchstone(['run', '--json'], { cwd });
  expect(code).toBe(0);
  const { results } = JSON.parse(stdout);
  const totals = results.map(({ scorecard }: { scorecard: { total: number } }) => scorecard.total);
  expect(totals).toEqual([...Array(6).fill(1), expect.closeTo(0.2, 12)]);
});

async function isListening(port: number): Promise<boolean> {
  return await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"input": ""}' }).then(
    ({ ok }) => ok,
    () => false,
  );
}

test('a bot with its own reply format is read by paths, and its key never reaches the disk', async () => {
  const seen: unknown[] = [];
  const url = await serve(({ q }, response, { headers }) => {
    seen.push([headers.authorization, q]);
    const data = { reply: `You asked: ${q}`, calls: [{ fn: 'search' }, { fn: 'read' }] };
    response.end(JSON.stringify({ data, meta: { tokens: { prompt_tokens: 7 } } }));
  });
  const cwd = await writeProject('other-shape', {
    'golden.jsonl': { id: 'lease', question: 'Find the lease', expected_tools: ['read'] },
    'touchstone.config.yaml': {
      dataset: 'golden.jsonl',
      targets: [
        {
          use: 'http',
          url,
          headers: { Authorization: 'Bearer {{env.BOT_KEY}}' },
          body: { q: '{{input}}' },
          answer: 'data.reply',
          toolCalls: 'data.calls[*].fn',
          usage: 'meta.tokens',
        },
      ],
    },
  });
  const withoutKey = await touchstone(['run'], { cwd, env: { BOT_KEY: undefined } });
  expect([withoutKey.code, withoutKey.stderr]).toEqual([4, expect.stringContaining('BOT_KEY')]);
  const { code, stdout } = await touchstone(['run', '--verbose'], { cwd, env: { BOT_KEY: 'open-sesame' } });
  expect([code, seen]).toEqual([0, [['Bearer open-sesame', 'Find the lease']]]);
  const { lease } = await storedTrials(cwd);
  expect(lease).toMatchObject({
    answer: 'You asked: Find the lease',
    transcript: [{}, { toolCalls: [{ name: 'search' }, { name: 'read' }] }],
    usage: { inputTokens: 7 },
  });
  const store = path.join(cwd, '.touchstone');
  const kept = await Promise.all(
    (await readdir(store)).map((file) => readFile(path.join(store, file), 'latin1')),
  );
  expect(kept.join('')).toContain('You asked');
  expect([stdout, ...kept].join('')).not.toContain('open-sesame');
});

/** The questions to misbehaving bots, all in one run, with a good one at the end. */
const scenarios = ['null', 'nan', 'large', 'nul', 'not-utf8', 'html', 'nothing', 'throw', 'exit', 'good'];
const goldenRows = scenarios
  .map((id) => JSON.stringify({ id, question: id, expected_keywords: [], expected_tools: [] }))
  .join('\n');
const good = { status: 'completed', answer: 'fine' };
const nul = { status: 'completed', answer: 'before\u0000after' };
const large = { status: 'completed', answer: 'x'.repeat(5e6) };
const failed = (code: string, ...words: string[]) => ({
  status: 'failed',
  answer: null,
  error: { code, message: expect.stringMatching(words.join('.*')) },
});
const nothing = failed('no-answer', 'gave no answer');
const late = failed('timeout', String.raw`\d+ ms`);

/** The files of a bot, and the questions to which it gives no reply. */
interface Scenarios {
  readonly files?: Readonly<Record<string, string>>;
  readonly hanging?: readonly string[];
}

/**
 * Runs a target over all scenarios, checks report and exit code, and returns the recorded trials. Where a question that has a reply runs out
 * of time, since the machine is slow, all begins again with more of it.
 */
async function runScenarios(
  name: string,
  target: object,
  { files = {}, hanging = ['nothing'] }: Scenarios = {},
) {
  for (const timeLimitMs of [2500, 10_000]) {
    const found = await tryScenarios({ name, ...target }, files, timeLimitMs);
    const isLate = (id: string) => found.trials[id]?.error?.code === 'timeout';
    if (scenarios.filter(isLate).length <= hanging.length) return found;
  }
  return await tryScenarios({ name, ...target }, files, 60_000);
}

async function tryScenarios(
  target: { readonly name: string },
  files: Readonly<Record<string, string>>,
  timeLimitMs: number,
) {
  const config = { dataset: 'golden.jsonl', targets: [target], timeLimitMs, maxRetries: 0 };
  const cwd = await writeProject(`${target.name}-${timeLimitMs}`, {
    ...files,
    'golden.jsonl': goldenRows,
    'touchstone.config.json': config,
  });
  const { code, stdout } = await touchstone(['run', '--json'], { cwd });
  const trials = await storedTrials(cwd);
  const errors = Object.values(trials).filter(({ status }) => status === 'failed').length;
  const { summary } = JSON.parse(stdout);
  expect(code).toBe(2);
  expect(summary.decision.outcome).toBe('not-measured');
  expect(summary.targets[0]).toMatchObject({
    counts: { planned: scenarios.length, measured: scenarios.length - errors, errors, notRun: 0 },
    score: { n: scenarios.length - errors },
  });
  return { cwd, trials };
}

const misbehave = `
  const say = (id, answer) => process.stdout.write(JSON.stringify({ id, answer }) + '\\n');
  const replies = {
    null: (id) => say(id, null),
    nan: (id) => process.stdout.write('{"id": "' + id + '", "answer": NaN}\\n'),
    large: (id) => say(id, 'x'.repeat(5e6)),
    nul: (id) => say(id, 'before\\u0000after'),
    'not-utf8': (id) => process.stdout.write(Buffer.from('{"id": "' + id + '", "answer": "caf\\xe9"}\\n', 'latin1')),
    html: () => process.stdout.write('<html><h1>502 Bad Gateway</h1></html>\\n'),
    nothing: () => setInterval(() => {}, 1000),
    throw: () => { throw new Error('no such table: leases'); },
    exit: () => process.exit(3),
    good: (id) => say(id, 'fine'),
  };`;

test
  .skipIf(isWindows || !isReleaseTested)
  .concurrent(
    'a misbehaving process fails only its own questions and leaves nothing behind (needs TOUCHSTONE_TEST_ALL=1)',
    async ({ expect }) => {
      const { cwd, trials } = await runScenarios(
        'lines',
        { use: 'command', command: [process.execPath, 'bot.mjs'], processes: 4, closeTimeLimitMs: 300 },
        {
          hanging: ['html', 'nothing'],
          files: {
            'bot.mjs': `
        import { spawn } from 'node:child_process';
        import { appendFileSync } from 'node:fs';
        import { createInterface } from 'node:readline';
        const helper = spawn('sleep', ['1000'], { stdio: 'ignore' });
        appendFileSync('pids.txt', process.pid + '\\n' + helper.pid + '\\n');
        ${misbehave}
        for await (const line of createInterface({ input: process.stdin })) {
          const { id, input } = JSON.parse(line);
          process.stderr.write('asked for ' + input + '\\n');
          replies[input](id);
        }`,
          },
        },
      );
      expect(trials).toMatchObject({
        null: nothing,
        nan: failed('invalid-reply', 'not valid JSON', 'NaN'),
        large,
        nul,
        'not-utf8': failed('invalid-utf8', 'UTF-8'),
        html: late,
        nothing: late,
        throw: failed('process-exited', 'exit code 1'),
        exit: failed('process-exited', 'exit code 3'),
        good,
      });
      for (const id of scenarios) expect(trials[id]?.logs).toContain(`asked for ${id}`);
      expect(trials['throw']?.logs).toContain('no such table: leases');
      expect(trials['html']?.logs).toContain('502 Bad Gateway');
      const shown = await touchstone(['show', '--verbose'], { cwd });
      expect([shown.code, shown.stdout.includes('\u0000')]).toEqual([0, false]);
      // NUL, five million characters and all failures survive an export and an import.
      expect((await touchstone(['export', '--output', 'run.jsonl'], { cwd })).code).toBe(0);
      expect((await touchstone(['import', 'run.jsonl', '--store', 'other'], { cwd })).code).toBe(0);
      const again = await touchstone(['export', '--store', 'other'], { cwd });
      expect(again.code).toBe(0);
      expect(again.stdout === (await readFile(path.join(cwd, 'run.jsonl'), 'utf8'))).toBe(true);
      const pids = (await readFile(path.join(cwd, 'pids.txt'), 'utf8')).trim().split('\n').map(Number);
      expect(pids.length).toBeGreaterThanOrEqual(8);
      await expect.poll(() => pids.filter(isRunning)).toEqual([]);
    },
  );

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test.concurrent('a misbehaving process per question fails only its own question', async () => {
  const { trials } = await runScenarios(
    'once',
    { use: 'command', command: [process.execPath, 'bot.mjs', '{{input}}'], mode: 'once', processes: 4 },
    {
      files: {
        'bot.mjs': `
        ${misbehave}
        const [, , input] = process.argv;
        process.stderr.write('asked for ' + input + '\\n');
        replies[input]('1');`,
      },
    },
  );
  expect(trials).toMatchObject({
    null: nothing,
    nan: { status: 'completed', answer: '{"id": "1", "answer": NaN}' },
    large,
    nul,
    'not-utf8': failed('invalid-utf8', 'UTF-8'),
    html: { status: 'completed', answer: '<html><h1>502 Bad Gateway</h1></html>' },
    nothing: late,
    throw: failed('process-failed', 'exit code 1'),
    exit: failed('process-failed', 'exit code 3'),
    good,
  });
  for (const id of scenarios) expect(trials[id]?.logs).toContain(`asked for ${id}`);
});

test.concurrent('a misbehaving server fails only its own questions', async () => {
  const say = (response: ServerResponse, answer: unknown) => response.end(JSON.stringify({ answer }));
  const replies: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
    null: (response) => say(response, null),
    nan: (response) => response.end('{"answer": NaN}'),
    large: (response) => say(response, large.answer),
    nul: (response) => say(response, nul.answer),
    'not-utf8': (response) => response.end(Buffer.from('{"answer": "caf\xe9"}', 'latin1')),
    html: (response) => response.setHeader('content-type', 'text/html').end('<h1>Sign in</h1>'),
    nothing: () => {},
    throw: (response) => response.writeHead(500).end('no such table: leases'),
    exit: (response) => response.destroy(),
    good: (response) => say(response, 'fine'),
  };
  const url = await serve(({ input = '' }, response) => {
    response.setHeader('content-type', 'application/json');
    replies[input]?.(response);
  });
  const { trials } = await runScenarios('server', { use: 'http', url });
  expect(trials).toMatchObject({
    null: nothing,
    nan: failed('invalid-reply', 'not JSON', 'NaN'),
    large,
    nul,
    'not-utf8': failed('invalid-utf8', 'UTF-8'),
    html: failed('invalid-reply', 'web page', 'Sign in'),
    nothing: late,
    throw: failed('http-status', '500', 'no such table: leases'),
    exit: failed('connection-failed', 'closed'),
    good,
  });
});

test.concurrent('a misbehaving function fails only its own questions, even when it calls process.exit', async () => {
  const { trials } = await runScenarios(
    'function',
    { use: 'module', path: 'bot.mjs' },
    {
      files: {
        'bot.mjs': `
        const replies = {
          null: () => null,
          nan: () => NaN,
          large: () => 'x'.repeat(5e6),
          nul: () => 'before\\u0000after',
          'not-utf8': () => 'half \\ud800',
          html: () => '<h1>Sign in</h1>',
          nothing: () => new Promise(() => {}),
          throw: () => { throw new Error('no such table: leases'); },
          exit: () => process.exit(0),
          good: () => 'fine',
        };
        export default async (input) => replies[input]();`,
      },
    },
  );
  expect(trials).toMatchObject({
    null: nothing,
    nan: failed('invalid-answer', 'NaN'),
    large,
    nul,
    'not-utf8': { status: 'completed', answer: 'half \ufffd' },
    html: { status: 'completed', answer: '<h1>Sign in</h1>' },
    nothing: late,
    throw: failed('target-threw', 'no such table: leases'),
    exit: failed('target-exited', 'process.exit'),
    good,
  });
  expect(trials['throw']?.logs).toMatch(
    /^Error: no such table: leases(\n +at .*bot\.mjs(\?command=\d+)?:\d+:\d+\)?)+$/,
  );
});

test.each([
  [{ use: 'command', command: 'no-such-bot --fast' }, /no program "no-such-bot"/, /Install no-such-bot/],
  // A shell fails at once, however busy the machine is.
  [{ use: 'command', command: 'sh missing.sh' }, /missing\.sh/, /by hand/],
  [
    { use: 'http', url: 'http://127.0.0.1:1/' },
    /127\.0\.0\.1:1: the connection was refused/,
    /Start the target/,
  ],
  [{ use: 'module', path: 'missing.ts' }, /no file missing\.ts/, /Correct `path`/],
  [{ use: 'replay', path: 'missing.jsonl' }, /missing\.jsonl/, /path/],
])('%j is refused with a remedy before any call', async (target, message, remedy) => {
  const cwd = await writeProject(`unreachable-${target.use}-${message.source.length}`, {
    'golden.jsonl': goldenRows,
    'calls.mjs':
      'import { writeFileSync } from "node:fs"; export default () => writeFileSync("asked", "") ?? "x";',
    'touchstone.config.json': {
      dataset: 'golden.jsonl',
      targets: [{ use: 'module', name: 'works', path: 'calls.mjs' }, target],
    },
  });
  const { code, stdout, stderr } = await touchstone(['run'], { cwd });
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toMatch(message);
  expect(stderr).toMatch(remedy);
  expect(stderr).not.toMatch(/\n +at /);
  await expect(readFile(path.join(cwd, 'asked'))).rejects.toThrow('ENOENT');
  expect(await readStoredRuns(cwd)).toEqual([]);
});

test('the latency of recorded answers is the recorded one, or absent', async () => {
  const rows = [
    { id: 'a', question: 'a', answer: 'x', expected_keywords: ['x'], latencyMs: 1200 },
    { id: 'b', question: 'b', answer: 'x', expected_keywords: ['x'], latencyMs: 800 },
    { id: 'c', question: 'c', answer: 'x', expected_keywords: ['x'] },
  ];
  const cwd = await writeProject('recorded', {
    'answers.jsonl': rows.map((row) => JSON.stringify(row)).join('\n'),
  });
  const { code, stdout } = await touchstone(['score', 'answers.jsonl', '--json'], { cwd });
  const { summary, results } = JSON.parse(stdout);
  const latency = summary.targets[0].metrics.find(({ metric }: { metric: string }) => metric === 'latency');
  expect(code).toBe(0);
  expect(latency).toMatchObject({ estimate: { value: 1000, n: 2 }, scored: 2, notApplicable: 1 });
  expect(results.map(({ trial }: { trial: Trial }) => trial.latency)).toEqual([
    { totalMs: 1200 },
    { totalMs: 800 },
    undefined,
  ]);
});
