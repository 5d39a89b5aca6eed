import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { temporaryFolder, touchstone as start } from './run-cli.ts';

const folder = await temporaryFolder();

function touchstone(args: readonly string[], columns = 100) {
  return start(args, { cwd: folder, env: { COLUMNS: String(columns) } });
}

const shops = ['Basel', 'Bern', 'Chur', 'Davos', 'Olten', 'Zug', 'Thun', 'Uster', 'Wil', 'Sion'];

/** The questions to every shop, with the answers of three bots: verbatim, paraphrased, and polite but irrelevant. */
const rows = shops.map((shop, index) => ({
  id: `hours-${shop.toLowerCase()}`,
  question: `When does the shop in ${shop} open on Saturdays?`,
  category: index < 5 ? 'west' : 'east',
  expected: {
    answer: `The shop in ${shop} opens at nine.`,
    keywords: ['nine'],
    tools: ['opening_hours'],
    documents: [`doc-${index}`],
  },
}));
const bots = {
  'by-the-book': (shop: string, index: number) => ({
    answer: `The shop in ${shop} opens at nine.`,
    tool_calls: ['opening_hours'],
    documents: [{ id: `doc-${index}`, text: `${shop}: Saturday from nine.` }],
  }),
  'own-words-with-a-very-long-name': (_: string, index: number) => ({
    answer: 'You can come in from 9 in the morning, bikes and all.',
    tool_calls: index % 2 === 0 ? ['opening_hours'] : [],
    documents: [{ id: 'doc-99', text: 'Saturday: 9 to 16.' }],
  }),
  'polite-bot': (shop: string, index: number) => ({
    answer: `Sorry, please note that ${shop} closes at nine; happy to help with anything else!`,
    tool_calls: ['opening_hours'],
    documents: [{ id: `doc-${index}`, text: `${shop}: Saturday from nine.` }],
  }),
};
/** Two custom judged metrics, which derive the judge's verdict from the words of the answer. */
const config = `import { defineConfig, defineMetric, z } from 'touchstone-evals';

const judge = (name, family, rules) => defineMetric({
  name, family, version: 1, summary: 'Judges by rules.', options: z.strictObject({}),
  create: () => ({
    score: ({ case: { id }, trial }) => {
      const { value, why } = rules.find(({ when }) => when.test(id + trial.answer));
      return value === null
        ? { status: 'failed', code: 'judge-timeout', reason: why }
        : { status: 'scored', value, explanation: why };
    },
  }),
})();

export default defineConfig({
  dataset: 'golden.jsonl',
  targets: ${JSON.stringify(Object.keys(bots))}.map((name) => ({ use: 'replay', name, path: name + '.jsonl' })),
  scorecard: null,
  metrics: [
    { use: 'exact-match', name: 'to the letter' },
    'rouge',
    'keyword-recall',
    judge('says-the-hour', 'judged', [
      { when: /olten.*closes/, value: null, why: 'no reply within 30 s' },
      { when: /closes/, value: 0, why: 'It says when the shop closes, not when it opens: the question is not answered.' },
      { when: /./, value: 1, why: 'It says the hour that was asked for.' },
    ]),
    judge('from-sources', 'grounding', [
      { when: /bikes/, value: 0.5, why: 'Nothing in the sources is about bikes.' },
      { when: /./, value: 1, why: 'All of it stands in the sources.' },
    ]),
    'politeness',
    'tool-usage',
    'hit-rate',
    'latency',
  ],
});
`;

await writeRows('golden', rows);
for (const [name, answerOf] of Object.entries(bots)) {
  await writeRows(
    name,
    shops.map((shop, index) => ({ id: rows[index]?.id, ...answerOf(shop, index) })),
  );
}
await writeFile(path.join(folder, 'touchstone.config.ts'), config);
const ran = await touchstone(['run', '--output', 'report.md', '--output', 'report.json']);

async function writeRows(name: string, all: readonly object[]): Promise<void> {
  await writeFile(path.join(folder, `${name}.jsonl`), all.map((row) => JSON.stringify(row)).join('\n'));
}

test('a report shows where metrics contradict each other, for which target, and the likely cause', async () => {
  const { stdout } = await touchstone(['show']);
  expect(ran.stdout).not.toContain('paraphrase');
  expect(stdout).toMatch(
    /^ {2}10 of 29 {2}paraphrase: other words than expected, judged right\n.*too narrow.*\n +own-words\S+ 10 of 10\n +hours-basel: says-the-hour 100\.0, rouge 10\.5$/m,
  );
  expect(stdout).toContain('… and 5 more kinds');
});

test('JSON counts every kind of disagreement; a verdict that was not measured is on neither side', async () => {
  const { summary } = JSON.parse(await readFile(path.join(folder, 'report.json'), 'utf8')) as Report;
  const polite = summary.disagreements?.find(({ kind }) => kind === 'polite-but-wrong');
  expect(polite?.targets).toEqual([
    { target: 'by-the-book', compared: 10, count: 0 },
    { target: 'own-words-with-a-very-long-name', compared: 10, count: 0 },
    { target: 'polite-bot', compared: 9, count: 9 },
  ]);
  expect(polite?.widest).toHaveLength(5);
  expect(summary.disagreements?.find(({ kind }) => kind === 'expected-but-wrong')).toMatchObject({
    count: 0,
    compared: 29,
  });
  expect(summary.correlations).toMatchObject({ trials: 30, sampled: 30 });
  expect(summary.correlations?.pairs).toContainEqual({
    metrics: ['rouge', 'keyword-recall'],
    spearman: 1,
    n: 30,
  });
});

test('`show --disagreements` lists the questions of one kind or all, with both verdicts', async () => {
  const one = await touchstone(['show', '--disagreements', 'polite-but-wrong']);
  expect(one.stdout.match(/│ It says when the shop closes/g)).toHaveLength(9);
  expect(one.stdout).toMatch(/^ {4}100\.0 % {2}politeness +│ {3}0\.0 % {2}says-the-hour$/m);
  expect(one.stdout).not.toContain('own-words');
  const all = await touchstone(['show', '--disagreements', '--filter', 'id=hours-z*']);
  expect(all.stdout.match(/^ +1 of 3 {2}/gm)).toHaveLength(8);
  const { stdout } = await touchstone(['show', '--disagreements', 'paraphrase', '--json']);
  const report = JSON.parse(stdout) as Report;
  expect(report.narrowing).toBe('disagreements paraphrase');
  expect(report.results.map(({ trial }) => trial.target)).toEqual(
    Array.from({ length: 10 }, () => 'own-words-with-a-very-long-name'),
  );
});

test.each([
  ['paraphase', 'Did you mean "paraphrase"?'],
  ['refused-but-unsafe', 'cannot contradict each other as refused-but-unsafe'],
])('`show --disagreements %s` is refused with the reason', async (kind, message) => {
  const { code, stderr } = await touchstone(['show', '--disagreements', kind]);
  expect(code).toBe(4);
  expect(stderr).toContain(message);
});

test.each([60, 80, 120])('three targets side by side fit into %d columns', async (columns) => {
  const { stdout } = await touchstone(['show', '--verbose'], columns);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  expect(stdout).toMatch(/^ {2}says-the-hour +100\.0 % {2} +100\.0 %/m);
});
