import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkDraft } from '../run/prepare/check-draft.ts';
import type { DatasetRow } from './dataset.ts';
import { draftCase } from './draft-case.ts';
import { createFieldMapping } from './field-mapping.ts';

/** Loads a row as a case, or returns what is wrong with it. */
function load(value: object, { hasTextCells = false } = {}) {
  const row: DatasetRow = {
    value,
    place: { file: 'a.jsonl', line: 1 },
    locate: () => ({ file: 'a.jsonl', line: 1 }),
  };
  const checked = checkDraft(draftCase(row, { mapping: createFieldMapping(), hasTextCells }));
  return 'problems' in checked ? checked.problems.map(({ message }) => message) : checked.case;
}

const script = (...turns: (string | object)[]) => ({
  script: turns.map((turn) => (typeof turn === 'string' ? { say: turn } : turn)),
});

test('a list of turns is a script, and its first turn is the question', () => {
  const expected = { keywords: ['3 pm'] };
  expect(
    load({ turns: ['A room.', { say: 'At 3 pm.', expected }, { say: 'Yes.', when: 'sure' }] }),
  ).toMatchObject({
    input: 'A room.',
    user: script('A room.', { say: 'At 3 pm.', expected }, { say: 'Yes.', when: 'sure' }),
    metadata: {},
  });
  expect(load({ user: { script: ['A room.', 'Yes.'] } })).toMatchObject({
    input: 'A room.',
    user: script('A room.', 'Yes.'),
  });
});

test('a turn may have the words of the user under a usual name, with what is expected beside it', () => {
  expect(
    load({
      turns: [
        { user: 'A room.', expected: '3 pm' },
        { question: 'And at 4?', must_include: ['4 pm'], expect_tools: ['book'] },
        { input: 'Yes.', when: 'sure', expected: { keywords: ['booked'] } },
        { prompt: 'Bye.', assertions: [{ kind: 'row_count', value: 3 }] },
      ],
    }),
  ).toMatchObject({
    input: 'A room.',
    user: script(
      { say: 'A room.', expected: { answer: '3 pm' } },
      { say: 'And at 4?', expected: { keywords: ['4 pm'], tools: ['book'] } },
      { say: 'Yes.', when: 'sure', expected: { keywords: ['booked'] } },
      { say: 'Bye.' },
    ),
    metadata: { turns: [{}, {}, {}, { assertions: [{}] }] },
  });
});

test('turns of both sides are no script', () => {
  const turns = [{ user: 'A room.', assistant: 'At 3 pm?' }];
  expect(load({ question: 'Hi.', turns })).toMatchObject({ input: 'Hi.', metadata: { turns } });
});

test('a question beside turns is put before them', () => {
  expect(load({ question: 'Hello.', turns: ['A room.'] })).toMatchObject({
    input: 'Hello.',
    user: script('Hello.', 'A room.'),
  });
  expect(load({ input: 'A room.', user: { script: [{ say: 'A room.' }, { say: 'Yes.' }] } })).toMatchObject({
    input: 'A room.',
    user: script('A room.', 'Yes.'),
  });
});

test('messages beside turns are the history; a question at their end is the first turn', () => {
  const hi = [
    { role: 'user', content: 'Hi.' },
    { role: 'assistant', content: 'Hello.' },
  ];
  expect(load({ messages: hi, turns: ['A room.', 'Yes.'] })).toMatchObject({
    input: [...hi, { role: 'user', content: 'A room.' }],
    user: script('A room.', 'Yes.'),
  });
  expect(load({ messages: hi.slice(0, 1), turns: ['A room.'] })).toMatchObject({
    input: hi.slice(0, 1),
    user: script('Hi.', 'A room.'),
  });
});

test('a user with a goal and no question begins in their own words, one with a question begins with it', () => {
  const user = { goal: 'A room on Tuesday.', knowledge: ['An hour.'], patience: 'never gives up' };
  expect(load({ user })).toMatchObject({ input: 'A room on Tuesday.', user: { ...user, opens: true } });
  const asked = load({ question: 'Hi.', user });
  expect(asked).toMatchObject({ input: 'Hi.', user });
  expect(asked).not.toHaveProperty('user.opens');
});

test('a table has turns and users as JSON', () => {
  expect(load({ turns: '["A room.", {"say": "Yes."}]' }, { hasTextCells: true })).toMatchObject({
    user: script('A room.', 'Yes.'),
  });
  expect(load({ user: '{"goal": "A room."}' }, { hasTextCells: true })).toMatchObject({
    user: { goal: 'A room.' },
  });
});

test.each<[string, object]>([
  ['a name', { user: 'ana' }],
  ['another object', { user: { id: 7, name: 'Ana' } }],
  ['a number of turns', { turns: 3 }],
  ['no turns', { turns: [] }],
  ['messages of both sides', { turns: [{ role: 'user', content: 'x' }] }],
])('%s is metadata, as it was before there were conversations', (_, parts) => {
  const loaded = load({ question: 'q', ...parts });
  expect(loaded).toMatchObject({ input: 'q', metadata: parts });
  expect(loaded).not.toHaveProperty('user');
});

test('a duplicate script is reported, and nothing of it is lost', () => {
  expect(load({ turns: ['a'], user: { script: ['b'] } })).toMatchObject({
    user: script('a'),
    metadata: { user: { script: ['b'] } },
  });
});

test.each<[object, string]>([
  [{ turns: ['a', { say: '' }] }, 'turns[1].say: expected a text that is not empty, found the text ""'],
  [
    { question: 'q', turns: ['a', { say: '' }] },
    'turns[1].say: expected a text that is not empty, found the text ""',
  ],
  [
    { turns: [{ say: 'a', when: '/(/' }] },
    'turns[0].when: expected a text, or a `/pattern/flags` that is a regular expression, found the text "/(/"',
  ],
  [
    { turns: [{ say: 'a', expects: {} }] },
    'turns[0]: expected no other keys than say, when, expected, found an object with the keys say, expects',
  ],
  [
    { turns: [{ say: 'a', expected: { keyword: ['x'] } }] },
    'turns[0].expected: expected no other keys than answer, choices, keywords, forbidden, tools, calls, entities, numbers, documents, state, refusal, checks, passMark, found an object with the key keyword',
  ],
  [
    { question: 'q', user: { goal: 'g', patience: 0 } },
    'user.patience: expected a number of at least 1, found the number 0',
  ],
  [
    { question: 'q', user: { goal: 'g', knows: 'x' } },
    'user: expected no other keys than script, goal, persona, knowledge, secrets, patience, language, opens, turnLimit, found an object with the keys goal, knows',
  ],
  [
    { user: { goal: 'g', script: ['a'] } },
    'user: expected either a `script` or a `goal`, found an object with the keys goal, script',
  ],
  [
    { user: { script: ['a'], persona: 'p' } },
    'user.persona: expected no such setting with a `script`, since it goes with a `goal`, found the text "p"',
  ],
  [{ question: 'q', user: { script: 'a' } }, 'user.script: expected a list of turns, found the text "a"'],
  [
    { question: 'q', gate: 'later' },
    'gate: expected gate, watch, or quarantine until a day, such as "quarantine until 2026-12-31", found the text "later"',
  ],
  [
    { question: 'q', expected_calls: [{ together: 5 }] },
    'expected_calls[0].together: expected a list, found the number 5',
  ],
  [
    { question: 'q', expected_calls: [{ name: 'a', times: { mn: 1 } }] },
    'expected_calls[0].times: expected no other keys than min, max, found an object with the key mn',
  ],
  [
    { question: 'q', expected_calls: [{ name: 'a', arguments: { price: { $near: 'x', $tolerance: 1 } } }] },
    'expected_calls[0].arguments.price: expected a matcher such as { "$near": 5, "$tolerance": 0.1 }, found an object with the keys $near, $tolerance',
  ],
])('%j is refused with the place and the reason', (value, message) => {
  expect(load(value)).toEqual([`a.jsonl:1: ${message}`]);
});

test('the rows on the page about conversations are conversations', () => {
  const page = readFileSync(new URL('../../../docs/conversations.md', import.meta.url), 'utf8');
  const [asked = ''] = page.split('## Recorded answers');
  const rows = Array.from(asked.matchAll(/```jsonl\n([^]*?)```/g), ([, block = '']) => block.trim()).flatMap(
    (block) => block.split('\n'),
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) expect(load(JSON.parse(row) as object)).toHaveProperty('user');
});
