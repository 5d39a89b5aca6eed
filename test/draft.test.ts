import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import type { DraftReport } from '../src/core/schema/api/draft-report.ts';
import type { KeptProposal } from '../src/core/schema/proposal/kept-proposal.ts';
import { startModelServer } from '../src/library/testing/model-server/model-server.ts';
import type { ReceivedRequest } from '../src/library/testing/model-server/script.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

const example = path.resolve(import.meta.dirname, '../examples/property-assistant');
const documents = ['closing-statement', 'articles-of-organization', 'annual-meeting-minutes-2025'];

/** The questions that the scripted model drafts from the passage that contains a text. */
const drafts = [
  {
    about: 'Earnest money of',
    questions: [
      ask('How much earnest money was paid for the house?', '10,000', '10,000, deposited on May 12, 2023'),
      ask('What is the address of the house that was bought?', '900', '900 S 9th St, Montrose'),
    ],
  },
  {
    about: 'Filed with the Colorado',
    questions: [
      ask('Who is the registered agent of the company?', 'Lula Reyes', 'The registered agent is Lula Reyes'),
      ask(
        'What does LLC stand for?',
        'limited liability company',
        'the limited liability company is Poolula LLC',
      ),
    ],
  },
  {
    about: 'Minutes of the annual meeting',
    questions: [
      ask('What is the rent of Unit B?', '1,525', 'stays at … 1,525 until the tenancy ends'),
      ask('Who wanted to sell the house?', 'Dana Poole', 'Dana Poole proposed to sell the house'),
    ],
  },
];

function ask(question: string, value: string, quote: string) {
  return { question, answer: `${value}.`, category: '', facts: [{ value, passage: 1, quote }] };
}

const answer = (text: string) => ({ json: { is_answerable: text !== '', answer: text, quote: '' } });

/** The scripted model: it knows what LLC means, and finds in the passages what was drafted from them. */
const model = {
  use: 'scripted',
  rules: [
    ...drafts.map(({ about, questions }) => ({
      when: `/asks for one fact.*${about}/s`,
      in: 'any',
      reply: { json: { questions } },
    })),
    { when: '/general knowledge alone.*LLC/s', in: 'any', reply: answer('A limited liability company.') },
    { when: 'general knowledge alone', in: 'system', reply: answer('') },
    ...drafts.flatMap(({ questions }) =>
      questions.map(({ question, answer: text }) => ({ when: question, reply: answer(text) })),
    ),
  ],
};

test('questions drafted from the documents of the example are reviewed, become a golden set, and are asked', async () => {
  const folder = await temporaryFolder();
  const start = async (...args: string[]) => await touchstone(args, { cwd: folder, env: { COLUMNS: '120' } });
  const write = async (name: string, text: string) => await writeFile(path.join(folder, name), text);
  await write('model.yaml', JSON.stringify(model));
  const known = {
    id: 'address',
    question: 'What is the address of the house that was bought?',
    category: 'deeds',
  };
  await write('golden.jsonl', `${JSON.stringify(known)}\n`);
  await write(
    'touchstone.config.yaml',
    JSON.stringify({
      dataset: 'golden.jsonl',
      targets: [{ use: 'module', name: 'assistant', path: path.join(example, 'assistant-v2.ts') }],
      metrics: ['keywords'],
      unread: ['answer', 'documents'],
      scorecard: null,
    }),
  );
  const from = documents.flatMap((name) => ['--from', path.join(example, 'documents', `${name}.md`)]);
  const command = [
    'draft',
    ...from,
    '--model',
    'model.yaml',
    '--mix',
    'fact=1',
    '--passage',
    '20000',
    '--count',
    '6',
  ];

  const planned = await start(...command, '--dry-run');
  expect(planned).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^6 questions: at most 15 calls, about /),
  });
  const { code, stdout } = await start(...command, '--json');
  const report = JSON.parse(stdout) as DraftReport;
  expect([code, report.kept, report.rejected]).toEqual([
    0,
    3,
    [
      { rejection: 'quote-not-found', questions: 1 },
      { rejection: 'duplicate', questions: 1 },
      { rejection: 'closed-book', questions: 1 },
    ],
  ]);
  expect(await readFile(path.join(folder, 'golden.jsonl'), 'utf8')).toBe(`${JSON.stringify(known)}\n`);

  // A person approves two of the three with all their expectations, and rejects the other.
  const listed = await start('proposals', 'list', '--state', 'open', '--json');
  for (const { proposal } of JSON.parse(listed.stdout) as KeptProposal[]) {
    const isWanted = proposal.case.input !== 'What is the rent of Unit B?';
    const choice = isWanted ? ['--approve', '--tick', 'all'] : ['--reject'];
    const decided = await start('proposals', 'decide', proposal.id, ...choice, '--by', 'Ann');
    expect(decided.code).toBe(0);
  }
  expect((await start('proposals', 'export')).code).toBe(0);
  const lines = (await readFile(path.join(folder, 'golden.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.slice(1).map((line) => JSON.parse(line))).toMatchObject([
    { question: 'Who is the registered agent of the company?', metadata: { origin: { synthetic: true } } },
    { question: 'How much earnest money was paid for the house?', metadata: { origin: { by: 'Ann' } } },
  ]);

  const run = await start('run', '--filter', 'metadata.origin.synthetic=true');
  expect(run.code).toBe(0);
  const shown = await start('show', '--verbose');
  expect(shown.stdout).toContain('Who is the registered agent of the company?');
  expect(shown.stdout).toContain('How much earnest money was paid for the house?');
  expect(shown.stdout).not.toContain('What is the rent of Unit B?');

  // The same draft again costs nothing, proposes nothing new, and does not take its own questions for duplicates.
  const again = await start(...command, '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ kept: 3, known: 3, spending: { calls: 0 } });
  const verbose = await start(...command, '--verbose');
  expect(verbose.stdout).toContain(
    'drafted 6, kept 3: 1 quote not found, 1 duplicate, 1 answerable without the document',
  );
});

const items = 12;
const inFlight = 4;

/** Drafts a question about the price in a passage, answers it from the passage, and knows nothing else. */
function reply({ system, prompt }: ReceivedRequest): object {
  const [, item, price] = /Item (\d+) costs (\d+) euros/.exec(prompt) ?? [];
  if (system.includes('one fact that a passage'))
    return {
      questions: [ask(`What is the price of number ${item}?`, `${price} euros`, `costs ${price} euros`)],
    };
  const isOpen = system.includes('passages beside it alone');
  return { is_answerable: isOpen, answer: isOpen ? `${price} euros` : '', quote: '' };
}

const server = await startModelServer((request) => {
  const [, id] = /"id": "(\w+)"\}$/.exec(request.prompt) ?? [];
  return { text: JSON.stringify({ ...reply(request), id }), delayMs: 20 };
});
afterAll(async () => await server.close());

test('a killed draft is continued by the same command, and no reply of the model is paid for twice', async () => {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, 'docs'));
  for (let item = 1; item <= items; item += 1) {
    const text = `Item ${item} costs ${100 + item} euros in every shop that has it, and this has not changed for as long as anyone can remember.`;
    await writeFile(path.join(folder, 'docs', `item-${item}.md`), text);
  }
  const options = {
    use: 'openai-chat',
    model: 'drafter-1',
    baseUrl: server.url,
    prices: { input: 1, output: 1 },
  };
  await writeFile(path.join(folder, 'model.yaml'), JSON.stringify(options));
  const command =
    'draft --from docs --model model.yaml --dataset golden.jsonl --mix fact=1 --count 12 --json'.split(' ');

  const killed = await touchstone(command, {
    cwd: folder,
    onStarted: (child) => {
      const timer = setInterval(() => {
        if (server.requests.length < 15) return;
        clearInterval(timer);
        child.kill('SIGKILL');
      }, 2);
    },
  });
  expect(killed).toMatchObject({ code: null, stdout: '' });
  while (server.connections > 0) await wait(2);
  expect(server.requests.length).toBeLessThan(3 * items);

  const { code, stdout } = await touchstone(command, { cwd: folder });
  const report = JSON.parse(stdout) as DraftReport;
  expect([code, report.drafted, report.kept, report.known]).toEqual([0, items, items, 0]);
  expect(report.spending.cost).toBeGreaterThan(0);
  // Only what was in flight at the kill is asked again.
  const asked = server.requests.map(({ prompt }) => prompt.replace(/"id": "\w+"/, ''));
  expect(new Set(asked).size).toBe(3 * items);
  expect(asked.length).toBeLessThanOrEqual(3 * items + inFlight);
});

test('the model in docs/datasets.md can be named, and nothing is asked before its price is known', async () => {
  const page = await readFile(path.resolve(import.meta.dirname, '../docs/datasets.md'), 'utf8');
  const [, block = ''] = /^```yaml\n(# model\.yaml\n[\s\S]*?)^```$/m.exec(page) ?? [];
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'model.yaml'), block);
  await writeFile(
    path.join(folder, 'fees.md'),
    'A tool that is returned late costs 2 dollars for each day. '.repeat(3),
  );
  const command = 'draft --from fees.md --model model.yaml --dataset golden.jsonl --dry-run --json'.split(
    ' ',
  );
  const { code, stdout } = await touchstone(command, { cwd: folder });
  expect([code, JSON.parse(stdout)]).toMatchObject([
    0,
    { dataset: 'golden.jsonl', questions: 8, cost: null },
  ]);
  const wrong = await touchstone([...command, '--mix', 'facts=1'], { cwd: folder });
  expect([wrong.code, wrong.stderr]).toEqual([4, expect.stringContaining('Did you mean "fact"?')]);
});
