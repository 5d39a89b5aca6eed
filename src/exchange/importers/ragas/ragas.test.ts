import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importFiles, linesOf } from '../../../../test/support/import-files.ts';
import { translateProject } from '../../../library/api/import-project.ts';

const sample = (parts: object = {}) => ({
  user_input: 'How much?',
  response: '49',
  reference: '49 dollars',
  retrieved_contexts: ['lamp: 49', 'shelf: 120'],
  retrieved_context_ids: ['d1', 'd2'],
  reference_context_ids: ['d1'],
  ...parts,
});

test('the columns of ragas 0.1 are those of today under other names', async () => {
  const project = await importFiles({
    'results.csv': [
      'question,contexts,answer,ground_truth,faithfulness,context_ relevancy',
      `When?,"['In 1967.', ""it's long""]",1967,15 January 1967,1.0,`,
    ].join('\n'),
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    { input: 'When?', expected: { answer: '15 January 1967' } },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    { answer: '1967', documents: ['In 1967.', "it's long"], verdicts: { faithfulness: { value: 1 } } },
  ]);
  const set = await importFiles({
    'testset.jsonl': JSON.stringify({
      question: 'When?',
      contexts: ['In 1967.'],
      ground_truth: '1967',
      evolution_type: 'simple',
      episode_done: true,
    }),
  });
  expect(set.record.counts).toEqual({ cases: 1, answers: 0 });
  expect(linesOf(set, 'golden.jsonl')).toMatchObject([
    { expected: { answer: '1967' }, context: ['In 1967.'], metadata: { episode_done: true } },
  ]);
});

test('a sample is a case with its documents and a recorded answer; unknown columns of numbers are metrics', async () => {
  const rows = [
    sample({ faithfulness: 0.5, tone: 'fail', level: 4, note: 'x', persona_name: 'a traveller' }),
    sample({ user_input: 'Who?', faithfulness: 'NaN', tone: 'pass', level: 2, note: 'y' }),
  ];
  const project = await importFiles({ 'results.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') });
  expect(project.record.found).toBe('2 samples of ragas, with 3 metrics');
  expect(linesOf(project, 'golden.jsonl')[0]).toMatchObject({
    input: 'How much?',
    expected: { answer: '49 dollars', documents: ['d1'] },
    metadata: { note: 'x', persona_name: 'a traveller' },
  });
  const [first, second] = linesOf(project, 'answers.jsonl');
  expect(first).toMatchObject({
    answer: '49',
    documents: [
      { id: 'd1', text: 'lamp: 49' },
      { id: 'd2', text: 'shelf: 120' },
    ],
    verdicts: {
      faithfulness: { value: 0.5 },
      tone: { value: 0, passed: false },
      level: { value: 4, unit: 'score' },
    },
  });
  expect(second?.verdicts?.['faithfulness']?.status).toBe('failed');
});

test('a sample of several turns is a conversation with its calls and those that were expected', async () => {
  const turns = [
    { type: 'human', content: 'Price of the lamp?' },
    { type: 'ai', content: '', tool_calls: [{ name: 'prices', args: { item: 'lamp' } }] },
    { type: 'tool', content: '49' },
    { type: 'ai', content: '49 dollars.' },
  ];
  const project = await importFiles({
    'a.json': [{ user_input: turns, reference_tool_calls: [{ name: 'prices', args: { item: 'lamp' } }] }],
  });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      input: 'Price of the lamp?',
      expected: { calls: { must: [{ name: 'prices', arguments: { item: 'lamp' } }] } },
    },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    {
      answer: '49 dollars.',
      transcript: [{}, { toolCalls: [{ name: 'prices', arguments: { item: 'lamp' }, result: '49' }] }, {}],
    },
  ]);
});

test("a user who speaks several times has a script, and the calls of all turns are the target's", async () => {
  const turns = [
    { type: 'human', content: 'Price of the lamp?' },
    { type: 'ai', content: '', tool_calls: [{ name: 'prices', args: {} }] },
    { type: 'tool', content: '49' },
    { type: 'human', content: 'And of the desk?' },
    { type: 'ai', content: '99 dollars.' },
  ];
  const project = await importFiles({ 'a.json': [{ user_input: turns, reference_topics: ['prices'] }] });
  expect(linesOf(project, 'golden.jsonl')).toMatchObject([
    {
      input: 'Price of the lamp?',
      user: { script: [{ say: 'Price of the lamp?' }, { say: 'And of the desk?' }] },
    },
  ]);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([{ answer: '99 dollars.' }]);
});

test('a table that pandas wrote by its columns has as many samples as rows', async () => {
  const table = {
    user_input: { 0: 'Why?', 1: 'When?' },
    response: { 0: 'So.', 1: 'Now.' },
    faithfulness: { 0: 0.5, 1: null },
  };
  const project = await importFiles({ 'a.json': table });
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([
    { answer: 'So.', verdicts: { faithfulness: { value: 0.5 } } },
    { answer: 'Now.', verdicts: { faithfulness: { status: 'failed' } } },
  ]);
});

test('a sample without an answer is a case only', async () => {
  const project = await importFiles({ 'a.json': [{ user_input: 'Why?', reference: 'So.' }] });
  expect(linesOf(project, 'golden.jsonl')).toHaveLength(1);
  expect(project.files['answers.jsonl']).toBeUndefined();
});

const data = path.resolve(import.meta.dirname, '../../../../../shared/data/interop/ragas');

test.skipIf(!existsSync(data)).each(['single_turn', 'multi_turn', 'results'])(
  'the files %s of ragas have the rows that are in them, in JSON Lines as in CSV (needs ../shared/data)',
  async (name) => {
    const facts = JSON.parse(readFileSync(path.join(data, 'facts.json'), 'utf8'));
    const [lines, table] = [
      await translateProject(path.join(data, `${name}.jsonl`)),
      await translateProject(path.join(data, `${name}.csv`)),
    ];
    for (const [project, ending] of [[lines, 'jsonl'] as const, [table, 'csv'] as const])
      expect(linesOf(project, 'golden.jsonl')).toHaveLength(facts[`${name}.${ending}`].rows);
    const verdicts = linesOf(lines, 'answers.jsonl').map((row) => row.verdicts ?? {});
    expect(linesOf(table, 'answers.jsonl').map((row) => row.verdicts ?? {})).toEqual(verdicts);
    if (name !== 'results') return;
    expect(
      verdicts.map(({ exact_match: exact, string_present: present }) => [exact?.value, present?.value]),
    ).toEqual([
      [0, 1],
      [0, 0],
    ]);
  },
);

test('a row with nothing but its question is a question, and a row without one is named: neither refuses the file', async () => {
  const rows = [
    sample({ response: 49, retrieved_contexts: 'lamp: 49', retrieved_context_ids: undefined }),
    { user_input: 'Who?' },
    { response: 'lost' },
  ];
  const project = await importFiles({ 'set.jsonl': rows.map((row) => JSON.stringify(row)).join('\n') });
  expect(linesOf(project, 'golden.jsonl').map(({ input }) => input)).toEqual(['How much?', 'Who?']);
  expect(linesOf(project, 'answers.jsonl')).toMatchObject([{ answer: '49', documents: ['lamp: 49'] }]);
  expect(project.record.ledger).toContainEqual(
    expect.objectContaining({ part: 'row without a question', count: 1, places: ['row 3'] }),
  );
});
