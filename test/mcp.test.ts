import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { program, temporaryFolder, touchstone } from './run-cli.ts';
import { callTool, connectProcess } from './support/mcp-client.ts';
import { keys, openTerminal, python } from './support/terminal.ts';

const bot = `
  import { writeSync } from 'node:fs';
  console.log('the bot prints'); writeSync(1, 'the bot writes natively\\n');
  export default (question) => { console.log('asked'); writeSync(1, 'asked natively\\n'); return question.includes('2') ? '4' : 'no idea'; };`;
const config = `
  import { writeSync } from 'node:fs';
  console.log('the config prints'); process.stdout.write('the config writes'); writeSync(1, 'the config writes natively\\n');
  export default {
    dataset: 'golden.jsonl',
    targets: [{ use: 'module', path: './bot.mjs', name: 'bot', version: 'v1' }],
    metrics: ['answer-match'],
    agents: { maxCost: 2, unpriced: 'allow' },
  };`;
const golden = [
  { id: 'sum', input: 'What is 2 + 2?', expected: { answer: '4' } },
  { id: 'sky', input: 'Which colour has the sky?', expected: { answer: 'blue' } },
];

/** Makes a project whose config and bot write to standard output in every way that there is. */
async function makeProject(): Promise<string> {
  const folder = await temporaryFolder();
  writeFileSync(path.join(folder, 'bot.mjs'), bot);
  writeFileSync(path.join(folder, 'touchstone.config.js'), config);
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(path.join(folder, 'golden.jsonl'), golden.map((row) => JSON.stringify(row)).join('\n'));
  return folder;
}

test('a client reads a project, plans, checks the questions and sees why a case failed', async () => {
  const folder = await makeProject();
  await touchstone(['run'], { cwd: folder });
  const { client } = await connectProcess(folder);
  const { reply } = await callTool(client, 'project');
  expect(reply).toMatchObject({
    config: 'touchstone.config.js',
    dataset: { files: ['golden.jsonl'], cases: 2 },
    targets: [{ id: 'bot', use: 'module', version: 'v1' }],
    agents: { maxCost: 2, perDay: 10, unpriced: 'allow' },
    runs: [{ state: 'completed', cases: 2 }],
  });
  const planned = await callTool(client, 'plan_run', { filter: 'id=sum' });
  expect(planned.reply).toMatchObject({
    cases: 1,
    trials: 1,
    calls: 1,
    judgeCalls: 0,
    cost: { usd: null, unknown: ['bot'] },
  });
  const checked = await callTool(client, 'lint_dataset');
  expect(checked.reply).toMatchObject({ cases: 2, counts: { error: 0 } });
  const status = await callTool(client, 'run_status');
  expect(status.reply).toMatchObject({ state: 'completed', done: 2, planned: 2 });
  const failed = await callTool(client, 'failed_cases');
  expect(failed.reply).toMatchObject({
    total: 1,
    cases: [
      { id: 'sky', said: { from: 'bot', text: 'no idea' }, expected: { from: 'dataset', text: 'blue' } },
    ],
    next: null,
  });
  // An edit of the config counts at once, and one that breaks it leaves the runs readable.
  writeFileSync(path.join(folder, 'touchstone.config.js'), config.replace("'v1'", "'v2'"));
  expect((await callTool(client, 'project')).reply.targets[0].version).toBe('v2');
  writeFileSync(path.join(folder, 'touchstone.config.js'), 'export default {');
  expect((await callTool(client, 'project')).reply).toMatchObject({
    error: { code: 'config-unreadable' },
    runs: [{ cases: 2 }],
  });
  expect((await callTool(client, 'show_run')).isError).toBe(false);
});

test('each line of standard output is a message of the protocol, and the end of standard input ends the server', async () => {
  const folder = await makeProject();
  const child = spawn(process.execPath, [program, 'mcp'], { cwd: folder, stdio: 'pipe' });
  let stdout = '';
  child.stdout.on('data', (piece: Buffer) => {
    stdout += piece.toString();
  });
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  send({ id: 1, method: 'initialize', params });
  send({ method: 'notifications/initialized' });
  for (const [index, name] of ['project', 'plan_run', 'lint_dataset'].entries())
    send({ id: index + 2, method: 'tools/call', params: { name, arguments: {} } });
  await expect.poll(() => stdout.split('\n').length - 1).toBe(4);
  child.stdin.end();
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(answers.map(({ jsonrpc }) => jsonrpc)).toEqual(['2.0', '2.0', '2.0', '2.0']);
  expect(answers.filter(({ result }) => result.isError === true)).toEqual([]);
});

test('only files inside of the folder are looked at, links resolved', async () => {
  const folder = await makeProject();
  symlinkSync('/etc/hostname', path.join(folder, 'link.json'));
  const { client } = await connectProcess(folder);
  for (const file of ['../../../etc/passwd', '/etc/passwd', 'link.json', 'nothing.json', '.']) {
    const { reply } = await callTool(client, 'import_preview', { path: file });
    expect(reply.error.message).toBe('There is no such file or folder in the folder of the project.');
  }
  const outside = await callTool(client, 'lint_dataset', { files: ['/etc/passwd'] });
  expect(outside.reply.error.code).toBe('usage-invalid');
  const promptfoo = {
    prompts: ['{{q}}'],
    providers: ['echo'],
    tests: [{ vars: { q: 'x' }, assert: [{ type: 'contains', value: 'y' }] }],
  };
  writeFileSync(path.join(folder, 'promptfooconfig.json'), JSON.stringify(promptfoo));
  const { reply } = await callTool(client, 'import_preview', { path: 'promptfooconfig.json' });
  expect(reply).toMatchObject({ tool: 'promptfoo', cases: 1, found: { from: 'file' } });
});

test('a folder without a config says so, and names what makes one', async () => {
  const { client } = await connectProcess(await temporaryFolder());
  const { reply } = await callTool(client, 'project');
  expect(reply.error).toMatchObject({ code: 'config-not-found' });
  expect(reply.runs).toEqual([]);
});

test.skipIf(python === '')(
  'a person who types the command is told that a client starts it, and Ctrl-C ends it (needs python3)',
  async () => {
    const cwd = await makeProject();
    const terminal = openTerminal([process.execPath, program, 'mcp'], { cwd });
    await terminal.waitFor('This waits for a coding agent on standard input.');
    expect(terminal.read()).toContain('`touchstone init --agents`');
    terminal.press(keys.stop);
    await terminal.ended;
  },
);
