import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenSet } from '../../core/lib/text/words.ts';
import {
  contractAnswer,
  contractQuestions,
  contractScenarios,
  largeAnswer,
  nulAnswer,
  sessionOf,
  testTargetContract,
} from '../../library/testing/target-contract.ts';
import { indexQuestions, type Match, semanticMatch } from './semantic-match.ts';
import type { Target } from './target.ts';

type Options = Omit<NonNullable<Parameters<typeof semanticMatch>[0]>, 'path'>;

function create(rows: readonly unknown[], options: Options = {}): Target {
  const { definition } = semanticMatch;
  async function* readRows(file: string) {
    for (const [index, value] of rows.entries()) yield { value, place: { file, line: index + 2 } };
  }
  const checked = definition.options.parse({ path: 'faq.csv', ...options });
  return definition.create(checked, {
    folder: '.',
    environment: {},
    readRows,
    resolveModel: () => expect.fail('no model is used'),
  });
}

function ask(target: Target, input: string) {
  const request = {
    key: 'k',
    caseId: 'c',
    input,
    messages: [],
    session: sessionOf(1),
    metadata: {},
    attempt: 1,
    seed: 3,
  };
  return target.call(request, { signal: new AbortController().signal });
}

const contractRows = [
  ...contractQuestions.map((question) => ({ question, answer: contractAnswer(question) })),
  { question: contractScenarios.large, answer: largeAnswer },
  { question: contractScenarios.nul, answer: nulAnswer },
];
testTargetContract('semantic-match', () => create(contractRows), {
  test,
  expect,
  without: {
    silence: 'a stored answer does not keep anybody waiting',
    null: 'a row without an answer is refused when the file is read',
    'not-a-number': 'a row whose answer is no text is refused when the file is read',
    'invalid-utf8': 'the reader of the file refuses it',
    html: 'text is the answer',
  },
});

const rows = [
  { question: 'How do I pay rent?', answer: 'Online.' },
  { question: 'When is rent due?', answer: 'On the first.' },
  { question: 'When is the rent due date?', answer: 'On the first of the month.' },
];

test('the answer is that of the most similar question, which is reported with its similarity', async () => {
  expect(await ask(create(rows), 'when is RENT due')).toEqual({
    answer: 'On the first.',
    toolCalls: [],
    documents: [{ id: 'When is rent due?', text: 'On the first.', score: 1 }],
    state: { matchedQuestion: 'When is rent due?', similarity: 1, place: 'faq.csv:3', isFallback: false },
  });
});

test("a question that shares no word with any row gets the first row's answer", async () => {
  expect(await ask(create(rows), 'parking')).toMatchObject({ answer: 'Online.', documents: [{ score: 0 }] });
});

test('without rows the answer is empty', async () => {
  expect(await ask(create([]), 'anything')).toEqual({ answer: '', toolCalls: [], documents: [] });
});

test('below the threshold the fallback answers, and the nearest row is still reported', async () => {
  const target = create(rows, { threshold: 0.5, fallback: 'I do not know.' });
  expect(await ask(target, 'is the sky blue')).toMatchObject({
    answer: 'I do not know.',
    documents: [{ id: 'When is the rent due date?', score: 2 / Math.sqrt(24) }],
    state: { isFallback: true },
  });
  expect(await ask(target, 'is rent late')).toMatchObject({
    answer: 'On the first.',
    state: { similarity: 2 / Math.sqrt(12), isFallback: false },
  });
});

test.each([
  [{ Question: 'q', 'Expected Answer': 'yes' }, {}],
  [{ input: 'q', output: 'yes' }, {}],
  [
    { ask: 'q', say: 'yes', answer: 'no' },
    { ask: 'question', say: 'answer' },
  ],
  [{ question: 'no', answer: 'yes', Frage: 'q' }, { frage: 'question' }],
  [{ question: 'q', answer: null, response: 'yes' }, {}],
] as const)('the columns of %j are found with %j', async (row, fields) => {
  expect(await ask(create([row], { fields }), 'q')).toMatchObject({
    answer: 'yes',
    documents: [{ id: 'q' }],
  });
});

test('numbers are answers too', async () => {
  expect(await ask(create([{ question: 'Answer to everything?', answer: 42 }]), 'x')).toMatchObject({
    answer: '42',
  });
});

test.each([
  [{ question: 'q' }, 'faq.csv:3: the row has no answer; its columns are question.'],
  [{ answer: 'a' }, 'faq.csv:3: the row has no question; its columns are answer.'],
  [{ question: 'q', answer: ['a'] }, 'faq.csv:3: the answer is a list of 1, not text.'],
  ['text', 'faq.csv:3: the row is the text "text", not an object.'],
])('the row %j is refused with its line before anything is asked', async (row, message) => {
  const target = create([{ question: 'q', answer: 'a' }, row]);
  await expect(target.open?.()).rejects.toMatchObject({ code: 'target-invalid', message });
});

test('a threshold needs a fallback, and the other way round', () => {
  const { options } = semanticMatch.definition;
  expect(options.safeParse({ path: 'faq.csv', threshold: 0.5 }).success).toBe(false);
  expect(options.safeParse({ path: 'faq.csv', fallback: 'x' }).success).toBe(false);
});

test('other stored answers, or another threshold, make another target', async () => {
  const before = await create(rows).identity?.();
  expect(await create([...rows]).identity?.()).toEqual(before);
  expect(await create(rows.slice(1)).identity?.()).not.toEqual(before);
  const rule = { threshold: 0.5, fallback: 'No idea.' };
  expect(await create(rows, rule).identity?.()).not.toEqual(before);
});

/** Finds the match by the plain definition: every row is compared, the first of the best is taken. */
function findPlainly(question: string, stored: readonly string[]): Match | undefined {
  const asked = tokenSet(question);
  let best: Match | undefined;
  for (const [row, text] of stored.entries()) {
    const tokens = tokenSet(text);
    const shared = [...tokens].filter((token) => asked.has(token)).length;
    const similarity = shared === 0 ? 0 : shared / Math.sqrt(asked.size * tokens.size);
    if (best === undefined || similarity > best.similarity) best = { row, similarity };
  }
  return best;
}

interface Table {
  /** Returns texts as the places of their pieces. */
  readonly stored: number[][];
  readonly asked: number[][];
  readonly matches: [row: number, similarity: number][];
}

test('finds the rows that Python finds, with the same similarity to the last bit', () => {
  const lines = readFileSync(new URL('semantic-match/matched-rows.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const [{ pieces }, ...tables] = lines.map((line) => JSON.parse(line)) as [{ pieces: string[] }, ...Table[]];
  const toText = (places: number[]) => places.map((place) => pieces[place]).join('');
  const differences: unknown[] = [];
  for (const { stored, asked, matches } of tables) {
    const find = indexQuestions(stored.map(toText));
    for (const [number, [row, similarity]] of matches.entries()) {
      const question = toText(asked[number] ?? []);
      const match = find(question);
      if (match?.row !== row || match.similarity !== similarity)
        differences.push({ question, match, row, similarity });
    }
  }
  expect(differences).toEqual([]);
});

const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'A', '(b)', '"', '?', 'ΟΔΟΣ', 'İ', 'ß') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
);
const space = fc.constantFrom(' ', '\t', '\u001c', '\u0085', '\u3000', '\ufeff', '');
const text = fc.array(fc.tuple(token, space), { maxLength: 10 }).map((pairs) => pairs.flat().join(''));

test('finds the row of the plain definition on any texts, with many ties', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), (stored, asked) => {
      const find = indexQuestions(stored);
      for (const question of asked) expect(find(question)).toEqual(findPlainly(question, stored));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['there are no rows', [], 'a', undefined],
  ['nothing is shared: the first row, similarity 0', ['x', 'y'], 'a', { row: 0, similarity: 0 }],
  ['the question has no token', ['x', ' '], ' \t', { row: 0, similarity: 0 }],
  ['the first of equals', ['x', 'a b', 'B, A!', 'a b'], 'b a', { row: 1, similarity: 1 }],
  ['a piece of punctuation is the empty token', ['how ?', 'who'], 'why !', { row: 0, similarity: 1 / 2 }],
  ['words are counted once', ['a a a b'], 'a', { row: 0, similarity: 1 / Math.sqrt(2) }],
  [
    'a name like that of an object method',
    ['constructor', '__proto__'],
    '__proto__',
    { row: 1, similarity: 1 },
  ],
])('%s', (_fact, stored, question, match) => {
  expect(indexQuestions(stored)(question)).toEqual(match);
});
