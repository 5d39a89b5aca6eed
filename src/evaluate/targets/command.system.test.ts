import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sessionOf, testTargetContract } from '../../library/testing/target-contract.ts';
import { command } from './command.ts';
import type { Target, TargetFailure, TargetRequest } from './target.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-command-'));
afterAll(() => rmSync(folder, { recursive: true }));

const node = process.execPath;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const isWindows = process.platform === 'win32';

type Options = NonNullable<Parameters<typeof command>[0]>;

function write(name: string, source: string): string {
  writeFileSync(path.join(folder, name), source);
  return name;
}

// Touchstone itself must set Python's variables, not the machine that the tests run on.
const environment = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !name.startsWith('PYTHON')),
);

function create(options: Options): Target {
  const { definition } = command;
  const needs = {
    folder,
    environment,
    readRows: () => expect.fail('no rows are read'),
    resolveModel: () => expect.fail('no model is used'),
  };
  return definition.create(definition.options.parse(options), needs);
}

/** Returns a target made of the body of `function answer(question, { id, write, exit })`, called for each line. */
function createBot(body: string, options: Partial<Options> = {}): Target {
  const name = write(
    `bot-${Math.random().toString(36).slice(2)}.mjs`,
    `import { createInterface } from 'node:readline';
     const write = (value) => process.stdout.write((typeof value === 'string' ? value : JSON.stringify(value)) + '\\n');
     let count = 0;
     async function answer(question) { const { id, input } = question; count += 1; ${body} }
     for await (const line of createInterface({ input: process.stdin })) answer(JSON.parse(line));`,
  );
  return create({ command: [node, name], ...options });
}

function request(input: string, parts: Partial<TargetRequest> = {}): TargetRequest {
  const messages = [{ role: 'user' as const, content: input }];
  return {
    key: 'k',
    caseId: 'c',
    input,
    messages,
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3,
    ...parts,
  };
}

const never = new AbortController().signal;

function ask(target: Target, input: string, signal: AbortSignal = never) {
  return target.call(request(input), { signal });
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Uses a target and closes it in any case. */
async function using(target: Target, work: (target: Target) => Promise<void>): Promise<void> {
  try {
    await target.open?.();
    await work(target);
  } finally {
    await target.close?.();
  }
}

const contractBot = `
  const reply = (answer) => write({ id, answer });
  const scenarios = {
    'scenario: silence': () => {},
    'scenario: null': () => reply(null),
    'scenario: not-a-number': () => write('{"id": ' + JSON.stringify(id) + ', "answer": NaN}'),
    'scenario: large': () => reply('x'.repeat(5e6)),
    'scenario: nul': () => reply('before\\u0000after'),
    'scenario: invalid-utf8': () => process.stdout.write(Buffer.from('{"id": "' + id + '", "answer": "\\xff\\xe9"}\\n', 'latin1')),
  };
  (scenarios[input] ?? (() => reply('echo: ' + input)))();`;

const pids = write('pids.txt', '');
const leftovers = () =>
  readFileSync(path.join(folder, pids), 'utf8')
    .split('\n')
    .filter(Boolean)
    .filter((pid) => isRunning(Number(pid)));
const writePid = `if (count === 1) (await import('node:fs')).appendFileSync('${pids}', process.pid + '\\n');`;
const without = { html: 'a line that is no JSON is no reply; see the tests of stray lines' };

testTargetContract('command', () => createBot(`${writePid} ${contractBot}`), {
  test,
  expect,
  without,
  leftovers,
});
testTargetContract(
  'command with 3 processes and 4 in flight',
  () => createBot(`${writePid} ${contractBot}`, { processes: 3, inFlight: 4 }),
  { test, expect, without, leftovers },
);

write(
  'once.mjs',
  `import { readFileSync, appendFileSync } from 'node:fs';
   appendFileSync('${pids}', process.pid + '\\n');
   const input = process.argv[2] ?? readFileSync(0, 'utf8');
   const say = (answer) => process.stdout.write(JSON.stringify({ answer }));
   const scenarios = {
     'scenario: silence': () => setInterval(() => {}, 1000),
     'scenario: null': () => say(null),
     'scenario: large': () => say('x'.repeat(5e6)),
     'scenario: nul': () => process.stdout.write('before\\u0000after'),
     'scenario: invalid-utf8': () => process.stdout.write(Buffer.from([0x61, 0xff])),
   };
   (scenarios[input] ?? (() => process.stdout.write('echo: ' + input + '\\n')))();`,
);

// The same bot in a shell, which starts in a tenth of the time of Node.
write(
  'once.sh',
  `echo $$ >> '${pids}'
   # The x keeps the line ends at the end of the question.
   if [ $# -gt 0 ]; then input=$1; else input=$(cat; printf x); input=\${input%x}; fi
   case $input in
     'scenario: silence') exec sleep 1000 ;;
     'scenario: null') printf '{"answer":null}' ;;
     'scenario: large') printf '{"answer":"'; head -c 5000000 /dev/zero | tr '\\0' x; printf '"}' ;;
     'scenario: nul') printf 'before\\000after' ;;
     'scenario: invalid-utf8') printf 'a\\377' ;;
     *) printf 'echo: %s\\n' "$input" ;;
   esac`,
);
const once = isWindows ? [node, 'once.mjs'] : ['sh', 'once.sh'];
const onceWithout = { 'not-a-number': 'text is the answer', html: 'text is the answer' };
for (const [name, args] of [
  ['arguments', ['{{input}}']],
  ['stdin', []],
] as const) {
  testTargetContract(
    `command for each question, through ${name}`,
    () => create({ command: [...once, ...args], mode: 'once', processes: 4 }),
    { test, expect, without: onceWithout, leftovers },
  );
}

test('a process receives everything that a target may know', async () => {
  await using(createBot('write({ id, answer: JSON.stringify(question) })'), async (target) => {
    const parts = { caseId: 'case 1', metadata: { user: 'u' }, attempt: 2 };
    const { answer } = await target.call(request('hi', parts), { signal: never });
    expect(JSON.parse(answer ?? '')).toEqual({
      id: expect.any(String),
      input: 'hi',
      messages: [{ role: 'user', content: 'hi' }],
      session: { id: 'session-1', turn: 1 },
      seed: 3,
      ...parts,
    });
  });
});

test('a process that remembers sessions answers each from its own', async () => {
  const bot = `
    globalThis.sessions ??= {};
    const said = (sessions[question.session.id] ??= []);
    said.push(input);
    write({ id, answer: question.session.turn + ': ' + said.join(', ') });`;
  await using(createBot(bot), async (target) => {
    const say = async (input: string, id: string, turn: number) =>
      (await target.call(request(input, { session: sessionOf(turn, id) }), { signal: never })).answer;
    expect(await say('one', 'a', 1)).toBe('1: one');
    expect(await say('two', 'b', 1)).toBe('1: two');
    expect(await say('three', 'a', 2)).toBe('2: one, three');
  });
});

test('a process per question learns of earlier turns only through its arguments', async () => {
  write('echo.mjs', 'console.log(JSON.stringify({ answer: JSON.stringify(process.argv.slice(2)) }));');
  const command = [node, 'echo.mjs', '{{session.id}}/{{session.turn}}', '{{messages}}', '{{other}}'];
  await using(create({ command, mode: 'once' }), async (target) => {
    const messages = [
      { role: 'user' as const, content: '{{session.id}}' },
      { role: 'assistant' as const, content: '$& ü' },
      { role: 'user' as const, content: 'x' },
    ];
    const { answer } = await target.call(request('x', { messages, session: sessionOf(2, 'a') }), {
      signal: never,
    });
    expect(JSON.parse(answer ?? '')).toEqual(['a/2', JSON.stringify(messages), '{{other}}']);
  });
});

test('answers may come in any order', async () => {
  const bot = `
    globalThis.waiting ??= [];
    waiting.push({ id, answer: input });
    if (waiting.length === 3) for (const reply of waiting.reverse()) write(reply);`;
  await using(createBot(bot, { inFlight: 3 }), async (target) => {
    expect(target.maxConcurrency).toBe(3);
    const replies = await Promise.all(['a', 'b', 'c'].map((input) => ask(target, input)));
    expect(replies.map(({ answer }) => answer)).toEqual(['a', 'b', 'c']);
  });
});

test('questions go to the process with the fewest calls', async () => {
  const bot = `
    if (input === 'hold') globalThis.held = id;
    else { write({ id, answer: String(process.pid) }); if (globalThis.held) write({ id: held, answer: 'held ' + process.pid }); }`;
  await using(createBot(bot, { processes: 2, inFlight: 2 }), async (target) => {
    const held = ask(target, 'hold');
    const others = await Promise.all([ask(target, 'x'), ask(target, 'y')]);
    expect(new Set(others.map(({ answer }) => answer)).size).toBe(2);
    expect((await held).answer).toContain('held');
  });
});

test('output on stderr is kept with the question that was open', async () => {
  const bot = `process.stderr.write('looking up ' + input + '\\n'); write({ id, answer: 'x' });`;
  await using(createBot(bot), async (target) => {
    expect((await ask(target, 'one')).logs).toBe('looking up one');
    expect((await ask(target, 'two')).logs).toBe('looking up two');
  });
});

test('at most the last 16 Ki characters of stderr are kept', async () => {
  const bot = `process.stderr.write('y'.repeat(1e5) + 'the end', () => write({ id, answer: 'x' }));`;
  await using(createBot(bot), async (target) => {
    const { logs = '' } = await ask(target, 'one');
    expect(logs.length).toBe(16 * 1024);
    expect(logs).toMatch(/the end$/);
  });
});

test('a forgotten print does no harm, before the first answer or after', async () => {
  const bot = `write('loading...'); write({ level: 'info', message: 'asked' }); write('42'); write(''); write({ id, answer: input });`;
  await using(createBot(bot), async (target) => {
    const first = await ask(target, 'one');
    expect(first.answer).toBe('one');
    expect(first.logs).toContain('loading...');
    expect((await ask(target, 'two')).answer).toBe('two');
  });
});

test('a reply with an id that was not asked is ignored, and the real one is still read', async () => {
  await using(
    createBot(`write({ id: 'other', answer: 'wrong' }); write({ id, answer: 'right' });`),
    async (target) => {
      expect((await ask(target, 'x')).answer).toBe('right');
    },
  );
});

test('a number equal to the id counts as the id', async () => {
  await using(createBot('write({ id: Number(id), answer: input })'), async (target) => {
    expect((await ask(target, 'x')).answer).toBe('x');
  });
});

test('a reply that begins like JSON but is invalid fails its question alone', async () => {
  const bot = `write(input === 'bad' ? '{"id": "' + id + '", "answer": oops}' : { id, answer: input });`;
  await using(createBot(bot, { inFlight: 2 }), async (target) => {
    const [bad, good] = await Promise.allSettled([ask(target, 'bad'), ask(target, 'good')]);
    expect(bad).toMatchObject({
      reason: { code: 'invalid-reply', message: expect.stringContaining('oops') },
    });
    expect(good).toMatchObject({ value: { answer: 'good' } });
  });
});

test('a reply without an answer fails its question, with the output on stderr', async () => {
  await using(createBot(`process.stderr.write('hint\\n'); write({ id, anwser: 'x' });`), async (target) => {
    await expect(ask(target, 'x')).rejects.toMatchObject({
      code: 'invalid-answer',
      message: expect.stringContaining('anwser'),
      logs: 'hint',
    });
  });
});

test('an error that the bot reports is a failure with its message', async () => {
  await using(createBot(`write({ id, error: 'database is locked' });`), async (target) => {
    await expect(ask(target, 'x')).rejects.toMatchObject({
      code: 'target-reported-error',
      message: expect.stringContaining('database is locked'),
    });
  });
});

test('a process that ends while working is a retryable failure that says how, and is replaced', async () => {
  const bot = `
    if (input === 'crash') { process.stderr.write('Traceback: out of luck\\n'); process.exitCode = 3; process.stdin.destroy(); }
    else write({ id, answer: input });`;
  await using(createBot(bot), async (target) => {
    await expect(ask(target, 'crash')).rejects.toMatchObject({
      code: 'process-exited',
      retryable: true,
      message: expect.stringMatching(/exit code 3[^]*out of luck/),
      logs: 'Traceback: out of luck',
    });
    expect((await ask(target, 'again')).answer).toBe('again');
  });
});

test.skipIf(isWindows)('kill -9 during calls fails those calls and no others', async () => {
  const bot = `if (input.startsWith('slow')) write('pid ' + process.pid); else write({ id, answer: String(process.pid) });`;
  await using(createBot(bot, { inFlight: 3 }), async (target) => {
    const pid = Number((await ask(target, 'pid')).answer);
    const calls = [ask(target, 'slow 1'), ask(target, 'slow 2')];
    const settled = Promise.allSettled(calls);
    process.kill(pid, 'SIGKILL');
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({
        reason: { code: 'process-exited', retryable: true, message: expect.stringContaining('SIGKILL') },
      });
    }
    expect(Number((await ask(target, 'pid')).answer)).not.toBe(pid);
  });
});

test('a process that keeps dying without an answer is not restarted endlessly', async () => {
  await using(createBot(`process.stderr.write('no such module\\n'); process.exit(1);`), async (target) => {
    const codes: string[] = [];
    for (let call = 0; call < 7; call += 1) {
      const failure = await ask(target, 'x').then(
        () => expect.fail('it answered'),
        (error) => error,
      );
      codes.push(failure.code);
      if (call === 6) expect(failure.message).toContain('no such module');
    }
    expect(codes).toEqual([...Array(5).fill('process-exited'), 'process-keeps-dying', 'process-keeps-dying']);
  });
});

test('a target that has answered is restarted however often it dies', async () => {
  await using(
    createBot(`if (input === 'crash') process.exit(1); write({ id, answer: input });`),
    async (target) => {
      await ask(target, 'fine');
      for (let call = 0; call < 8; call += 1) {
        await expect(ask(target, 'crash')).rejects.toMatchObject({ code: 'process-exited' });
      }
      expect((await ask(target, 'fine')).answer).toBe('fine');
    },
  );
});

test('with one in flight, an aborted call ends its process, and the next call is not mixed up with it', async () => {
  const bot = `if (input === 'slow') { process.stderr.write('busy\\n'); setInterval(() => {}, 1000); } else write({ id, answer: String(process.pid) });`;
  await using(createBot(bot), async (target) => {
    const pid = Number((await ask(target, 'pid')).answer);
    const controller = new AbortController();
    const call = ask(target, 'slow', controller.signal);
    setTimeout(() => controller.abort(), 200);
    await expect(call).rejects.toThrow();
    expect(Number((await ask(target, 'pid')).answer)).not.toBe(pid);
    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});

test('with several in flight, the late answer of an aborted call is dropped and its process continues', async () => {
  const bot = `
    if (input === 'slow') globalThis.late = id;
    else { if (globalThis.late) write({ id: late, answer: 'late' }); write({ id, answer: String(process.pid) }); }`;
  await using(createBot(bot, { inFlight: 2 }), async (target) => {
    const { answer: pid } = await ask(target, 'pid');
    const controller = new AbortController();
    const call = ask(target, 'slow', controller.signal);
    controller.abort();
    await expect(call).rejects.toThrow();
    expect((await ask(target, 'pid')).answer).toBe(pid);
  });
});

test('a process whose slots are all taken by aborted calls is replaced', async () => {
  const bot = `if (input !== 'slow') write({ id, answer: String(process.pid) });`;
  await using(createBot(bot, { inFlight: 2 }), async (target) => {
    const { answer: pid } = await ask(target, 'pid');
    for (let call = 0; call < 2; call += 1) {
      const controller = new AbortController();
      const slow = ask(target, 'slow', controller.signal);
      controller.abort();
      await expect(slow).rejects.toThrow();
    }
    expect((await ask(target, 'pid')).answer).not.toBe(pid);
  });
});

test('closing ends a process that ignores the end of stdin, and the processes it has started', async () => {
  const bot = `
    const { spawn } = await import('node:child_process');
    const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    process.on('SIGTERM', () => {});
    setInterval(() => {}, 1000);
    write({ id, answer: process.pid + ' ' + helper.pid });`;
  const target = createBot(bot, { closeTimeLimitMs: 100 });
  await target.open?.();
  const ids = ((await ask(target, 'x')).answer ?? '').split(' ').map(Number);
  expect(ids.map(isRunning)).toEqual([true, true]);
  await target.close?.();
  await expect.poll(() => ids.filter(isRunning)).toEqual([]);
});

test('closing lets a process finish its work after the end of stdin', async () => {
  const target = createBot(
    `process.stdin.on('end', async () => (await import('node:fs')).writeFileSync('ended.txt', 'well')); write({ id, answer: 'x' });`,
    {
      closeTimeLimitMs: 60_000,
    },
  );
  await ask(target, 'x');
  await target.close?.();
  expect(readFileSync(path.join(folder, 'ended.txt'), 'utf8')).toBe('well');
  await expect(ask(target, 'x')).rejects.toMatchObject({ code: 'target-closed' });
});

test.skipIf(isWindows)('no process is left when the program that uses a target just exits', async () => {
  const source = new URL('./command.ts', import.meta.url).href;
  write(
    'stubborn.mjs',
    `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.stdin.on('data', (line) => console.log(JSON.stringify({ id: JSON.parse(line).id, answer: process.pid })));`,
  );
  const program = `
    const { command } = await import(${JSON.stringify(source)});
    const { definition } = command;
    const target = definition.create(definition.options.parse({ command: [process.execPath, 'stubborn.mjs'] }), { folder: '.', environment: process.env });
    const { answer } = await target.call({ input: 'x', messages: [], session: { id: 's', turn: 1 } }, { signal: new AbortController().signal });
    console.log(answer);
    process.exit(0);`;
  const output = execFileSync(node, ['--input-type=module', '-e', program], {
    cwd: folder,
    encoding: 'utf8',
  });
  const pid = Number(output);
  expect(pid).toBeGreaterThan(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test('a missing program is named before anything is asked', async () => {
  for (const mode of ['lines', 'once'] as const) {
    await expect(create({ command: 'no-such-program-anywhere x', mode }).open?.()).rejects.toMatchObject({
      code: 'target-unreachable',
      message: expect.stringContaining('no-such-program-anywhere'),
      remedy: expect.stringContaining('Install no-such-program-anywhere'),
    });
  }
  await expect(create({ command: ['./nowhere/bot'] }).open?.()).rejects.toMatchObject({
    code: 'target-unreachable',
    message: expect.stringContaining('./nowhere/bot'),
  });
  await expect(create({ command: [node], cwd: 'no-such-folder' }).open?.()).rejects.toMatchObject({
    code: 'target-invalid',
    message: expect.stringContaining('no-such-folder'),
  });
});

test.skipIf(isWindows)(
  'a program without execute permission is distinguished from a missing one',
  async () => {
    write('plain.txt', 'hello');
    await expect(create({ command: './plain.txt' }).open?.()).rejects.toMatchObject({
      code: 'target-unreachable',
      remedy: expect.stringContaining('chmod +x ./plain.txt'),
    });
  },
);

test('a process that exits at once is detected before anything is asked', async () => {
  const target = create({
    command: [node, '-e', 'console.error("cannot open the index"); process.exit(7)'],
    startupTimeLimitMs: 60_000,
  });
  await expect(target.open?.()).rejects.toMatchObject({
    code: 'target-unreachable',
    message: expect.stringMatching(/exit code 7[^]*cannot open the index/),
  });
  await target.close?.();
});

test('a slow start is awaited until the bot reports that it is ready', async () => {
  const bot = write(
    'slow-start.mjs',
    `setTimeout(() => { console.log('{"ready": true}'); process.stdin.on('data', (line) => console.log(JSON.stringify({ id: JSON.parse(line).id, answer: 'up' }))); }, 600);`,
  );
  await using(create({ command: [node, bot], startupTimeLimitMs: 60_000 }), async (target) => {
    expect((await ask(target, 'x')).answer).toBe('up');
  });
  const impatient = create({ command: [node, bot], startupTimeLimitMs: 1 });
  await expect(impatient.open?.()).rejects.toMatchObject({
    code: 'target-unreachable',
    message: expect.stringContaining('not ready within 1 ms'),
  });
  await impatient.close?.();
});

test('in mode once, an object on stdout is read as a reply, any other text is the answer', async () => {
  const print = (text: string) =>
    create({ command: [node, '-e', `process.stdout.write(${JSON.stringify(text)})`], mode: 'once' });
  expect(await ask(print('{"answer": "x", "tools_used": ["t"]}\n'), 'q')).toEqual({
    answer: 'x',
    toolCalls: [{ name: 't' }],
  });
  expect((await ask(print('{"other": 1}\n'), 'q')).answer).toBe('{"other": 1}');
  expect((await ask(print('{not json}\n'), 'q')).answer).toBe('{not json}');
  expect((await ask(print('two\nlines\n\n'), 'q')).answer).toBe('two\nlines\n');
  expect((await ask(print(''), 'q')).answer).toBeNull();
});

test('in mode once, an exit code is a failure with the output on stderr', async () => {
  const script = 'console.log("half an answer"); console.error("KeyError: price"); process.exit(2)';
  await expect(ask(create({ command: [node, '-e', script], mode: 'once' }), 'q')).rejects.toMatchObject({
    code: 'process-failed',
    retryable: false,
    message: expect.stringMatching(/exit code 2[^]*KeyError: price/),
    logs: 'KeyError: price',
  });
});

test('in mode once, a stopped call is cancelled, whatever the reason of its signal, and keeps the output on stderr', async () => {
  const script = 'console.error("busy"); console.log("ready"); setInterval(() => {}, 1000);';
  const target = create({ command: [node, '-e', script], mode: 'once' });
  const stopped = ask(target, 'q', AbortSignal.timeout(1000));
  await expect(stopped).rejects.toMatchObject({ code: 'cancelled', logs: 'busy' });
});

test('in mode once, a question that no argument can contain is a failure, not a crash', async () => {
  const target = create({ command: [node, 'once.mjs', '{{input}}'], mode: 'once' });
  await expect(ask(target, 'a\u0000b')).rejects.toMatchObject({ code: 'process-failed' });
});

test('in mode once, more than 16 MiB end the process', async () => {
  const script =
    'process.stdout.on("error", () => {}); for (;;) { if (!process.stdout.write("x".repeat(1e6))) await new Promise((go) => process.stdout.once("drain", go)); }';
  const target = create({ command: [node, '--input-type=module', '-e', script], mode: 'once' });
  await expect(ask(target, 'q')).rejects.toMatchObject({ code: 'answer-too-large' });
});

test('in mode once, nothing that the process started is left when it has ended', async () => {
  const script = `const { spawn } = require('child_process'); const helper = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']); console.log(helper.pid); process.exit(0)`;
  const { answer } = await ask(create({ command: [node, '-e', script], mode: 'once' }), 'q');
  await expect.poll(() => isRunning(Number(answer))).toBe(false);
});

test.each(['OPENAI_API_KEY', 'apiKey', 'BOT_TOKEN', 'DB_PASSWORD', 'CLIENT_SECRET'])(
  'a secret in plain text in env.%s is refused, and not repeated',
  (name) => {
    const written = () => create({ command: 'bot', env: { [name]: 'sk-live-1' } });
    expect(written).toThrow(`\`env.${name}\` looks like a secret that is written out.`);
    expect(written).not.toThrow(/sk-live/);
  },
);

test.each<Record<string, string>>([
  { MAX_TOKENS: '512' },
  { TOKENIZERS_PARALLELISM: 'false' },
  { OPENAI_API_KEY: '' },
  { AUTHOR: 'me' },
])('%j is not a secret', (env) => {
  expect(() => create({ command: 'bot', env })).not.toThrow();
});

const key = 'sk/test+0123456789abcdef';
const withKey = (options: Options) => {
  const { definition } = command;
  const needs = { folder, environment: { ...environment, BOT_KEY: key } } as never;
  return definition.create(definition.options.parse(options), needs);
};

test.each([
  ['stderr before it ends', 'console.error(`bad key ${process.env.BOT_KEY}`); process.exit(1)'],
  ['an error reply', 'console.log(JSON.stringify({ error: `bad key ${process.env.BOT_KEY}` }))'],
  ['stderr beside an answer', 'console.error(encodeURIComponent(process.env.BOT_KEY)); console.log("yes")'],
])('a secret of the environment in %s is kept by name only', async (_where, script) => {
  const target = withKey({ command: [node, '-e', script], mode: 'once' });
  const said = await target.call(request('q'), { signal: never }).then(
    ({ logs }) => logs,
    ({ message, logs = '' }: TargetFailure) => `${message} ${logs}`,
  );
  expect(said).toContain('[BOT_KEY]');
  expect(said).not.toContain('0123456789');
});

/** Returns how much of the key is in a text: the length of its longest piece. */
function longestPiece(text: string): number {
  for (let length = key.length; length > 0; length -= 1) {
    for (let start = 0; start + length <= key.length; start += 1) {
      if (text.includes(key.slice(start, start + length))) return length;
    }
  }
  return 0;
}

const fill = (count: number) => `'.'.repeat(${count})`;
const kept = 16 * 1024;

test.each([
  ['the start of what is kept of stderr', `console.error(bot + ${fill(kept - 13)}); reply('yes')`],
  [
    'stderr that comes in pieces',
    `const write = (text) => new Promise((done) => process.stderr.write(text, () => setTimeout(done, 20)));
     await write(bot.slice(0, 12)); await write(bot.slice(12) + ${fill(kept - 13)});
     await write(${fill(3)}); reply('yes')`,
  ],
  [
    'a great many of them',
    `for (let count = 0; count < 2000; count += 1) console.error('a=' + bot); reply('yes')`,
  ],
  ['the last lines before the end', `console.error(bot + ${fill(488)}); process.exit(1)`],
  ['a reply that is cut short', `console.log('{"id": 1, "answer": "' + ${fill(267)} + bot)`],
  ['a reply that is no JSON', `console.log('{"id": 1, "answer": ' + bot + '}')`],
])('nothing is left of a secret that is cut in two: %s', async (_where, script) => {
  const bot = `process.stdin.once('data', async () => {
    const bot = process.env.BOT_KEY;
    const reply = (answer) => console.log(JSON.stringify({ id: 1, answer }));
    ${script};
  })`;
  const target = withKey({ command: [node, '-e', bot] });
  await using(target, async () => {
    const said = await target.call(request('q'), { signal: never }).then(
      ({ logs = '' }) => logs,
      ({ message, logs = '' }: TargetFailure) => `${message} ${logs}`,
    );
    expect(said.length).toBeGreaterThan(80);
    expect(longestPiece(said)).toBeLessThan(4);
  });
});

test('a secret of the environment is in no message about an unusable program', async () => {
  const script = 'console.error(process.env.BOT_KEY); process.exit(1)';
  const target = withKey({ command: [node, '-e', script] });
  // On a busy machine the process ends only after it was taken for usable: then the first question is refused.
  const opened = Promise.resolve(target.open?.());
  const fault = await opened.then(() => target.call(request('q'), { signal: never })).catch((error) => error);
  expect(`${fault.message} ${fault.logs}`).toContain('[BOT_KEY]');
  await target.close?.();
});

test('variables of the config reach the process in addition to those of the environment', async () => {
  const script = 'console.log(process.env.BOT_COLOUR, process.env.PATH !== undefined)';
  const target = create({ command: [node, '-e', script], mode: 'once', env: { BOT_COLOUR: 'red' } });
  expect((await ask(target, 'q')).answer).toBe('red true');
});

test('several in flight are refused for a process that is started for each question', () => {
  const parsed = command.definition.options.safeParse({ command: 'x', mode: 'once', inFlight: 2 });
  expect(parsed.error?.issues[0]?.path).toEqual(['inFlight']);
});

test.skipIf(!hasPython)(
  'a Python bot need neither flush nor choose an encoding (needs python3)',
  async () => {
    const bot = write(
      'bot.py',
      'import json, sys\nfor line in sys.stdin:\n    q = json.loads(line)\n    print(json.dumps({"id": q["id"], "answer": "é " + q["input"]}, ensure_ascii=False))\n',
    );
    await using(create({ command: ['python3', bot], env: { LC_ALL: 'C' } }), async (target) => {
      expect((await ask(target, 'ü🙂')).answer).toBe('é ü🙂');
    });
  },
);

test.skipIf(!hasPython)(
  'for a Python bot that writes Latin-1, the message says what to set (needs python3)',
  async () => {
    const bot = write(
      'latin.py',
      'import json, sys\nsys.stdout.reconfigure(encoding="latin-1")\nfor line in sys.stdin:\n    print(json.dumps({"id": json.loads(line)["id"], "answer": "é"}, ensure_ascii=False))\n',
    );
    await using(create({ command: ['python3', bot] }), async (target) => {
      await expect(ask(target, 'x')).rejects.toMatchObject({
        code: 'invalid-utf8',
        message: expect.stringContaining('PYTHONIOENCODING=utf-8'),
      });
    });
  },
);

test.skipIf(!hasPython)(
  'a missing Python bot is detected before anything is asked (needs python3)',
  async () => {
    const target = create({ command: 'python3 missing.py', startupTimeLimitMs: 60_000 });
    await expect(target.open?.()).rejects.toMatchObject({ message: expect.stringContaining('missing.py') });
    await target.close?.();
  },
);

test('the identity changes with what is started, not with how many processes run', async () => {
  const identify = async (more: Partial<Options>) =>
    JSON.stringify(await create({ command: 'bot', ...more }).identity?.());
  const plain = await identify({});
  const pool = { processes: 3, inFlight: 2, startupTimeLimitMs: 10, closeTimeLimitMs: 10 };
  expect(await identify(pool)).toBe(plain);
  for (const more of [
    { mode: 'once' },
    { version: '2' },
    { env: { A: 'b' } },
    { command: 'other' },
  ] as const) {
    expect(await identify(more)).not.toBe(plain);
  }
});
