import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { program, temporaryFolder, touchstone } from './run-cli.ts';
import { atFileEnd } from './support/file-end.ts';
import { keys, openTerminal, python, type Terminal } from './support/terminal.ts';

const execute = promisify(execFile);
const { down, enter, stop } = keys;

/** A question that is shown, and the keys that answer it. */
type Step = readonly [shown: string, ...pressed: string[]];

/** Answers questions in their order. */
async function answer(terminal: Terminal, steps: readonly Step[]): Promise<void> {
  for (const [shown, ...pressed] of steps) {
    await terminal.waitFor(shown);
    terminal.press(...pressed);
  }
}

function start(cwd: string, ...words: string[]): Terminal {
  return openTerminal([process.execPath, program, 'init', ...words], { cwd });
}

/** Starts `init` in a folder, and answers its questions. Returns what was shown. */
async function init(cwd: string, steps: readonly Step[], words: readonly string[] = []): Promise<string> {
  const terminal = start(cwd, ...words);
  await answer(terminal, steps);
  expect(await terminal.ended).toBe(0);
  return terminal.read();
}

async function folderWith(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
  return folder;
}

async function configIn(folder: string): Promise<{ dataset: unknown; targets: Record<string, unknown>[] }> {
  return parse(await readFile(path.join(folder, 'touchstone.config.yaml'), 'utf8'));
}

const servers: Server[] = [];
atFileEnd(() => {
  for (const server of servers.splice(0)) server.close();
});

/** Starts a bot that answers each request with a reply. */
async function startBot(reply: unknown, status = 200): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      requests.push(body);
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/chat`, requests };
}

/** The last line that was shown: the command to go on with. */
function lastLine(shown: string): string {
  return shown.trimEnd().split(/\r?\n/).at(-1) ?? '';
}

/** The files of a new project for coding agents. */
const forAgents = ['.agents', '.claude', 'AGENTS.md'];
const where = 'Where is your bot?';
const noQuestions: Step = ['Do you have questions', enter];
const noAnswers: Step = ['Do you have answers already', enter];
const csv = 'question,expected_answer\nWhat does the lamp cost?,$49\nOpen on Sunday?,\n';

test.skipIf(python === '')(
  'nowhere yet: a sample, whose last line is a command that works (needs python3)',
  async () => {
    const cwd = await folderWith();
    const shown = await init(
      cwd,
      [[where, down, down, down, down, enter], noQuestions, noAnswers],
      ['my eval'],
    );
    expect(readdirSync(path.join(cwd, 'my eval')).sort()).toEqual(
      [...forAgents, '.gitignore', 'README.md', 'bot.ts', 'golden.jsonl', 'touchstone.config.yaml'].sort(),
    );
    const { stdout } = await execute('sh', ['-c', lastLine(shown)], { cwd });
    expect(stdout).toContain('from 10 questions');
  },
);

test.skipIf(python === '')(
  'a bot behind HTTP is asked once, and where it answered is shown (needs python3)',
  async () => {
    const { url, requests } = await startBot({ data: { reply: 'Hi, how can I help?' }, id: 7 });
    const cwd = await folderWith({ 'q.csv': csv });
    const shown = await init(cwd, [
      [where, enter],
      ['Its address?', url, enter],
      ['The JSON that it takes?', keys.clear, '{"text": "{{input}}"}', enter],
      ['May I send it "Hello"', enter],
      ['Do you have questions', 'y'],
      ['Which file?', 'q.csv', enter],
    ]);
    expect(shown).toContain('It said "Hi, how can I help?", found at `data.reply`.');
    expect(shown).toContain('2 questions: 1 say what is expected, 1 does not.');
    expect(requests).toEqual(['{"text":"Hello"}']);
    expect(await configIn(cwd)).toEqual({
      dataset: 'q.csv',
      targets: [{ use: 'http', name: 'my-bot', url, body: { text: '{{input}}' } }],
    });
    const { stdout } = await execute('sh', ['-c', lastLine(shown)], { cwd });
    expect(stdout).toContain('my-bot');
    expect(requests).toHaveLength(3);
  },
);

test.skipIf(python === '')(
  'an answer under an unusual name is chosen from the texts of the reply (needs python3)',
  async () => {
    const { url } = await startBot({ say: { words: 'Good day to you!' }, session: 'abc' });
    const cwd = await folderWith();
    await init(cwd, [
      [where, enter],
      ['Its address?', url, enter],
      ['The JSON that it takes?', enter],
      ['May I send it "Hello"', enter],
      ['Which of these is its answer?', enter],
      noQuestions,
    ]);
    expect((await configIn(cwd)).targets).toEqual([
      { use: 'http', name: 'my-bot', url, body: { input: '{{input}}' }, answer: 'say.words' },
    ]);
  },
);

test.skipIf(python === '')('nothing is sent without permission (needs python3)', async () => {
  const { url, requests } = await startBot({ answer: 'Hi' });
  const cwd = await folderWith();
  await init(cwd, [
    [where, enter],
    ['Its address?', url, enter],
    ['The JSON', enter],
    ['May I send', 'n'],
    noQuestions,
  ]);
  expect(requests).toEqual([]);
});

test.skipIf(python === '')(
  'a program, and a column that nothing reads, which is asked about once (needs python3)',
  async () => {
    const cwd = await folderWith({
      'q.csv': 'question,gold_label\nWhat does the lamp cost?,$49\n',
      'bot.sh': 'cat >/dev/null; echo "It costs \\$49."',
    });
    const shown = await init(cwd, [
      [where, down, enter],
      ['How is it started?', 'sh bot.sh', enter],
      ['How does it get a question?', enter],
      ['Do you have questions', 'y'],
      ['Which file?', 'q.csv', enter],
      ['What is the column "gold_label"?', enter],
    ]);
    expect(shown).toContain(
      '1 question: 0 say what is expected, 1 does not. Nothing reads the columns gold_label.',
    );
    expect(await configIn(cwd)).toEqual({
      dataset: { path: 'q.csv', fields: { gold_label: 'expected_answer' } },
      targets: [{ use: 'command', name: 'my-bot', command: 'sh bot.sh', mode: 'once' }],
    });
    const { stdout } = await execute('sh', ['-c', lastLine(shown)], { cwd });
    expect(stdout).toContain('100 %, ');
  },
);

test.skipIf(python === '')(
  'a function, and questions in a column of another name (needs python3)',
  async () => {
    const cwd = await folderWith({
      'q.csv': 'spalte,expected_answer\nWas kostet die Lampe?,49\n',
      'bot.mjs': "export default () => '49';",
    });
    const shown = await init(
      cwd,
      [
        [where, down, down, enter],
        ['The file that exports it?', 'nowhere.mjs', enter],
        ['There is no file nowhere.mjs', keys.clear, 'bot.mjs', enter],
        ['Do you have questions', 'y'],
        ['Which file?', 'q.csv', enter],
        ['Which column is the question?', enter],
      ],
      ['eval'],
    );
    expect(await configIn(path.join(cwd, 'eval'))).toEqual({
      dataset: { path: '../q.csv', fields: { spalte: 'question' } },
      targets: [{ use: 'module', name: 'my-bot', path: '../bot.mjs' }],
    });
    expect((await execute('sh', ['-c', lastLine(shown)], { cwd })).stdout).toContain('100 %, ');
  },
);

test.skipIf(python === '')(
  'a model, whose key is asked for where it is missing (needs python3)',
  async () => {
    const cwd = await folderWith();
    const terminal = openTerminal([process.execPath, program, 'init'], {
      cwd,
      env: { ANTHROPIC_API_KEY: '' },
    });
    await answer(terminal, [
      [where, down, down, down, enter],
      ['Which one?', 'claude-sonnet-4-5', enter],
      noQuestions,
    ]);
    expect(await terminal.ended).toBe(0);
    expect(terminal.read()).toContain('Set its key first: export ANTHROPIC_API_KEY=…');
    expect((await configIn(cwd)).targets).toEqual([
      { use: 'anthropic', name: 'claude-sonnet-4-5', model: 'claude-sonnet-4-5' },
    ]);
  },
);

test.skipIf(python === '')('recorded answers are scored at once (needs python3)', async () => {
  const rows =
    '{"question":"2+2?","expected_answer":"4","answer":"4"}\n{"question":"3+3?","expected_answer":"6","answer":"7"}\n';
  const cwd = await folderWith({ 'answers.jsonl': rows });
  const steps: Step[] = [
    [where, down, down, down, down, enter],
    noQuestions,
    ['Do you have answers already', 'y'],
    ['Which file?', 'answers.jsonl', enter],
  ];
  const shown = await init(cwd, steps);
  expect(shown).toContain('from only 2 questions');
  expect((await execute('sh', ['-c', lastLine(shown)], { cwd })).stdout).toContain('3+3?');
});

const promptfoo = {
  'promptfooconfig.yaml':
    "prompts: ['Answer: {{q}}']\nproviders: [echo]\ntests: [{ vars: { q: hi }, assert: [{ type: contains, value: hi }] }]\n",
};

test.skipIf(python === '')(
  'a promptfoo project is offered with its numbers, and brought over (needs python3)',
  async () => {
    const cwd = await folderWith(promptfoo);
    const shown = await init(cwd, [
      ['A promptfoo project: promptfoo configuration, 1 prompt × 1 provider, 1', enter],
      ['Write this?', enter],
    ]);
    expect(shown).toContain('assertion contains');
    expect(readdirSync(path.join(cwd, 'promptfooconfig'))).toContain('touchstone.config.yaml');
  },
);

test.skipIf(python === '')(
  'a project that is not to be brought over stays, and the three questions are asked (needs python3)',
  async () => {
    const cwd = await folderWith(promptfoo);
    await init(cwd, [
      ['A promptfoo project', 'n'],
      [where, down, down, down, down, enter],
      noQuestions,
      noAnswers,
    ]);
    expect(readdirSync(cwd)).toContain('touchstone.config.yaml');
  },
);

test.skipIf(python === '')(
  'touchstone becomes a dependency only if that is wanted, and then the config may be code (needs python3)',
  async () => {
    const cwd = await folderWith({ 'package.json': '{\n    "name": "mine"\n}\n' });
    const steps: Step[] = [
      [where, down, down, down, down, enter],
      noQuestions,
      noAnswers,
      ['Add touchstone-evals', 'y'],
    ];
    await init(cwd, steps);
    const manifest = await readFile(path.join(cwd, 'package.json'), 'utf8');
    expect(manifest).toMatch(
      /^\{\n {4}"name": "mine",\n {4}"devDependencies": \{\n {8}"touchstone-evals": "/,
    );
    expect(readdirSync(cwd)).toContain('touchstone.config.ts');
    expect(readdirSync(cwd)).not.toContain('touchstone.config.yaml');
    const ran = await touchstone(['run'], { cwd });
    expect(ran.stdout).toContain('from 10 questions');
  },
);

const everyQuestion: Step[] = [
  ['A promptfoo project', 'n'],
  [where, down, down, down, down, enter],
  ['Do you have questions', 'y'],
  ['Which file?', 'q.csv', enter],
  ['What is the column "gold_label"?', enter],
  noAnswers,
  ['Add touchstone', enter],
];

test.skipIf(python === '').each(everyQuestion.map(([shown], index) => [shown, index] as const))(
  'Ctrl-C at "%s" ends with 130, and nothing is written (needs python3)',
  async (shown, index) => {
    const files = { ...promptfoo, 'package.json': '{}', 'q.csv': 'question,gold_label\nA?,b\n' };
    const cwd = await folderWith(files);
    // A terminal that does not know its size.
    const terminal = openTerminal([process.execPath, program, 'init'], { cwd, size: [0, 0] });
    await answer(terminal, everyQuestion.slice(0, index));
    await terminal.waitFor(shown);
    terminal.press(stop);
    expect(await terminal.ended).toBe(130);
    expect(terminal.read()).toContain('nothing was written');
    expect(readdirSync(cwd).sort()).toEqual(Object.keys(files).sort());
    expect(await readFile(path.join(cwd, 'package.json'), 'utf8')).toBe('{}');
  },
);

test.each([
  [['--yes'], {}],
  [['--json'], {}],
  [[], { CI: 'true' }],
  [[], {}],
])('without a terminal, with %j and %j, nothing is asked and the sample is written', async (flags, env) => {
  const cwd = await folderWith();
  const { code, stdout } = await touchstone(['init', 'my-eval', ...flags], { cwd, env });
  expect(code).toBe(0);
  const next = flags[0] === '--json' ? (JSON.parse(stdout) as { next: string }).next : lastLine(stdout);
  expect((await execute('sh', ['-c', next], { cwd })).stdout).toContain('from 10 questions');
});

test('what is given is used, and the rest is the sample', async () => {
  const { url, requests } = await startBot({ content: [{ type: 'text', text: 'Hi' }] });
  const cwd = await folderWith({ 'q.csv': csv });
  const words = [
    'init',
    'eval',
    '--url',
    url,
    '--body',
    '{"m": "{{input}}"}',
    '--probe',
    '--questions',
    'q.csv',
  ];
  const { code, stdout, stderr } = await touchstone([...words, '--json'], { cwd });
  expect([code, stderr]).toEqual([0, expect.stringContaining('found at `content[0].text`')]);
  expect(JSON.parse(stdout)).toMatchObject({
    questions: { rows: 2, expecting: 1 },
    probe: { outcome: 'answered', answer: 'Hi' },
  });
  expect(requests).toEqual(['{"m":"Hello"}']);
  expect(readdirSync(path.join(cwd, 'eval')).sort()).toEqual([
    '.agents',
    '.claude',
    '.gitignore',
    'AGENTS.md',
    'touchstone.config.yaml',
  ]);
});

test('a bot that cannot be reached, or refuses, is said so; the project is written and the first step named', async () => {
  const cwd = await folderWith();
  const down = await touchstone(['init', 'down', '--url', 'http://127.0.0.1:2/chat', '--probe'], { cwd });
  expect(down.stderr).toContain('It gave no answer: the connection was refused');
  expect(down.stdout).toContain('Start the bot first, so that it answers at http://127.0.0.1:2/chat.');
  const { url } = await startBot({ detail: 'field required: question' }, 422);
  const refused = await touchstone(['init', 'refused', '--url', url, '--probe'], { cwd });
  expect(refused.stderr).toContain('the status 422: {"detail":"field required: question"}');
});

test.each([
  [['--answers', 'a.csv', '--bot', 'http'], '`--answers` and `--bot` are two ways to begin; give one.'],
  [['--import', 'p.yaml', '--model', 'm'], '`--import` and `--model` are two ways to begin; give one.'],
  [
    ['--import', 'p.yaml', '--questions', 'q.csv'],
    '`--import` and `--questions` are two ways to begin; give one.',
  ],
  [['--once'], '`--once` needs the program.'],
  [['--url', 'http://x', '--command', 'y'], '`--url` and `--command` are two bots; give one.'],
  [['--bot', 'command', '--url', 'http://x'], '`--url` belongs to `--bot http`, not to `--bot command`.'],
  [['--bot', 'http', '--target', 'module'], '`--bot` and `--target` are two bots; give one.'],
  [['--bot', 'http', '--probe'], '`--probe` needs the address of the bot.'],
  [['--bot', 'model'], '`--bot model` needs the name of the model.'],
  [['--url', 'localhost:8080'], '"localhost:8080" is no web address.'],
  [['--url', 'http://x', '--body', '{"a": 1}'], 'The body of a request has no place for the question.'],
  [['--questions', 'missing.csv'], 'missing.csv'],
  [['--save'], '`--save`: there is no package.json'],
])('%j is refused with exit code 4, and nothing is written', async (flags, message) => {
  const cwd = await folderWith();
  const { code, stderr } = await touchstone(['init', ...flags], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining(message)]);
  expect(readdirSync(cwd)).toEqual([]);
});

test('no file is replaced: a README stays, a config refuses, .gitignore gains a line once', async () => {
  const cwd = await folderWith({ 'README.md': 'mine', '.gitignore': 'dist' });
  expect((await touchstone(['init'], { cwd })).code).toBe(0);
  expect(await readFile(path.join(cwd, 'README.md'), 'utf8')).toBe('mine');
  expect(await readFile(path.join(cwd, '.gitignore'), 'utf8')).toBe('dist\n.touchstone/\n');
  const again = await touchstone(['init'], { cwd });
  expect([again.code, again.stderr]).toEqual([
    4,
    expect.stringContaining('already contains touchstone.config.yaml'),
  ]);
  const golden = await folderWith({ 'golden.jsonl': '{"question":"A?"}\n' });
  const taken = await touchstone(['init'], { cwd: golden });
  expect([taken.code, taken.stderr]).toEqual([4, expect.stringContaining('`--questions golden.jsonl`')]);
  expect((await touchstone(['init', '--questions', 'golden.jsonl'], { cwd: golden })).code).toBe(0);
});

test('the sample of --target is that of --bot: a bot behind HTTP has to be started first', async () => {
  const cwd = await folderWith();
  const { code, stdout } = await touchstone(['init', '--target', 'http'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('Start the bot first, in another terminal: python3 server.py\nThen:\n');
  expect(readdirSync(cwd)).toContain('server.py');
});

test('what other tools have left is named without a terminal, and nothing of it is run', async () => {
  const cwd = await folderWith({
    ...promptfoo,
    'promptfooconfig.js': 'process.exit(99)',
    'evals/evals.json': '{"skill_name":"s","evals":[{"id":1,"prompt":"Who?","expected_output":"Ann"}]}',
    'logs/2026.eval': 'x',
    'pyproject.toml': 'dependencies = ["deepeval>=3", "inspect-ai"]',
    'package.json': '{"devDependencies":{"evalite":"1","vitest-evals":"1"}}',
  });
  const { code, stderr } = await touchstone(['init', 'my-eval'], { cwd });
  expect(code).toBe(0);
  for (const said of [
    'A promptfoo project is here: `--import promptfooconfig.yaml` begins with it.',
    'touchstone import promptfooconfig.js --trust',
    'Questions of an agent skill is here: `--questions evals/evals.json`',
    '`--import logs/2026.eval`',
    'DeepEval is used here (pyproject.toml)',
    'Evalite is used here (package.json)',
    'vitest-evals is used here (package.json)',
  ])
    expect(stderr).toContain(said);
  const quiet = await touchstone(['init', 'quiet', '--no-import'], { cwd });
  expect([quiet.code, quiet.stderr]).toEqual([0, '']);
});

test('--import brings a project over without a question, as `import` does', async () => {
  const cwd = await folderWith(promptfoo);
  const { code, stdout } = await touchstone(['init', 'moved', '--import', 'promptfooconfig.yaml'], { cwd });
  expect([code, stdout]).toEqual([0, expect.stringContaining('assertion contains')]);
  expect(readdirSync(path.join(cwd, 'moved'))).toContain('touchstone.config.yaml');
});

test('an own bot gets questions without the tools of the sample, so that every answer is measured', async () => {
  const { url } = await startBot({ answer: 'We are open from 10 to 16.' });
  const cwd = await folderWith();
  expect((await touchstone(['init', '--url', url], { cwd })).code).toBe(0);
  expect(await readFile(path.join(cwd, 'golden.jsonl'), 'utf8')).not.toContain('expected_tools');
  const { stdout, stderr } = await touchstone(['run'], { cwd });
  expect(stdout).toContain('from 10 questions');
  expect(stdout).not.toContain('not measured');
  expect(stderr).not.toContain('lists nothing to check');
});

test('of several texts in a reply, the only one with several words is the answer; an echo of the question is none', async () => {
  const said = {
    turns: [
      { who: 'user', say: 'Hello' },
      { who: 'bot', say: 'How can I help?' },
    ],
    sid: 's-1',
  };
  const { url } = await startBot(said);
  const cwd = await folderWith();
  const { stderr } = await touchstone(['init', '--url', url, '--probe'], { cwd });
  expect(stderr).toContain('Its answer is read at `turns[1].say`: "How can I help?"');
  expect((await configIn(cwd)).targets[0]).toMatchObject({ answer: 'turns[1].say' });
  const unclear = await startBot({ a: 'one two', b: 'three four' });
  const open = await touchstone(['init', 'open', '--url', unclear.url, '--probe'], { cwd });
  expect(open.stderr).toContain('Its reply has texts at b, a: set `answer:`');
  expect(open.stdout).toContain('Say in touchstone.config.yaml first where its answer is');
});

test.each([
  [401, 'It wants a key: `headers:'],
  [404, 'Is its address right, with the path?'],
  [422, 'It may take other JSON: `body:'],
  [500, 'Its own log says more.'],
])(
  'after a reply with the status %i, init says what the target may lack, and that it comes first',
  async (status, hint) => {
    const { url } = await startBot({ detail: 'no' }, status);
    const cwd = await folderWith();
    const { stdout, stderr } = await touchstone(['init', '--url', url, '--probe'], { cwd });
    expect(stderr).toContain(hint);
    expect(stdout).toContain('Correct the target in touchstone.config.yaml first');
  },
);

test.each([
  [{ detail: [{ type: 'missing', loc: ['body', 'prompt'], msg: 'Field required' }] }, 'prompt'],
  [{ error: "'query' is required" }, 'query'],
  [{ message: 'Missing required parameter: "text_in"' }, 'text_in'],
])('where a bot refuses the greeting with %j, the member that it wants is named', async (reply, member) => {
  const { url } = await startBot(reply, 422);
  const { stderr } = await touchstone(['init', '--url', url, '--probe'], { cwd: await folderWith() });
  expect(stderr).toContain(`It wants "${member}": \`body: { ${member}: '{{input}}' }\` in the target.`);
});

test.skipIf(python === '')(
  'a function in Python is served by the package for Python, whose installation is the first step (needs python3)',
  async () => {
    const bot = 'def answer(question):\n    return "We are open from 10 to 16."\n';
    const cwd = await folderWith({ 'bot.py': bot });
    const { code, stdout } = await touchstone(['init', '--path', 'bot.py'], { cwd });
    expect(code).toBe(0);
    expect((await configIn(cwd)).targets[0]).toMatchObject({
      use: 'command',
      command: ['python3', '-m', 'touchstone_evals', 'bot.py'],
    });
    const [, packaged = ''] = /pip install (\S+)/.exec(stdout) ?? [];
    const env = { PYTHONPATH: path.resolve(cwd, packaged) };
    expect((await touchstone(['run'], { cwd, env })).stdout).toContain('from 10 questions');
  },
);

test.each([
  ['question,answer,expcted\nA?,b,b\n', 'Rename "expcted" to "expected".'],
  ['question,anwser,expected\nA?,b,b\n', 'Rename "anwser" to "answer".'],
  ['qestion,answer,expected\nA?,b,b\nC?,d,d\n', 'Rename "qestion" to "question".'],
  ['question,expected\nA?,b\n', 'has no recorded answers; its columns are question, expected.'],
  ['', 'There are no '],
])('answers that cannot be scored leave nothing behind, and one thing to do: %j', async (rows, said) => {
  const cwd = await folderWith({ 'answers.csv': rows });
  const { code, stderr } = await touchstone(['init', 'my-eval', '--answers', 'answers.csv'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining(said)]);
  expect(stderr).not.toContain('another problem');
  expect(stderr).not.toContain('differs from');
  expect(readdirSync(cwd)).toEqual(['answers.csv']);
});
