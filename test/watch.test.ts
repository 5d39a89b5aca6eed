import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { onTestFinished, expect, test } from 'vitest';
import { program, touchstone } from './run-cli.ts';
import { writeSlowProject } from './slow-project.ts';
import { readStoredRuns } from './stored-run.ts';
import { isReleaseTested } from './support/is-release-tested.ts';

const patience = { interval: 20 };

/** Starts `touchstone run --watch` in a project. */
function startWatch(cwd: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) {
  const child: ChildProcess = spawn(process.execPath, [program, 'run', '--watch', ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (piece: Buffer) => (text += piece.toString()));
  }
  const ended = once(child, 'exit');
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  let seen = 0;
  return {
    child,
    ended,
    text: () => text.slice(seen),
    /** Makes a change, waits until the watch is idle again, and returns what it has printed meanwhile. */
    after: async (change?: () => Promise<void>): Promise<string> => {
      await change?.();
      await expect.poll(() => text.slice(seen), patience).toContain('for changes; Ctrl-C ends it.');
      const printed = text.slice(seen);
      seen = text.length;
      return printed;
    },
  };
}

/** Creates a project of five cases, with functions that edit its files. */
async function beginProject() {
  const project = await writeSlowProject({ cases: 5, concurrency: 1 });
  const edit = async (name: string, from: string, to: string): Promise<void> => {
    const file = path.join(project.folder, name);
    const before = await readFile(file, 'utf8');
    expect(before).toContain(from);
    await writeFile(file, before.replace(from, to));
  };
  const calls = async () => (await project.readCalls()).length;
  return { ...project, edit, calls };
}

test('after each change only what it touches is asked again, by runs that continue each other', async () => {
  const { folder, edit, calls } = await beginProject();
  const watch = startWatch(folder);
  await watch.after();
  expect(await calls()).toBe(5);

  // A question: it alone is asked.
  expect(await watch.after(() => edit('golden.jsonl', 'question 3', 'question three'))).toContain(
    'Asked: 1 of 5 attempts: q3',
  );
  expect(await calls()).toBe(6);

  // The bot: everything is asked.
  const worse = await watch.after(() =>
    edit('bot.mjs', "'yes, call '", "question.endsWith('1') ? 'no' : 'yes, '"),
  );
  expect(worse).toContain('Asked: 5 of 5 attempts: q0, q1, q2, q3, q4');
  expect(worse).toMatch(/module: 100\.0 %.* → 8\d\.0 %/);
  expect(worse).toContain('No longer pass: q1');
  expect(await calls()).toBe(11);

  // The scoring: nothing is asked, and everything is scored again.
  const config = path.join(folder, 'touchstone.config.yaml');
  const scored = await watch.after(() =>
    appendFile(config, 'metrics: [{ use: contains, value: "yes" }]\nscorecard: null\n'),
  );
  expect(scored).toContain('Nothing was asked again; 5 answers reused.');
  expect(await calls()).toBe(11);
  const [latest] = await readStoredRuns(folder);
  expect(latest?.results.every(({ verdicts }) => Object.keys(verdicts).join() === 'contains')).toBe(true);

  // A broken config prints its error, and what it had before continues.
  const broken = await watch.after(() => edit('touchstone.config.yaml', 'metrics:', 'metrixs:'));
  expect(broken).toMatch(/metrixs/);
  expect(await watch.after(() => edit('touchstone.config.yaml', 'metrixs:', 'metrics:'))).toContain(
    'Nothing that is asked or scored has changed.',
  );

  // The earlier bot: its answers are there already.
  const back = await watch.after(() =>
    edit('bot.mjs', "question.endsWith('1') ? 'no' : 'yes, '", "'yes, call '"),
  );
  expect(back).toContain('Nothing was asked again; 5 answers reused.');
  expect(await calls()).toBe(11);

  watch.child.kill('SIGINT');
  expect((await watch.ended)[0]).toBe(0);
  const runs = await readStoredRuns(folder);
  expect(runs.map(({ run }) => run.continues)).toEqual([
    ...runs.slice(1).map(({ run }) => run.id),
    undefined,
  ]);
  expect(runs.every(({ run }) => run.status === 'completed')).toBe(true);
});

test.skipIf(!isReleaseTested)(
  'a change during a run lets the calls in flight finish, and none is made twice (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { folder, edit, calls, untilCalled } = await beginProject();
    const watch = startWatch(folder, [], { SLOW_MS: '300' });
    await untilCalled(2);
    const printed = await watch.after(() => edit('golden.jsonl', 'question 4', 'question four'));
    expect(printed).toContain('golden.jsonl has changed');
    expect(await calls()).toBe(5);
    const runs = await readStoredRuns(folder);
    expect(runs.map(({ run }) => run.status)).toEqual(['completed', 'interrupted']);
    expect(runs[0]?.results.map(({ case: { input } }) => input)).toContain('question four');

    // Ctrl-C during a run ends both; the run can be resumed.
    await edit('bot.mjs', "'yes, call '", "'yes: '");
    await untilCalled(6);
    watch.child.kill('SIGINT');
    expect((await watch.ended)[0]).toBe(130);
    expect((await readStoredRuns(folder))[0]?.run.status).toBe('interrupted');
    await touchstone(['run', '--resume'], { cwd: folder });
    expect(await calls()).toBe(10);
  },
);

test.skipIf(!isReleaseTested)(
  'a program whose file is edited is another bot (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const { folder, edit, calls } = await beginProject();
    await writeFile(
      path.join(folder, 'program.mjs'),
      `import bot from './bot.mjs';
     import { text } from 'node:stream/consumers';
     const { answer } = await bot(await text(process.stdin));
     console.log(answer);`,
    );
    await edit(
      'touchstone.config.yaml',
      '{ use: module, path: bot.mjs }',
      "{ use: command, command: 'node program.mjs', mode: once }",
    );
    const watch = startWatch(folder);
    await watch.after();
    expect(await calls()).toBe(5);
    // An import of the file that the command names.
    expect(await watch.after(() => edit('bot.mjs', "'yes, call '", "'no '"))).toContain('No longer pass: q0');
    expect(await calls()).toBe(10);
    // A file that belongs to nothing.
    await writeFile(path.join(folder, 'notes.txt'), 'later');
    expect(await watch.after()).toContain('Nothing that is asked or scored has changed.');
    expect(await calls()).toBe(10);
  },
);

test('a function that a config imports is another bot when its text is edited', async () => {
  const { folder, edit, calls } = await beginProject();
  await rm(path.join(folder, 'touchstone.config.yaml'));
  await writeFile(
    path.join(folder, 'touchstone.config.mjs'),
    `import bot from './bot.mjs';
     export default { dataset: 'golden.jsonl', targets: [{ use: 'module', function: bot }] };`,
  );
  const watch = startWatch(folder, ['touchstone.config.mjs']);
  await watch.after();
  expect(await watch.after(() => edit('bot.mjs', "'yes, call '", "'no '"))).toContain('No longer pass: q0');
  expect(await calls()).toBe(10);
});

test('what cannot be watched is refused', async () => {
  const { folder } = await beginProject();
  for (const [args, env, words] of [
    [['--json'], {}, 'prints no JSON'],
    [['--dry-run'], {}, 'exclude each other'],
    [['--dataset', '-'], {}, 'Standard input'],
    [[], { CI: 'true' }, 'refused in a build'],
    [['--workers', '2'], {}, 'A watch makes its runs in one process'],
  ] as const) {
    const { code, stdout, stderr } = await touchstone(['run', '--watch', ...args], { cwd: folder, env });
    expect([code, stdout + stderr]).toEqual([4, expect.stringContaining(words)]);
  }
});
