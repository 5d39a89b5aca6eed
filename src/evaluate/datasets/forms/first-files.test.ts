import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadCases } from '../../run/prepare/load.ts';
import type { Case } from '../../../core/schema/case.ts';
import { openDataset } from '../open-dataset.ts';
import * as registry from '../registry.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-first-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Read {
  readonly cases: readonly Case[];
  readonly unread: readonly string[];
}

async function readFile(name: string, text: string): Promise<Read> {
  writeFileSync(path.join(folder, name), text);
  const dataset = await openDataset({ paths: [name], folder, readers: Object.values(registry) });
  const loaded = await Array.fromAsync(loadCases(dataset, { onNotice: () => {} }));
  return {
    cases: loaded.map((each) => each.case),
    unread: [...new Set(loaded.flatMap(({ unreadColumns = [] }) => unreadColumns))],
  };
}

const lines = (...rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

interface Expected {
  readonly input: unknown;
  readonly expected?: object;
  readonly rest?: Partial<Case>;
  readonly cases?: number;
  readonly unread?: readonly string[];
}

const q = 'What does the lamp cost?';

/** Files as people keep them in their repositories, with the first case that each gives. */
const files: readonly (readonly [what: string, name: string, text: string, first: Expected])[] = [
  [
    'a set for RAG',
    'rag.jsonl',
    lines({ question: q, ground_truth: '49 dollars', contexts: ['The lamp: $49.'] }),
    { input: q, expected: { answer: '49 dollars' } },
  ],
  [
    'ground_truths and expected_doc_ids',
    'rag2.jsonl',
    lines({ question: q, ground_truths: ['49 dollars', '$49'], expected_doc_ids: ['prices.md'] }),
    { input: q, expected: { answer: ['49 dollars', '$49'], documents: ['prices.md'] } },
  ],
  [
    'ground_truth_answer and relevant_docs',
    'rag3.csv',
    `question,ground_truth_answer,relevant_docs\n${q},49 dollars,"a.md, b.md"\n`,
    { input: q, expected: { answer: '49 dollars', documents: ['a.md', 'b.md'] } },
  ],
  [
    'query, expected_answer and source_doc',
    'query.csv',
    `query,expected_answer,source_doc\n${q},49 dollars,prices.md\n`,
    { input: q, expected: { answer: '49 dollars' }, rest: { metadata: { source_doc: 'prices.md' } } },
  ],
  [
    'input, output and expected',
    'ioe.jsonl',
    lines({ input: q, output: '50', expected: '49' }),
    { input: q, expected: { answer: '49' }, rest: { metadata: { output: '50' } } },
  ],
  [
    'an object of expectations and a nested input',
    'nested.json',
    JSON.stringify([
      { input: { question: q, user_id: 'u1' }, expected: { answer: '49', keywords: ['lamp'] } },
    ]),
    {
      input: q,
      expected: { answer: '49', keywords: ['lamp'] },
      rest: { metadata: { input: { user_id: 'u1' } } },
    },
  ],
  [
    'prompt and completion',
    'completion.jsonl',
    lines({ prompt: q, completion: ' 49' }),
    { input: q, expected: { answer: ' 49' } },
  ],
  [
    'prompt and response',
    'dolly.jsonl',
    lines({ prompt: q, response: '49', category: 'qa' }),
    { input: q, expected: { answer: '49' } },
  ],
  [
    'Alpaca',
    'alpaca.json',
    JSON.stringify([{ instruction: 'Translate to German.', input: 'lamp', output: 'Lampe' }]),
    { input: 'Translate to German.\n\nlamp', expected: { answer: 'Lampe' } },
  ],
  [
    'Alpaca without an input',
    'alpaca2.json',
    JSON.stringify([{ instruction: 'Name a colour.', input: '', output: 'Red' }]),
    { input: 'Name a colour.', expected: { answer: 'Red' } },
  ],
  [
    'messages for fine-tuning, which end with the assistant',
    'messages.jsonl',
    lines({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: q },
        { role: 'assistant', content: '49 dollars.' },
      ],
    }),
    {
      input: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: q },
      ],
      expected: { answer: '49 dollars.' },
    },
  ],
  [
    'messages for fine-tuning beside an answer of their own',
    'messages2.jsonl',
    lines({
      messages: [
        { role: 'user', content: q },
        { role: 'assistant', content: 'Hm.' },
      ],
      expected_answer: '49',
    }),
    { input: [{ role: 'user', content: q }], expected: { answer: '49' } },
  ],
  [
    'messages for fine-tuning with tools',
    'messages3.jsonl',
    lines({
      messages: [
        { role: 'user', content: q },
        {
          role: 'assistant',
          tool_calls: [
            { id: '1', type: 'function', function: { name: 'price', arguments: '{"item":"lamp"}' } },
          ],
        },
        { role: 'tool', tool_call_id: '1', content: '49' },
        { role: 'assistant', content: 'It costs 49 dollars.' },
      ],
    }),
    {
      input: [{ role: 'user', content: q }],
      expected: { answer: 'It costs 49 dollars.', tools: [{ name: 'price', arguments: { item: 'lamp' } }] },
    },
  ],
  [
    'ShareGPT',
    'sharegpt.json',
    JSON.stringify([
      {
        id: 's1',
        conversations: [
          { from: 'human', value: q },
          { from: 'gpt', value: '49' },
        ],
      },
    ]),
    { input: [{ role: 'user', content: q }], expected: { answer: '49' }, rest: { id: 's1' } },
  ],
  [
    'cases under a version',
    'cases.yaml',
    `version: 2\ncases:\n  - question: ${q}\n    expected_keywords: [49, dollars]\n`,
    { input: q, expected: { keywords: ['49', 'dollars'] } },
  ],
  [
    'evals of an agent skill',
    'evals.json',
    JSON.stringify({
      skill_name: 'shop',
      evals: [
        { id: 1, prompt: q, expected_output: '49 dollars', files: [], expectations: ['Names the price.'] },
      ],
    }),
    { input: q, expected: { answer: '49 dollars', behavior: ['Names the price.'] }, rest: { id: '1' } },
  ],
  [
    'test_cases',
    'test-cases.json',
    JSON.stringify({ name: 'shop', test_cases: [{ input: q, expected_output: '49' }] }),
    { input: q, expected: { answer: '49' } },
  ],
  [
    'lists by category',
    'by-category.json',
    JSON.stringify({
      version: 1,
      prices: [{ question: q, answer: '49' }],
      hours: [{ question: 'Open?', answer: '9' }],
    }),
    { input: q, expected: { answer: '49' }, rest: { category: 'prices' }, cases: 2 },
  ],
  [
    'groups with their questions',
    'groups.yaml',
    `categories:\n- name: none\nsuites: 1\nquestions:\n- name: prices\n  owner: Ann\n  cases:\n  - question: ${q}\n    answer: "49"\n`,
    { input: q, expected: { answer: '49' }, rest: { category: 'prices', metadata: { owner: 'Ann' } } },
  ],
  [
    'an object from id to case',
    'by-id.json',
    JSON.stringify({ lamp: { question: q, answer: '49' }, hours: { question: 'Open?', answer: '9' } }),
    { input: q, expected: { answer: '49' }, rest: { id: 'lamp' }, cases: 2 },
  ],
  [
    'examples of LangSmith',
    'langsmith.jsonl',
    lines({ inputs: { question: q }, outputs: { answer: '49 dollars' } }),
    { input: q, expected: { answer: '49 dollars' } },
  ],
  [
    'inputs and expectations of MLflow',
    'mlflow.jsonl',
    lines({ inputs: { question: q }, expectations: { expected_response: '49 dollars' } }),
    { input: q, expected: { answer: '49 dollars' } },
  ],
  [
    'input and ideal of openai/evals',
    'evals.jsonl',
    lines({ input: [{ role: 'user', content: q }], ideal: ['49', '$49'] }),
    { input: [{ role: 'user', content: q }], expected: { answer: ['49', '$49'] } },
  ],
  [
    'SQuAD',
    'squad.json',
    JSON.stringify({
      version: 'v2.0',
      data: [
        {
          title: 'Lamps',
          paragraphs: [
            {
              context: 'The lamp costs $49.',
              qas: [{ id: 's1', question: q, answers: [{ text: '$49', answer_start: 15 }] }],
            },
          ],
        },
      ],
    }),
    {
      input: q,
      expected: { answer: ['$49'] },
      rest: { id: 's1', category: 'Lamps', context: 'The lamp costs $49.' },
    },
  ],
  [
    'SQuAD of the Hugging Face Hub',
    'squad.jsonl',
    lines({ id: 's1', question: q, answers: { text: ['$49', '49'], answer_start: [1, 2] } }),
    { input: q, expected: { answer: ['$49', '49'] } },
  ],
  [
    'q and a with German names',
    'german.csv',
    `ID;Frage;Antwort\n1;${q};49,90\n`,
    { input: q, expected: { answer: '49,90' }, rest: { id: '1' } },
  ],
  [
    'a sheet that Excel saved, with sep=;',
    'excel.csv',
    `sep=;\r\nFrage;Erwartete Antwort;Kategorie\r\n${q};49,90 €;Preise\r\n`,
    { input: q, expected: { answer: '49,90 €' }, rest: { category: 'Preise' } },
  ],
  [
    'what must and must not be mentioned',
    'user-query.yaml',
    `- user_query: ${q}\n  must_mention: [lamp]\n  must_not_mention: [chair]\n  expected_behavior: Names the price.\n  expected_tool_calls: [price]\n  min_citations: 1\n  difficulty: easy\n  notes: none\n`,
    {
      input: q,
      expected: { keywords: ['lamp'], forbidden: ['chair'], behavior: 'Names the price.', tools: ['price'] },
      unread: ['min_citations'],
    },
  ],
  [
    'forbidden_in_reply and gold',
    'gold.jsonl',
    lines({ question: q, gold: '49', forbidden_in_reply: ['50'], gold_category: 'price' }),
    { input: q, expected: { answer: '49', forbidden: ['50'] }, unread: ['gold_category'] },
  ],
  [
    'anchors of YAML',
    'anchors.yaml',
    `defaults: &d\n  category: prices\ncases:\n  - <<: *d\n    question: ${q}\n    expected_answer: 49\n`,
    { input: q, expected: { answer: '49' }, rest: { category: 'prices' } },
  ],
  [
    'a single case',
    'one.json',
    JSON.stringify({ question: q, expected_answer: 49 }, null, 2),
    { input: q, expected: { answer: '49' } },
  ],
  [
    'pandas: to_csv with its index',
    'index.csv',
    `,question,expected_keywords\n0,${q},"['lamp', '49']"\n1,Open?,['9' '18']\n`,
    { input: q, expected: { keywords: ['lamp', '49'] }, rest: { metadata: {} }, cases: 2 },
  ],
  [
    'pandas: to_csv read and written again',
    'unnamed.csv',
    `Unnamed: 0,question,answer,expected_keywords\n0,${q},49,nan\n`,
    { input: q, expected: { answer: '49' }, rest: { metadata: {} } },
  ],
  [
    'pandas: to_json by columns, in one line',
    'columns.json',
    JSON.stringify({ question: { 0: q, 1: 'Open?' }, answer: { 0: '49', 1: null } }),
    { input: q, expected: { answer: '49' }, cases: 2 },
  ],
  [
    'pandas: to_json by index',
    'by-index.json',
    JSON.stringify({ 0: { question: q, answer: '49' }, 1: { question: 'Open?', answer: '9' } }),
    { input: q, expected: { answer: '49' }, cases: 2 },
  ],
  [
    'pandas: to_json split',
    'split.json',
    JSON.stringify({
      columns: ['question', 'answer'],
      index: [0, 1],
      data: [
        [q, '49'],
        ['Open?', '9'],
      ],
    }),
    { input: q, expected: { answer: '49' }, cases: 2 },
  ],
  [
    'a dictionary of lists',
    'lists.json',
    JSON.stringify({ question: [q, 'Open?'], answer: ['49', '9'] }),
    { input: q, expected: { answer: '49' }, cases: 2 },
  ],
  [
    'an object in a cell',
    'object.csv',
    `input,expected_output\n"{""question"": ""${q}"", ""user"": ""u""}","{""answer"": ""49""}"\n`,
    { input: q, expected: { answer: '49' }, rest: { metadata: { input: { user: 'u' } } } },
  ],
  [
    'messages of LangChain as Python prints them',
    'langchain.csv',
    `user_input,reference\n"[{'content': '${q}', 'type': 'human'}, {'content': 'Wait.', 'type': 'ai'}, {'content': 'Well?', 'type': 'human'}]",49\n`,
    {
      input: [
        { role: 'user', content: q },
        { role: 'assistant', content: 'Wait.' },
        { role: 'user', content: 'Well?' },
      ],
      expected: { answer: '49' },
    },
  ],
  [
    'MMLU, which counts choices from 0',
    'mmlu.jsonl',
    lines(
      { question: 'Capital of France?', choices: ['Lyon', 'Paris', 'Nice', 'Lille'], answer: 1 },
      { question: 'Capital of Italy?', choices: ['Rome', 'Milan', 'Turin', 'Bari'], answer: 0 },
    ),
    {
      input: 'Capital of France?\n\nA) Lyon\nB) Paris\nC) Nice\nD) Lille',
      expected: {
        answer: 'B',
        choices: [
          { label: 'A', text: 'Lyon' },
          { label: 'B', text: 'Paris' },
          { label: 'C', text: 'Nice' },
          { label: 'D', text: 'Lille' },
        ],
      },
      rest: { metadata: { answer: 1 } },
      cases: 2,
    },
  ],
  [
    'columns A to C',
    'abc.csv',
    'Question,A,B,C,Answer\nCapital of France?,Lyon,Paris,Nice,B\n',
    {
      input: 'Capital of France?\n\nA) Lyon\nB) Paris\nC) Nice',
      expected: {
        answer: 'B',
        choices: [
          { label: 'A', text: 'Lyon' },
          { label: 'B', text: 'Paris' },
          { label: 'C', text: 'Nice' },
        ],
      },
    },
  ],
  [
    'ARC, with letters beside the texts',
    'arc.jsonl',
    lines({
      question: 'Which is hot?',
      choices: { text: ['ice', 'fire'], label: ['A', 'B'] },
      answerKey: 'B',
    }),
    {
      input: 'Which is hot?\n\nA) ice\nB) fire',
      expected: {
        answer: 'B',
        choices: [
          { label: 'A', text: 'ice' },
          { label: 'B', text: 'fire' },
        ],
      },
    },
  ],
  [
    'options as an object in a cell',
    'options.csv',
    `question,options,expected_answer\nWhich is hot?,"{'A': 'ice', 'B': 'fire'}",fire\n`,
    {
      input: 'Which is hot?\n\nA) ice\nB) fire',
      expected: {
        answer: 'fire',
        choices: [
          { label: 'A', text: 'ice' },
          { label: 'B', text: 'fire' },
        ],
      },
    },
  ],
  [
    'what a bot said beside what it should have said, as old versions of ragas write it',
    'ragas-old.jsonl',
    lines({ question: q, contexts: ['c'], answer: 'About 50.', ground_truths: ['49 dollars'] }),
    { input: q, expected: { answer: ['49 dollars'] } },
  ],
  [
    'an answer beside an expected output',
    'answer-output.jsonl',
    lines({ question: q, answer: 'About 50.', expected_output: '49 dollars' }),
    { input: q, expected: { answer: '49 dollars' } },
  ],
  ['q and a', 'qa.yaml', `- q: ${q}\n  a: 49 dollars\n`, { input: q, expected: { answer: '49 dollars' } }],
  [
    'TriviaQA',
    'trivia.jsonl',
    lines({
      question: q,
      answer: { value: '49 dollars', aliases: ['49 dollars', '$49'], normalized_value: '49 dollars' },
    }),
    { input: q, expected: { answer: ['49 dollars', '$49'] } },
  ],
  [
    'GSM8K',
    'gsm8k.jsonl',
    lines({ question: q, answer: 'It is 7 * 7 = <<7*7=49>>49.\n#### 49' }),
    { input: q, expected: { answer: '49' } },
  ],
  [
    'HotpotQA',
    'hotpot.jsonl',
    lines({ _id: 'x', question: q, answer: '49', context: [['Lamps', ['The lamp', ' is 49.']]] }),
    { input: q, expected: { answer: '49' }, rest: { context: ['Lamps: The lamp is 49.'] } },
  ],
  [
    'ARC as published',
    'arc.jsonl',
    lines({
      question: {
        stem: 'Which is hot?',
        choices: [
          { text: 'ice', label: 'A' },
          { text: 'fire', label: 'B' },
        ],
      },
      answerKey: 'B',
    }),
    {
      input: 'Which is hot?\n\nA) ice\nB) fire',
      expected: {
        answer: 'B',
        choices: [
          { label: 'A', text: 'ice' },
          { label: 'B', text: 'fire' },
        ],
      },
    },
  ],
  [
    'references of which a row has none',
    'mt.jsonl',
    lines({ question_id: 81, turns: [q, 'And the desk?'], reference: [] }),
    { input: q, expected: {} },
  ],
  [
    'the best answer, right ones and wrong ones',
    'truthful.csv',
    `Question,Best Answer,Correct Answers,Incorrect Answers\n${q},49,49; $49,50; 51\n`,
    { input: q, expected: { answer: '49' } },
  ],
  [
    'questions by id under a usual name',
    'map.yaml',
    `suite: prices\ncases:\n  lamp:\n    question: ${q}\n    expected: 49 dollars\n`,
    { input: q, expected: { answer: '49 dollars' }, rest: { id: 'lamp' } },
  ],
  [
    'truth values of a German spreadsheet',
    'wahr.csv',
    `question;expected_refusal\n${q};FALSCH\n`,
    { input: q, expected: { refusal: false } },
  ],
  [
    'metadata that is a text, as in SimpleQA',
    'simple.jsonl',
    lines({ problem: q, answer: '49', metadata: "{'topic': 'prices'}" }),
    { input: q, expected: { answer: '49' }, rest: { metadata: { metadata: "{'topic': 'prices'}" } } },
  ],
  [
    'a set for tuning Gemini',
    'gemini.jsonl',
    lines({
      contents: [
        { role: 'user', parts: [{ text: q }] },
        { role: 'model', parts: [{ text: '49' }] },
      ],
    }),
    { input: [{ role: 'user', content: q }], expected: { answer: '49' } },
  ],
  [
    'a conversation of Azure',
    'azure.jsonl',
    lines({
      conversation: {
        messages: [
          { role: 'user', content: q },
          { role: 'assistant', content: '49' },
        ],
      },
    }),
    { input: [{ role: 'user', content: q }], expected: { answer: '49' } },
  ],
  [
    'an agent of ADK',
    'adk.json',
    JSON.stringify([
      { query: q, expected_tool_use: [{ tool_name: 'lookup', tool_input: { id: 7 } }], reference: '49' },
    ]),
    { input: q, expected: { answer: '49', tools: [{ name: 'lookup', arguments: { id: 7 } }] } },
  ],
  [
    'a question and its final answer',
    'gaia.jsonl',
    lines({ task_id: 'x', Question: q, Level: 1, 'Final answer': '49' }),
    { input: q, expected: { answer: '49' } },
  ],
  [
    'pairs of answers of which one was chosen',
    'dpo.jsonl',
    lines({ prompt: q, chosen: '49', rejected: '50' }),
    { input: q, expected: { answer: '49' }, rest: { metadata: { rejected: '50' } } },
  ],
  [
    'a table with | between its cells',
    'pipes.csv',
    `question|expected_answer\n${q}|49, I think\n`,
    { input: q, expected: { answer: '49, I think' } },
  ],
  [
    'names that end with a colon',
    'colon.csv',
    `Question:,Expected answer:\n${q},49\n`,
    { input: q, expected: { answer: '49' } },
  ],
  [
    'cells that say that there is no value',
    'none.csv',
    `question,expected_answer,expected_tools,expected_refusal\n${q},49,none,N/A\n`,
    { input: q, expected: { answer: '49', tools: [] } },
  ],
];

test.each(files)(
  '%s (%s)',
  async (_what, name, text, { input, expected = {}, rest = {}, cases = 1, unread = [] }) => {
    const read = await readFile(name, text);
    expect(read.cases).toHaveLength(cases);
    const [first] = read.cases;
    expect({ input: first?.input, expected: first?.expected }).toEqual({ input, expected });
    expect(first).toMatchObject(rest);
    if (rest.metadata !== undefined) expect(first?.metadata).toEqual(rest.metadata);
    expect(read.unread).toEqual(unread);
  },
);

test('a choice by its number counts from 1 under our own name, and elsewhere only where the file shows from where it counts', async () => {
  const choices = ['Lyon', 'Paris', 'Nice'];
  const answerOf = async (...rows: readonly object[]) =>
    (
      await readFile(
        'numbers.jsonl',
        lines(...rows.map((row, id) => ({ id, question: `Which ${id}?`, choices, ...row }))),
      )
    ).cases.map(({ expected }) => expected.answer);
  expect(await answerOf({ expected_answer: 2 })).toEqual(['B']);
  expect(await answerOf({ expected_answer: '2' })).toEqual(['B']);
  expect(await answerOf({ answer_index: 2 })).toEqual(['C']);
  expect(await answerOf({ answer: 2 }, { answer: 3 })).toEqual(['B', 'C']);
  expect(await answerOf({ answer: 2 }, { answer: 0 })).toEqual(['C', 'A']);
  await expect(answerOf({ answer: 2 })).rejects.toThrow(
    'numbers.jsonl:1:1: answer: 2 may be the choice "Nice", counted from 0, or "Paris", counted from 1',
  );
  await expect(answerOf({ expected_answer: 5 })).rejects.toThrow('5 is none of the 3 choices');
});
