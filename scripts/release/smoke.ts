// Installs the packed file of a release in an empty project, as a user does, and does there what differs between systems:
//   node scripts/release/smoke.ts release-files
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { findFreePort } from '../find-free-port.ts';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { readTarball } from './release-files.ts';

const packed = readTarball(process.argv[2] ?? 'release-files');
// A name that shells have to quote.
const folder = mkdtempSync(path.join(os.tmpdir(), 'Ä b&c '));
writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
copyFileSync(packed.file, path.join(folder, 'packed.tgz'));
// On Windows npm is a script of its shell.
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', './packed.tgz'], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
const program = path.join(folder, 'node_modules', packed.name, 'bin', 'touchstone.js');
const environment = { ...process.env, NO_COLOR: '1', CI: '' };

/** Runs a command of the installed Touchstone and returns what it printed. Throws when it does not end with 0. */
function touchstone(cwd: string, ...args: string[]): string {
  return execFileSync(process.execPath, [program, ...args], { cwd, env: environment, encoding: 'utf8' });
}

/** Starts a command with a channel, by which it is asked to end as by a signal: Windows has no signals between processes. */
function begin(cwd: string, ...args: string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...environment, TOUCHSTONE_WRAPPED: '1' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
}

function check(isTrue: boolean, message: string): void {
  if (!isTrue) throw new Error(message);
}

async function until(isTrue: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; !(await isTrue()); tries += 1) {
    check(tries < 1200, `Not within two minutes: ${what}`);
    await wait(100);
  }
}

/** The question of each attempt of the latest run and whether it has an answer. */
function attemptsIn(project: string): string[] {
  const lines = touchstone(project, 'export', 'latest').trim().split('\n');
  const records = lines.map(
    (line) => JSON.parse(line) as { type: string; trial?: { caseId: string; status: string } },
  );
  return records
    .flatMap(({ trial }) => (trial === undefined ? [] : [`${trial.caseId} ${trial.status}`]))
    .toSorted();
}

/** Makes a project whose bot waits, starts a process of its own, and counts its answers. */
function slowProject(name: string): string {
  const project = path.join(folder, name);
  mkdirSync(project);
  const questions = Array.from({ length: 20 }, (_, index) => ({
    id: `q${index}`,
    question: `Number ${index}?`,
    expected_keywords: ['yes'],
  }));
  writeFileSync(
    path.join(project, 'golden.jsonl'),
    questions.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
  writeFileSync(
    path.join(project, 'touchstone.config.yaml'),
    'dataset: golden.jsonl\ntargets: [{ use: command, command: [node, bot.mjs], name: bot }]\nmetrics: [keywords]\n',
  );
  writeFileSync(
    path.join(project, 'bot.mjs'),
    `import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
spawn(process.execPath, ['-e', "setInterval(() => require('fs').appendFileSync('alive', '.'), 50)"], { stdio: 'ignore' });
for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  appendFileSync('answers', '.');
  await new Promise((done) => setTimeout(done, 300));
  console.log(JSON.stringify({ id, answer: 'yes' }));
}
`,
  );
  return project;
}

const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;

/** The samples of `touchstone init` that need no server. */
function trySamples(): void {
  for (const bot of ['sample', 'command', 'module']) {
    touchstone(folder, 'init', bot, '--yes', '--bot', bot);
    const project = path.join(folder, bot);
    const report = touchstone(project, 'run', '--output', 'report.html');
    check(/^\S+ {2}\d+ %, likely/m.test(report), `The first run has no score:\n${report}`);
    // A second time, over the file that is there.
    touchstone(project, 'show', '--output', 'report.html');
    check(existsSync(path.join(project, 'report.html')), 'There is no report.html.');
    console.log(`${bot}: ${report.split('\n')[0]}`);
  }
}

/** The sample whose bot is a server, with that server. */
async function tryServer(): Promise<void> {
  touchstone(folder, 'init', 'http', '--yes', '--bot', 'http');
  const project = path.join(folder, 'http');
  // The server of the sample has a fixed port, which something else may have here.
  const port = await findFreePort();
  for (const name of ['server.py', 'touchstone.config.yaml'])
    replaceIn(path.join(project, name), '8000', `${port}`);
  const python = process.platform === 'win32' ? 'python' : 'python3';
  const server = spawn(python, ['server.py'], { cwd: project, stdio: 'inherit' });
  const ended = once(server, 'exit');
  try {
    await until(async () => await answers(`http://127.0.0.1:${port}/`), 'an answer of server.py');
    const report = touchstone(project, 'run');
    check(/^\S+ {2}\d+ %, likely/m.test(report), `The run over HTTP has no score:\n${report}`);
    console.log(`http: ${report.split('\n')[0]}`);
  } finally {
    server.kill();
    await ended;
  }
}

function replaceIn(file: string, before: string, after: string): void {
  const text = readFileSync(file, 'utf8');
  check(text.includes(before), `${file} does not contain ${before}.`);
  writeFileSync(file, text.replace(before, after));
}

/** Returns whether a server answers, whatever it says. */
async function answers(address: string): Promise<boolean> {
  return await fetch(address).then(
    () => true,
    () => false,
  );
}

async function tryInterruption(): Promise<void> {
  const project = slowProject('interrupted');
  const whole = slowProject('whole');
  touchstone(whole, 'run');
  const run = begin(project, 'run');
  await until(() => sizeOf(path.join(project, 'answers')) >= 3, 'three answers');
  run.send({ type: 'signal', signal: 'SIGINT' });
  const [code] = (await once(run, 'exit')) as [number | null];
  check(code === 130, `An interrupted run ends with 130, and this one with ${code}.`);
  const asked = sizeOf(path.join(project, 'answers'));
  check(asked < 20, 'The run was not interrupted.');
  touchstone(project, 'run', '--resume');
  check(sizeOf(path.join(project, 'answers')) === 20, 'A question was asked twice, or not at all.');
  check(attemptsIn(project).join() === attemptsIn(whole).join(), 'The resumed run has other records.');
  for (const each of [project, whole]) {
    const alive = sizeOf(path.join(each, 'alive'));
    await wait(1000);
    check(sizeOf(path.join(each, 'alive')) === alive, 'A process that the bot has started is left.');
  }
  console.log(`interrupted after ${asked} of 20 answers, and resumed; no process is left`);
}

async function tryTwoAtOnce(): Promise<void> {
  const project = slowProject('two');
  const runs = [begin(project, 'run'), begin(project, 'run')];
  const ends = await Promise.all(runs.map(async (run) => (await once(run, 'exit')) as [number | null]));
  check(
    ends.every(([code]) => code === 0),
    `Two runs at once end with ${ends.join(' and ')}.`,
  );
  console.log('two runs at once in one store');
}

async function tryPages(): Promise<void> {
  const view = begin(path.join(folder, 'sample'), 'view', '--no-open');
  let printed = '';
  view.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
  await until(() => /http:\S+\s/.test(printed), 'the address of the dashboard');
  const address = /http:\S+/.exec(printed)?.[0] ?? '';
  // The address that is printed gives a browser its access, as a cookie.
  const entered = await fetch(address, { redirect: 'manual' });
  const [cookie = ''] = entered.headers.get('set-cookie')?.split(';') ?? [];
  const page = await fetch(new URL('/', address), { headers: { cookie } });
  check(page.ok && (await page.text()).includes('<html'), 'The dashboard serves no page.');
  view.send({ type: 'signal', signal: 'SIGTERM' });
  await once(view, 'exit');
  console.log('the dashboard was opened and closed');
}

trySamples();
await tryServer();
await tryInterruption();
await tryTwoAtOnce();
await tryPages();
check(
  readFileSync(path.join(folder, 'package.json'), 'utf8').includes(packed.name),
  'The project does not name its package.',
);
console.log(
  `${packed.name} ${packed.version} works on Node.js ${process.versions.node}, ${process.platform}.`,
);
