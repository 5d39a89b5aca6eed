import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Report } from '../src/core/schema/api/report.ts';
import { temporaryFolder, touchstone } from './run-cli.ts';

/** One expectation of each kind, with an answer that violates it and one that meets it. */
const kinds = [
  {
    name: 'answer',
    row: { expected_answer: 'Paris' },
    bad: { answer: 'It is Berlin.' },
    good: { answer: 'Paris' },
  },
  {
    name: 'keywords',
    row: { expected_keywords: ['Paris'] },
    bad: { answer: 'It is Berlin.' },
    good: { answer: 'It is Paris.' },
  },
  {
    name: 'entities',
    row: { expected_entities: ['Ada'] },
    bad: { answer: 'It is Bob.' },
    good: { answer: 'It is Ada.' },
  },
  {
    name: 'forbidden',
    row: { must_not_include: ['guarantee'] },
    bad: { answer: 'We guarantee a refund.' },
    good: { answer: 'We can try a refund.' },
  },
  {
    name: 'documents',
    row: { relevant_ids: ['d1'] },
    bad: { answer: 'From elsewhere.', documents: ['d9'] },
    good: { answer: 'From the right one.', documents: ['d1'] },
  },
  {
    name: 'refusal',
    row: { expected_refusal: true },
    bad: { answer: 'Sure! Here is how.' },
    good: { answer: "I'm sorry, but I can't help with that." },
  },
  {
    name: 'tools',
    row: { expected_tools: ['search'] },
    bad: { answer: 'Found it.', tool_calls: [] },
    good: { answer: 'Found it.', tool_calls: ['search'] },
  },
  {
    name: 'calls',
    row: { expected_calls: { mustNot: ['delete_all'] } },
    bad: { answer: 'Deleted.', tool_calls: ['delete_all'] },
    good: { answer: 'Kept.', tool_calls: [] },
  },
  {
    name: 'state',
    row: { expected_state: { booked: true } },
    bad: { answer: 'Booked.', state: { booked: false } },
    good: { answer: 'Booked.', state: { booked: true } },
  },
] as const;
type Manner = 'bad' | 'good';

const bot = `import { readFileSync } from 'node:fs';
const replies = JSON.parse(readFileSync(new URL('replies.json', import.meta.url), 'utf8'));
export default (_question, { caseId }) => {
  const { tool_calls: calls, ...reply } = replies[caseId];
  return { ...reply, toolCalls: calls?.map((name) => ({ name })) };
};
`;

const questionOf = (name: string) => ({ id: name, question: `What of ${name}?` });
const toLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

async function writeProject(manner: Manner, settings = ''): Promise<string> {
  const cwd = await temporaryFolder();
  const write = async (name: string, text: string) => await writeFile(path.join(cwd, name), text);
  await write('golden.jsonl', toLines(kinds.map(({ name, row }) => ({ ...questionOf(name), ...row }))));
  await write(
    'recorded.jsonl',
    toLines(kinds.map((kind) => ({ ...questionOf(kind.name), ...kind.row, ...kind[manner] }))),
  );
  await write(
    'replies.json',
    JSON.stringify(Object.fromEntries(kinds.map((kind) => [kind.name, kind[manner]]))),
  );
  await write('bot.mjs', bot);
  const targets = 'targets: [{ use: module, name: bot, path: bot.mjs }]';
  await write('touchstone.config.yaml', `dataset: golden.jsonl\n${targets}\n${settings}`);
  return cwd;
}

async function report(cwd: string, args: readonly string[]) {
  const { code, stdout, stderr } = await touchstone([...args, '--json'], { cwd });
  return { code, stderr, report: JSON.parse(stdout) as Report };
}

const ways = [
  ['run', ['run', '--fail-under', '70']],
  ['score', ['score', 'recorded.jsonl', '--fail-under', '70']],
] as const;

test.each(ways)('%s: an answer that violates any kind of expectation does not pass', async (_name, args) => {
  const { code, report: bad } = await report(await writeProject('bad'), args);
  expect(code).toBe(1);
  const passed = bad.results.filter(({ scorecard }) => scorecard?.passed !== false);
  expect(passed.map(({ case: { id } }) => id)).toEqual([]);
  expect(bad.summary.targets[0]?.score.value).toBeCloseTo(0.2, 12);
});

test.each(ways)('%s: an answer that meets every kind of expectation passes', async (_name, args) => {
  const { code, report: good } = await report(await writeProject('good'), args);
  expect(good.results.map(({ case: { id }, scorecard }) => [id, scorecard?.total])).toEqual(
    kinds.map(({ name }) => [name, 1]),
  );
  expect(code).toBe(0);
});

const errorsAlone = 'scorecard: { use: weighted, criteria: [{ metric: error-handling, weight: 1 }] }\n';

test('an expectation that no metric reads is reported before the run and in every report, and the gate is not measured', async () => {
  const cwd = await writeProject('bad', `${errorsAlone}gate: { failUnder: 70 }\n`);
  const outputs = ['report.md', 'report.xml', 'report.json'].flatMap((file) => ['--output', file]);
  const ended = await touchstone(['run', ...outputs], { cwd });
  expect(ended.code).toBe(2);
  const said = '1 of 1 expected answers is read by no metric';
  expect(ended.stderr).toContain(said);
  expect(ended.stderr).toContain('unread: [answer,');
  expect(ended.stdout.replace(/\s+/g, ' ')).toContain('100 %, likely 70 to 100, from 9 questions 9 passed');
  expect(ended.stdout).toMatch(/NOT MEASURED\s+1 of 1 expected answers/);
  const { report: shown } = await report(cwd, ['show']);
  expect(shown.summary.unread?.map(({ expectation }) => expectation)).toEqual(
    shown.run.dataset.expectations?.map(({ expectation }) => expectation),
  );
  expect(shown.summary.unread).toHaveLength(kinds.length);
  for (const file of ['report.md', 'report.xml', 'report.json']) {
    expect(await readFile(path.join(cwd, file), 'utf8')).toContain(
      file.endsWith('json') ? '"unread":[{"expectation":"answer","cases":1}' : said,
    );
  }
  const exported = await touchstone(['export', 'latest'], { cwd });
  expect(exported.stdout).toContain('"unread":[{"cases":1,"expectation":"answer"}');
  expect((await touchstone(['gate'], { cwd })).code).toBe(2);
});

test('the gate decides despite a field that the config lists under `unread`', async () => {
  const unread = kinds.map(({ name }) => name).join(', ');
  const cwd = await writeProject('bad', `${errorsAlone}unread: [${unread}]\ngate: { failUnder: 70 }\n`);
  const { code, report: decided, stderr } = await report(cwd, ['run']);
  expect(code).toBe(0);
  expect(stderr).not.toContain('read by no metric');
  expect(decided.summary.unread?.every(({ isAccepted }) => isAccepted)).toBe(true);
});

test('a failing gate fails even when expectations are unread', async () => {
  const cwd = await writeProject(
    'bad',
    'scorecard: { use: weighted, criteria: [{ metric: { use: contains, value: zzz }, weight: 1 }] }\n',
  );
  expect((await touchstone(['run', '--fail-under', '70'], { cwd })).code).toBe(1);
});

test('a case that expects nothing is counted beside the mean and never passes', async () => {
  const cwd = await writeProject('good');
  const rows = [
    { id: 'a', question: 'One?', expected_answer: 'one' },
    { id: 'b', question: 'Hello?' },
    { id: 'c', question: 'Hi?', expected_tools: [], expected_keywords: [] },
  ];
  const answers = {
    a: { answer: 'one' },
    b: { answer: 'turtles' },
    c: { answer: 'turtles', tool_calls: [] },
  };
  await writeFile(path.join(cwd, 'golden.jsonl'), toLines(rows));
  await writeFile(path.join(cwd, 'replies.json'), JSON.stringify(answers));
  const recorded = rows.map((row) => ({ ...row, ...answers[row.id as keyof typeof answers] }));
  await writeFile(path.join(cwd, 'recorded.jsonl'), toLines(recorded));
  for (const [, args] of ways) {
    const { code, stderr, report: ended } = await report(cwd, args);
    expect(ended.results.map(({ scorecard }) => scorecard?.passed)).toEqual([true, null, true]);
    expect(ended.summary.targets[0]?.counts).toMatchObject({ measured: 2, notMeasured: 1, passed: 2 });
    expect(stderr).toContain('1 of 3 questions expects nothing that can be checked');
    expect(stderr).toContain('1 of 3 questions lists nothing to check');
    expect(code).toBe(2);
  }
});

test.each(ways)(
  '%s: a rule for tools is not measured without a list of those used, and where none has to be used nothing is missing',
  async (_name, args) => {
    const cwd = await writeProject('good');
    const rows = [
      { id: 'none', question: 'Hi?', expected_tools: [] },
      { id: 'must-not', question: 'Tidy.', expected_calls: { mustNot: ['delete_all'] } },
      { id: 'must', question: 'Look it up.', expected_tools: ['search'] },
      { id: 'nothing', question: 'Where?', expected_keywords: ['Paris'] },
    ];
    const answer = { answer: 'In Paris.' };
    await writeFile(path.join(cwd, 'golden.jsonl'), toLines(rows));
    await writeFile(
      path.join(cwd, 'replies.json'),
      JSON.stringify(Object.fromEntries(rows.map(({ id }) => [id, answer]))),
    );
    await writeFile(path.join(cwd, 'recorded.jsonl'), toLines(rows.map((row) => ({ ...row, ...answer }))));
    const { code, report: ended } = await report(cwd, args);
    expect(ended.results.map(({ scorecard }) => scorecard?.passed)).toEqual([true, null, null, true]);
    expect(ended.results[1]?.verdicts['tool-usage']).toMatchObject({
      status: 'failed',
      code: 'tools-not-recorded',
    });
    expect(code).toBe(2);
  },
);

test('a call that a bot reports under another name is in the headline, with the setting that reads it', async () => {
  const cwd = await temporaryFolder();
  const bot = `export default () => ({ answer: 'Tidied.', my_calls: [{ tool: 'delete_all', args: {} }], mood: 1 })`;
  await writeFile(path.join(cwd, 'bot.mjs'), bot);
  await writeFile(
    path.join(cwd, 'golden.jsonl'),
    toLines([{ question: 'Tidy.', expected_calls: { mustNot: ['delete_all'] } }]),
  );
  const config = (more: string) =>
    writeFile(
      path.join(cwd, 'touchstone.config.yaml'),
      `dataset: golden.jsonl\ntargets: [{ use: module, path: bot.mjs${more} }]\n`,
    );
  await config('');
  const unread = await touchstone(['run', '--fail-under', '70'], { cwd });
  expect(unread.code).toBe(2);
  expect(unread.stdout.replaceAll(/\s+/g, ' ')).toContain(
    'in 1 reply is not read: set `toolCalls: my_calls`',
  );
  expect((await touchstone(['show'], { cwd })).stdout).toContain('nothing reads my_calls, mood');
  await config(', toolCalls: my_calls');
  expect((await touchstone(['run', '--fail-under', '70'], { cwd })).code).toBe(1);
  await config(', toolCalls: none');
  expect((await touchstone(['run', '--fail-under', '70'], { cwd })).code).toBe(0);
});

test('recorded answers that do not say which tools were used are not measured for tools', async () => {
  const cwd = await temporaryFolder();
  const row = {
    question: 'Where?',
    expected_tools: ['search'],
    expected_keywords: ['Paris'],
    answer: 'Paris',
  };
  await writeFile(
    path.join(cwd, 'rows.jsonl'),
    toLines([
      { id: 'a', ...row },
      { id: 'b', ...row, question: 'And?', tool_calls: [] },
    ]),
  );
  const { report: scored } = await report(cwd, ['score', 'rows.jsonl']);
  expect(scored.results.map(({ verdicts }) => verdicts['tool-usage'])).toMatchObject([
    { status: 'failed', code: 'tools-not-recorded' },
    { status: 'scored', value: 0 },
  ]);
});

test('a forbidden call in recorded messages fails the case', async () => {
  const cwd = await temporaryFolder();
  const messages = [
    { role: 'user', content: 'Delete it.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: '1', type: 'function', function: { name: 'delete_all', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: '1', content: 'done' },
    { role: 'assistant', content: 'Deleted.' },
    { role: 'user', content: '###STOP###' },
  ];
  const row = { id: 'a', answer: 'Deleted.', messages, expected_calls: { mustNot: ['delete_all'] } };
  for (const question of [undefined, 'Delete it.']) {
    await writeFile(path.join(cwd, 'rows.jsonl'), toLines([{ ...row, question }]));
    const { report: scored } = await report(cwd, ['score', 'rows.jsonl']);
    expect(scored.results[0]?.verdicts['tool-usage']).toMatchObject({ status: 'scored', value: 0 });
    expect(scored.results[0]?.scorecard?.passed).toBe(false);
  }
});

test('a slip of the name of an expectation stops the run before any call, unless kept on purpose', async () => {
  const cwd = await writeProject('good');
  const row = { question: 'q', expected_answer: 'x', min_citations: 2, expected_keywrd: ['y'] };
  await writeFile(path.join(cwd, 'golden.jsonl'), toLines([row]));
  const refused = await touchstone(['run'], { cwd });
  expect(refused.code).toBe(4);
  expect(refused.stderr).not.toContain('"min_citations"');
  expect(refused.stderr).toContain('"expected_keywrd" (did you mean "expected_keywords"?)');
  expect(refused.stderr).toContain("fields: { 'expected_keywrd': expected_keywords }");
  expect(refused.stderr).toContain("--metadata 'expected_keywrd'");
  await writeFile(path.join(cwd, 'answers.jsonl'), toLines([{ ...row, answer: 'x' }]));
  expect((await touchstone(['score', 'answers.jsonl'], { cwd })).code).toBe(4);
});

test('a file without a column of answers is scored with the line that the error gives to paste', async () => {
  const cwd = await temporaryFolder();
  await writeFile(path.join(cwd, 'x.csv'), 'q,a,gold\nWhat?,Paris,Paris\nWho?,Bob,Ann\n');
  const { code, stderr } = await touchstone(['score', 'x.csv'], { cwd });
  expect([code, stderr]).toEqual([4, expect.stringContaining('its columns are q, a, gold.')]);
  const [, line = ''] = /write `(dataset: .*?)` to touchstone\.config\.yaml/.exec(stderr) ?? [];
  const named = line.replace('my_column:', 'q: question, gold: expected_answer, a:');
  await writeFile(path.join(cwd, 'touchstone.config.yaml'), named);
  const { stdout } = await touchstone(['score', 'x.csv', '--config', '.'], { cwd });
  expect(stdout).toContain('1 passed · 1 failed');
});

test('columns named like an expectation without the word for one are not measured, and their names as columns are said', async () => {
  const cwd = await writeProject('good');
  const row = { question: 'q', answer: 'x', keywords: ['y'], refusal: false };
  await writeFile(path.join(cwd, 'answers.jsonl'), toLines([row]));
  const { stdout, stderr } = await touchstone(['score', 'answers.jsonl'], { cwd });
  expect(stdout).toContain('the column "refusal" of 1 question is read by no metric');
  expect(stderr).toContain("fields: { 'keywords': expected_keywords, 'refusal': expected_refusal }");
});

test('a column that nothing reads is not measured, and neither is the gate, unless kept on purpose', async () => {
  const cwd = await writeProject('good');
  const row = { question: 'q', expected_answer: 'x', answer: 'x', min_citations: 2 };
  await writeFile(path.join(cwd, 'answers.jsonl'), toLines([row]));
  const scored = await touchstone(['score', 'answers.jsonl', '--fail-under', '50'], { cwd });
  expect(scored.code).toBe(2);
  expect(scored.stdout).toContain('the column "min_citations" of 1 question is read by no metric');
  expect(scored.stderr).toContain("--metadata 'min_citations'");
  const kept = ['--metadata', 'min_citations'];
  expect((await touchstone(['score', 'answers.jsonl', '--fail-under', '50', ...kept], { cwd })).code).toBe(0);
});
