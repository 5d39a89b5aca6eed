import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json, text } from 'node:stream/consumers';
import { chmod, copyFile, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeMovedClock } from './moved-clock.ts';
import { type Ended, program, touchstone } from './run-cli.ts';
import { addToken } from '../src/privacy/accounts/manage.ts';
import { serveTeam } from '../src/server/team/serve-team.ts';
import { createMemoryStore } from './support/memory-store.ts';
import { callTool, connectProcess, stringsOutsideQuotes } from './support/mcp-client.ts';

const words = 'rent lease tax loan bail will deed fine claim court'.split(' ');

function rowsOf(prefix: string, count: number): string {
  return Array.from({ length: count }, (_, index) => {
    const question = `${prefix} ${words[index % 10]} ${words[Math.floor(index / 10)]} of ${prefix}q${index}`;
    const row = { id: `${prefix}id${index}`, question, expected: { answer: `${prefix}a${index}` } };
    return `${JSON.stringify(row)}\n`;
  }).join('');
}

// It says all that it is asked, to everybody who reads its output, and throws it.
const bot = `
import { readFileSync } from 'node:fs';
const skill = Number(readFileSync(new URL('skill.txt', import.meta.url), 'utf8'));
export default (question) => {
  console.log('asked', question);
  console.error('asked', question);
  process.stdout.write(question + '\\n');
  const [, prefix, number] = /(\\w+?)q(\\d+)$/.exec(question);
  if (Number(number) % 10 >= skill && Number(number) % 10 < 9) return 'I do not know ' + question;
  if (Number(number) % 10 === 9) throw new Error('cannot answer ' + question + ' with ' + prefix + 'a' + number);
  return prefix + 'a' + number;
};
`;

const config = `
import { readFileSync } from 'node:fs';
const version = 'skill ' + readFileSync(new URL('skill.txt', import.meta.url), 'utf8');
export default {
  dataset: 'golden.jsonl',
  targets: [{ use: 'module', name: 'bot', path: './bot.mjs', version }],
  scorecard: { use: 'weighted', criteria: [{ metric: 'equals', weight: 1, required: true }] },
  maxRetries: 0,
  stopAfterFailures: null,
  referee: { heldOut: '../held-out' },
};
`;

async function makeProject() {
  const root = await mkdtemp(path.join(tmpdir(), 'touchstone-referee-'));
  const cwd = path.join(root, 'project');
  await mkdir(cwd);
  await writeFile(path.join(cwd, 'golden.jsonl'), rowsOf('open', 30));
  await writeFile(path.join(root, 'fresh.jsonl'), rowsOf('zyzzyva', 60));
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  await writeFile(path.join(cwd, 'touchstone.config.mjs'), config);
  const setSkill = async (skill: number) => await writeFile(path.join(cwd, 'skill.txt'), String(skill));
  await setSkill(5);
  return { root, cwd, setSkill, heldOut: path.join(root, 'held-out') };
}

async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  return all.flatMap((each) => (each.isFile() ? [path.join(each.parentPath, each.name)] : []));
}

test('nothing of a held-out question, its id or its answer is anywhere but in the folder of the referee', async () => {
  const { root, cwd, setSkill, heldOut } = await makeProject();
  execFileSync('git', ['init', '-q'], { cwd });
  const said: Ended[] = [];
  // What reaches a real standard output and error belongs to a process of its own.
  const say = async (...args: string[]) => {
    const ended = await touchstone(args, { cwd, isAlone: args[0] === 'run' || args[1] === 'look' });
    said.push(ended);
    return ended;
  };
  const begun = await say('referee', 'init', '--questions', '../fresh.jsonl');
  expect(begun).toMatchObject({ code: 0 });
  await rm(path.join(root, 'fresh.jsonl'));
  await say('run');
  await setSkill(9);
  await say(
    'run',
    '--name',
    'better',
    '--output',
    'report.html',
    '--output',
    'report.json',
    '--output',
    'report.md',
  );
  const first = await say('referee', 'look');
  expect(first.code).toBe(0);
  expect(first.stdout).toMatch(/^confirmed {56}look 1 of 20 · 1 of 3 surprises\n/);
  expect(first.stdout).toContain('working set   55.6 % → 100.0 %: +44.4 points [');
  expect(first.stdout).toContain('held out      skill 9 is better than skill 5 (60 questions, level .00125)');
  await setSkill(8);
  const second = await say('referee', 'look', '--json');
  expect(second.code).toBe(3);
  expect(JSON.parse(second.stdout)).toMatchObject({
    answer: 'not-confirmed',
    look: 2,
    level: expect.closeTo(6.579e-5, 8),
  });
  await say('referee', 'status');
  await say('runs');
  await say('show', '--verbose');
  await say('trends');
  await say('export', 'latest', 'run.archive');

  // No other command reads the folder, whatever it is given.
  const cases = path.join(heldOut, 'cases.jsonl');
  for (const args of [
    ['runs', '--store', heldOut],
    ['show', '--store', heldOut],
    ['run', '--store', heldOut],
    ['run', '--dataset', cases],
    ['lint', cases],
    ['score', cases],
    ['import', cases, '--dry-run'],
    ['import', heldOut],
    ['export', '--dataset', cases, '--to', 'promptfoo'],
    ['draft', '--from', cases, '--model', 'gpt-5-mini'],
    ['run', '--dataset', path.join(heldOut, '*.jsonl')],
  ]) {
    const ended = await say(...args);
    expect([args, ended.code, ended.stderr]).toEqual([
      args,
      4,
      expect.stringContaining('belongs to the referee'),
    ]);
  }
  for (const args of [['open'], ['refill', 'golden.jsonl']]) {
    const ended = await say('referee', ...args);
    expect(ended).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Only a person at a terminal can'),
    });
  }

  // Somebody edits a question: the message does not say which.
  await writeFile(
    cases,
    (await readFile(cases, 'utf8')).replace('"expected":{"answer":"zyzzyvaa7"}', '"expected":7'),
  );
  await setSkill(7);
  const broken = await say('referee', 'look');
  expect(broken).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('the questions of the set were edited since it was made'),
  });

  for (const { stdout, stderr } of said) expect(stdout + stderr).not.toContain('zyzzyva');
  for (const file of await filesIn(cwd))
    expect([file, (await readFile(file)).includes('zyzzyva')]).toEqual([file, false]);
  const inside = await Promise.all(
    (await filesIn(heldOut)).map(async (file) => (await readFile(file)).includes('zyzzyva')),
  );
  expect(inside).toContain(true);
}, 0);

test('a clock that was set back changes no order of the ledger, and a folder restored from before is found out', async () => {
  const { root, cwd, setSkill, heldOut } = await makeProject();
  await touchstone(['referee', 'init', '--questions', '../fresh.jsonl'], { cwd });
  await cp(heldOut, path.join(root, 'copy'), { recursive: true });
  await setSkill(4);
  const env = await writeMovedClock(root, { hours: [-24 * 40], everyMs: 1e9 });
  expect(await touchstone(['referee', 'look'], { cwd, env })).toMatchObject({ code: 3 });
  const seen = (await readFile(path.join(cwd, 'touchstone.looks.jsonl'), 'utf8')).trim().split('\n');
  const times = seen.map((line) => (JSON.parse(line) as { at: string }).at);
  expect(times).toEqual(times.toSorted());
  const later = await writeMovedClock(root, { hours: [24 * 20], everyMs: 1e9 });
  await setSkill(3);
  const stale = await touchstone(['referee', 'look'], { cwd, env: later });
  expect(stale.stdout).toContain(
    'the answers of skill 5 are over 14 days old, and no target of the config is it any more',
  );
  await rm(heldOut, { recursive: true });
  await cp(path.join(root, 'copy'), heldOut, { recursive: true });
  expect(await touchstone(['referee', 'look'], { cwd })).toMatchObject({
    code: 4,
    stderr: expect.stringContaining('the ledger ends at look 0, this workspace saw 2'),
  });
}, 0);

test('an agent looks and reads the state of the set, and sees nothing of a question', async () => {
  const { cwd, setSkill } = await makeProject();
  const asked: string[] = [];
  const answer = (message: string) => {
    asked.push(message);
    return { action: 'accept', content: { confirm: true } } as const;
  };
  const { client, stderr } = await connectProcess(cwd, { answer });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => name.startsWith('referee'))).toEqual([
    'referee_look',
    'referee_status',
  ]);
  expect(JSON.stringify(tools).length).toBeLessThanOrEqual(16_000);
  const before = await callTool(client, 'referee_status');
  expect(before).toMatchObject({ isError: true, reply: { error: { code: 'look-refused' } } });
  await touchstone(['referee', 'init', '--questions', '../fresh.jsonl'], { cwd });
  await setSkill(9);
  const mute = await connectProcess(cwd);
  const refused = await callTool(mute.client, 'referee_look');
  expect(refused).toMatchObject({ isError: true, reply: { error: { code: 'cost-over-limit' } } });
  await mute.client.close();
  expect((await callTool(client, 'referee_status')).reply).toMatchObject({ looksLeft: 20 });
  const looked = await callTool(client, 'referee_look');
  // The same version gets the same answer, and no person is asked for it.
  const repeated = await callTool(client, 'referee_look');
  expect(repeated.reply).toMatchObject({ answer: 'confirmed', look: 1, isRepeated: true });
  expect(looked.reply).toMatchObject({
    answer: 'confirmed',
    look: 1,
    looks: 20,
    surprises: { seen: 1, most: 3 },
    candidate: { from: 'file', text: 'skill 9' },
    seal: 'folder',
  });
  const again = await callTool(client, 'referee_look', { kind: 'no-regression', margin: 1 });
  expect(again).toMatchObject({ isError: true, reply: { error: { code: 'look-refused' } } });
  // Nor for a look that is refused.
  expect(asked).toEqual(['Take a look at 60 held-out questions? Not all prices are known.']);
  expect((await callTool(client, 'project')).reply).toMatchObject({ referee: { looksLeft: 19 } });
  const status = await callTool(client, 'referee_status');
  expect(status.reply).toMatchObject({
    looksLeft: 19,
    next: { fewestWins: 14 },
    looks: [{ look: 1, answer: 'confirmed' }],
  });
  for (const { text, reply } of [before, refused, looked, repeated, again, status]) {
    expect(text).not.toContain('zyzzyva');
    expect(text.length).toBeLessThanOrEqual(4000);
    expect(stringsOutsideQuotes(reply)).not.toContain('skill 9');
  }
  expect(stderr()).not.toContain('zyzzyva');
  await client.close();
}, 0);

test('a config without a referee lists no tool of one', async () => {
  const { cwd } = await makeProject();
  const file = path.join(cwd, 'touchstone.config.mjs');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/ {2}referee: .*\n/, ''));
  const { client } = await connectProcess(cwd);
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).filter((name) => name.startsWith('referee'))).toEqual([]);
  await client.close();
}, 0);

test('on a server: an agent with a token of the scope look asks, a job with the questions builds the commit and answers', async () => {
  const { root, cwd, setSkill, heldOut } = await makeProject();
  const home = createMemoryStore();
  const document = '<!doctype html><title>Touchstone</title>';
  const server = await serveTeam({
    assets: { document, files: new Map() },
    home,
    openProject: async () => home,
  });
  try {
    const tokenFor = async (scope: 'look' | 'run') => {
      const actor = { who: 'test', address: null, project: 'main' };
      return await addToken(home.accounts, actor, { name: scope, scopes: [scope], days: 1 });
    };
    const [agent, job] = [await tokenFor('look'), await tokenFor('run')];
    const asAgent = { cwd, env: { TOUCHSTONE_REFEREE_TOKEN: agent }, isAlone: true };
    const file = path.join(cwd, 'touchstone.config.mjs');
    await writeFile(file, (await readFile(file, 'utf8')).replace('../held-out', server.origin));
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args], { cwd });
    git('init', '-q');
    await writeFile(path.join(cwd, '.gitignore'), '.touchstone\n');
    git('add', '-A');
    git('commit', '-qm', 'begin');
    const elsewhere = path.join(root, 'job');
    execFileSync('git', ['clone', '-q', cwd, elsewhere]);
    const asJob = { cwd: elsewhere, env: { TOUCHSTONE_REFEREE_TOKEN: job }, isAlone: true };
    const place = ['--held-out', heldOut];
    expect(
      await touchstone(['referee', 'init', '--questions', '../fresh.jsonl', ...place], asJob),
    ).toMatchObject({ code: 0 });

    await setSkill(9);
    const changed = await touchstone(['referee', 'look'], asAgent);
    expect(changed).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('job builds the bot from a commit'),
    });
    git('commit', '-qam', 'better');
    execFileSync('git', ['fetch', '-q'], { cwd: elsewhere });
    const looking = touchstone(['referee', 'look'], asAgent);
    const take = async () => await touchstone(['referee', 'answer', ...place], asJob);
    let taken = await take();
    while (taken.stdout.startsWith('No look waits')) taken = await take();
    expect(taken).toMatchObject({ code: 0, stdout: expect.stringContaining(': confirmed.') });
    const looked = await looking;
    expect(looked.code).toBe(0);
    expect(looked.stdout).toContain('skill 9 is better than skill 5');
    expect(looked.stdout).toContain('seal          server: ');
    // The same commit gets the same answer, and no job is needed.
    expect((await touchstone(['referee', 'look'], asAgent)).stdout).toBe(looked.stdout);

    // Who may ask can neither take a look nor answer one, nor read anything else.
    const body = JSON.stringify({});
    for (const [address, init] of [
      ['/api/looks/next', { method: 'POST', body }],
      ['/api/looks/0123456789abcdef/answer', { method: 'POST', body }],
      ['/api/runs', {}],
    ] as const) {
      const headers = { authorization: `Bearer ${agent}`, 'content-type': 'application/json' };
      expect((await fetch(new URL(address, server.origin), { ...init, headers })).status).toBe(403);
    }
    for (const { stdout, stderr } of [changed, looked]) expect(stdout + stderr).not.toContain('zyzzyva');
    for (const each of await filesIn(cwd))
      expect([each, (await readFile(each)).includes('zyzzyva')]).toEqual([each, false]);
  } finally {
    await server.close();
  }
}, 0);

/** Copies the program and its Node.js to a folder that every account may read; the repository may lie in one that they may not. */
async function copyProgram(folder: string): Promise<readonly [node: string, program: string]> {
  const from = path.resolve(import.meta.dirname, '..');
  for (const part of ['bin', 'dist', 'package.json'])
    await cp(path.join(from, part), path.join(folder, part), {
      recursive: true,
      filter: (file) => file !== path.join(from, 'dist', 'types'),
    });
  const node = path.join(folder, path.basename(process.execPath));
  await copyFile(process.execPath, node);
  return [node, path.join(folder, 'bin', 'touchstone.js')];
}

test.skipIf(process.getuid?.() !== 0)(
  'under another account: a socket answers looks, and the folder cannot be read',
  async () => {
    const { root, cwd, heldOut } = await makeProject();
    const [referee, socket] = [path.join(root, 'referee'), path.join(root, 'referee.sock')];
    let skill = 5;
    const bot = createServer((incoming, reply) => {
      void json(incoming).then((body) => {
        const [, prefix, number] = /(\w+?)q(\d+)$/.exec((body as { question: string }).question) ?? [];
        reply.end(
          JSON.stringify({ answer: Number(number) % 10 < skill ? `${prefix}a${number}` : 'I do not know' }),
        );
      });
    });
    await new Promise<void>((resolve) => {
      bot.listen(0, '127.0.0.1', resolve);
    });
    const { port } = bot.address() as AddressInfo;
    const configOf = (place: string) =>
      JSON.stringify({
        dataset: 'golden.jsonl',
        targets: [
          {
            use: 'http',
            name: 'bot',
            url: `http://127.0.0.1:${port}/`,
            body: { question: '{{input}}' },
            version: `skill ${skill}`,
          },
        ],
        scorecard: { use: 'weighted', criteria: [{ metric: 'equals', weight: 1, required: true }] },
        referee: { heldOut: place },
      });
    await mkdir(referee);
    await cp(path.join(cwd, 'golden.jsonl'), path.join(referee, 'golden.jsonl'));
    await writeFile(path.join(referee, 'touchstone.config.json'), configOf('../held-out'));
    await chmod(root, 0o755);
    await rm(path.join(cwd, 'touchstone.config.mjs'));
    const questions = ['--questions', path.join(root, 'fresh.jsonl')];
    expect(await touchstone(['referee', 'init', ...questions], { cwd: referee })).toMatchObject({ code: 0 });
    const served = spawn(process.execPath, [program, 'referee', 'serve', '--socket', socket], {
      cwd: referee,
    });
    await once(served.stdout, 'data');
    const [node, copied] = await copyProgram(path.join(root, 'touchstone'));
    const other = { cwd, uid: 65_534, gid: 65_534, env: { ...process.env, HOME: root, NO_COLOR: '1' } };
    const lookAs = async () => {
      await writeFile(path.join(cwd, 'touchstone.config.json'), configOf(`unix:${socket}`));
      const child = spawn(node, [copied, 'referee', 'look', '--json'], other);
      const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
      return { stdout, stderr };
    };
    try {
      skill = 9;
      const looked = await lookAs();
      expect(JSON.parse(looked.stdout)).toMatchObject({
        answer: 'confirmed',
        candidate: { label: 'skill 9' },
        seal: 'user',
      });
      expect(looked.stdout + looked.stderr).not.toContain('zyzzyva');
      skill = 4;
      expect(JSON.parse((await lookAs()).stdout)).toMatchObject({ answer: 'not-confirmed', look: 2 });
      for (const file of ['cases.jsonl', 'referee.db', ''])
        expect(spawnSync('cat', [path.join(heldOut, file)], other).stderr.toString()).toMatch(
          /Permission denied|Is a directory/,
        );
      expect(spawnSync('ls', [heldOut], other).stderr.toString()).toContain('Permission denied');
    } finally {
      served.kill('SIGINT');
      await once(served, 'exit');
      bot.close();
    }
    expect((await lookAs()).stdout).toContain('No referee answers at');
  },
  0,
);
