import { expect, test } from 'vitest';
import { hashText } from '../../core/lib/content-hash.ts';
import type { ChatModel } from '../../evaluate/models/model.ts';
import { scripted } from '../../evaluate/models/scripted.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { createStoredReplies } from '../../evaluate/judges/asking/create-asker.ts';
import { draftFromDocuments, type DraftNeeds, type DraftRules, type DraftSources } from './draft.ts';
import { estimateDraft } from './estimate-draft.ts';
import { planSources } from './plan-draft.ts';

const document = (id: string, text: string) => ({ id, place: `${id}.md`, text, hash: hashText(text) });

const sources: DraftSources = {
  documents: [
    document(
      'fees',
      'A tool that is returned late costs 2 dollars for each day. The most that is charged for one tool is 30 dollars, however late it is returned to the library.',
    ),
    document(
      'hours',
      'The library is open on Tuesday and Thursday from 15:00 to 19:00. In August it is open on Saturday only, from 9:00 to 13:00, because of the holidays.',
    ),
  ],
  notices: [],
  dataset: 'golden',
  known: [{ id: 'late-cap', question: 'What is the most a late tool costs?', keywords: [], documents: [] }],
  categories: { names: ['money', 'times'], areGiven: true },
};

const fact = (value: string, quote: string, passage = 1) => ({ value, quote, passage });
const question = (text: string, answer: string, facts: readonly object[], category = 'money') => ({
  question: text,
  answer,
  category,
  facts,
});
const answer = (text: string, quote = '') => ({
  json: { is_answerable: text !== '', answer: text, quote },
});

interface Rule {
  readonly when: string;
  readonly in: 'any';
  readonly reply: object | string;
}

/** A rule for the prompt with these words, about a question or passage with those. */
const rule = (prompt: string, about: string, reply: object | string): Rule => ({
  when: `/${prompt}.*${about}/s`,
  in: 'any',
  reply,
});
const draftRule = (kind: string, about: string, ...questions: readonly object[]) =>
  rule(kind, about, { json: { questions } });

const [facts, many, none] = ['asks for one fact', 'facts of both', 'neither the passage'];
const [closed, open] = ['by general knowledge alone', 'passages beside it alone'];

const overdue = question('What do I pay per day for an overdue drill?', '2 dollars for each day.', [
  fact('2 dollars', 'costs 2 dollars for each day'),
]);

/** A model that drafts a good question about fees, and knows nothing but the passages. */
const goodRules = [
  draftRule(facts, 'late costs', overdue),
  draftRule(
    facts,
    'open on',
    question(
      'When may I come in August?',
      'On Saturday from 9:00.',
      [fact('Saturday', 'In August it is open on Saturday only')],
      'times',
    ),
  ),
  rule(closed, '', answer('')),
  rule(open, 'overdue drill', answer('You pay 2 dollars a day.', '2 dollars for each day')),
  rule(open, 'in August', answer('On Saturday.', 'open on Saturday only')),
];

/** Creates a scripted model that counts its calls, each of which costs a quarter of a dollar. */
function createModel(rules: readonly Rule[]): { readonly model: ChatModel; readonly calls: () => number } {
  const { definition } = scripted;
  const model = definition.create(definition.options.parse({ rules }), { folder: '.', environment: {} });
  let calls = 0;
  const generate: ChatModel['generate'] = async (request, context) => {
    calls += 1;
    return { ...(await model.generate(request, context)), cost: 0.25 };
  };
  return { model: { ...model, generate, priceOf: async () => 0.25 }, calls: () => calls };
}

const rulesOf = (model: ChatModel, parts: Partial<DraftRules> = {}): DraftRules => ({
  model,
  count: 2,
  mix: { fact: 1 },
  seed: 1,
  passageLength: 1000,
  concurrency: 1,
  ...parts,
});

const needsOf = (store = createMemoryStore(), parts: Partial<DraftNeeds> = {}): DraftNeeds => ({
  environment: {},
  createReplies: (onKept) => createStoredReplies(store, onKept),
  observer: {},
  signals: neverStopped,
  ...parts,
});

test('a question that passes every check is kept with its facts, documents, category and difficulty', async () => {
  const { model } = createModel(goodRules);
  const { report, proposals } = await draftFromDocuments(sources, rulesOf(model), needsOf());
  expect(report).toMatchObject({ planned: 2, drafted: 2, kept: 2, notChecked: 0, rejected: [], seed: 1 });
  expect(report.questions.find(({ documents }) => documents.includes('fees'))).toEqual({
    proposal: proposals.find(({ source }) => source.type === 'document' && source.document === 'fees')?.id,
    kind: 'fact',
    question: overdue.question,
    answer: overdue.answer,
    facts: [
      { value: '2 dollars', quote: 'costs 2 dollars for each day', document: 'fees', passage: 'fees#1' },
    ],
    documents: ['fees'],
    passages: ['fees#1'],
    category: 'money',
    difficulty: 'easy',
    measured: { passages: 1, rank: 1, overlap: expect.closeTo(1 / 6, 9), closedBook: 0 },
    checks: [
      { name: 'quotes', passed: true, reason: '1 found word for word' },
      { name: 'kind', passed: true, reason: 'fact: 1 facts of 1 documents' },
      { name: 'wording', passed: true, reason: expect.any(String) },
      { name: 'duplicate', passed: true, reason: 'no other question says the same' },
      { name: 'closed-book', passed: true, reason: 'without any document, the model states 0 of 1 facts' },
      {
        name: 'answerable',
        passed: true,
        reason: 'from the passages, the model answers "You pay 2 dollars a day."',
      },
    ],
    outcome: 'kept',
    rejection: null,
    reason: null,
  });
  expect(report.documents).toEqual([
    { id: 'fees', hash: sources.documents[0]?.hash, passages: 1, questions: 1 },
    { id: 'hours', hash: sources.documents[1]?.hash, passages: 1, questions: 1 },
  ]);
  expect(report.spending).toEqual({ calls: 6, cost: 1.5 });
});

test('each rejected question is kept in the report with its reason, and is not paid for again', async () => {
  const bad = [
    question('What does an overdue saw cost?', '2', [fact('2 dollars', 'it costs 2 dollars per day')]),
    question('What is the most that a late tool costs?', '30', [
      fact('30 dollars', 'for one tool is 30 dollars'),
    ]),
    question('How much for a week?', '2', [fact('2 dollars', 'costs 2 dollars')], ''),
  ];
  const { model, calls } = createModel([
    draftRule(facts, 'late costs', ...bad),
    draftRule(
      facts,
      'open on',
      question('When may I come?', 'At 15:00.', [fact('15:00', 'from 15:00 to 19:00')]),
    ),
    rule(closed, 'for a week', answer('It is 2 dollars.')),
    rule(closed, '', answer('')),
    rule(open, '', answer('')),
  ]);
  const { report } = await draftFromDocuments(sources, rulesOf(model, { count: 6 }), needsOf());
  expect(report.rejected).toEqual([
    { rejection: 'not-written', questions: 2 },
    { rejection: 'quote-not-found', questions: 1 },
    { rejection: 'duplicate', questions: 1 },
    { rejection: 'closed-book', questions: 1 },
    { rejection: 'not-answerable', questions: 1 },
  ]);
  expect(report).toMatchObject({ planned: 6, drafted: 6, kept: 0 });
  const reasons = new Map(report.questions.map(({ rejection, reason }) => [rejection, reason]));
  expect(reasons.get('duplicate')).toContain('says the same as late-cap');
  expect(reasons.get('closed-book')).toBe('without any document, the model answers "It is 2 dollars."');
  // Two tasks; closed-book for two questions, open-book for one: what a rule rejects is not asked.
  expect(calls()).toBe(5);
  expect(report.questions.find(({ question: text }) => text.includes('week'))?.category).toBe('fees');
});

test('a question that the documents must not answer is looked for in all of them', async () => {
  const draft = draftRule(none, 'late costs', question('Is the library open on Sunday?', '', [], ''));
  const run = async (reply: object) => {
    const { model } = createModel([
      draft,
      draftRule(none, 'open on'),
      rule(open, 'passage 2>>>.*open on Tuesday', reply),
    ]);
    const { report } = await draftFromDocuments(
      sources,
      rulesOf(model, { mix: { unanswerable: 1 } }),
      needsOf(),
    );
    return report.questions[0];
  };
  expect(await run(answer(''))).toMatchObject({
    outcome: 'kept',
    answer: null,
    category: 'not in the documents',
    difficulty: 'medium',
  });
  expect(await run(answer('No.', 'open on Tuesday and Thursday'))).toMatchObject({
    outcome: 'rejected',
    rejection: 'answerable',
    reason: 'from 2 passages, the model answers "No.", as "open on Tuesday and Thursday"',
  });
});

test('facts of both documents make a question about several documents', async () => {
  const both = [fact('2 dollars', 'costs 2 dollars', 1), fact('Saturday', 'open on Saturday', 2)];
  const swapped = both.map((each) => ({ ...each, passage: 3 - each.passage }));
  const rules = [
    draftRule(many, String.raw`passage 1>>>\n\[fees`, question('What and when?', 'x', both, '')),
    draftRule(many, String.raw`passage 1>>>\n\[hours`, question('What and when?', 'x', swapped, '')),
    rule(closed, '', answer('2 dollars')),
    rule(open, '', answer('It costs 2 dollars, on a Saturday.')),
  ];
  const { model } = createModel(rules);
  const order = { count: 1, mix: { 'multi-document': 1 } };
  const { report } = await draftFromDocuments(sources, rulesOf(model, order), needsOf());
  expect(report.questions[0]).toMatchObject({
    outcome: 'kept',
    documents: expect.arrayContaining(['fees', 'hours']),
    category: 'several documents',
    difficulty: 'hard',
    measured: { passages: 2, rank: null, closedBook: 0.5 },
  });
});

test('a repeated draft asks nothing, and an interrupted one only what is missing', async () => {
  const store = createMemoryStore();
  const whole = createModel(goodRules);
  const stopped = new AbortController();
  const first = createModel(goodRules);
  const { report: interrupted } = await draftFromDocuments(
    sources,
    rulesOf(first.model),
    needsOf(store, {
      signals: { stop: stopped.signal, abort: neverStopped.abort },
      observer: { onReplied: () => first.calls() === 3 && stopped.abort() },
    }),
  );
  expect(interrupted).toMatchObject({ isStopped: true, kept: 0, notChecked: 2 });
  expect(first.calls()).toBe(3);
  const second = createModel(goodRules);
  const { report } = await draftFromDocuments(sources, rulesOf(second.model), needsOf(store));
  expect(second.calls()).toBe(3);
  expect(report.spending).toEqual({ calls: 3, cost: 0.75 });
  const { report: fresh } = await draftFromDocuments(sources, rulesOf(whole.model), needsOf());
  const third = createModel(goodRules);
  // Its own proposals are known by now.
  const asked = fresh.questions.map(({ question: text, proposal }) => {
    return { id: proposal, question: text, keywords: [], documents: [], proposal };
  });
  const again = { ...sources, known: [...sources.known, ...asked] };
  const { report: repeated } = await draftFromDocuments(again, rulesOf(third.model), needsOf(store));
  expect(third.calls()).toBe(0);
  expect(report.questions).toEqual(fresh.questions);
  expect(repeated.questions).toEqual(fresh.questions);
});

test('nothing more is asked once the money is spent, and another seed asks again', async () => {
  const store = createMemoryStore();
  const { model, calls } = createModel(goodRules);
  const { report } = await draftFromDocuments(sources, rulesOf(model, { maxCost: 0.5 }), needsOf(store));
  expect(report).toMatchObject({ isStopped: true, drafted: 2, notChecked: 2, kept: 0 });
  expect(calls()).toBe(2);
  await draftFromDocuments(sources, rulesOf(model, { seed: 2 }), needsOf(store));
  expect(calls()).toBe(8);
});

test('a reply of another form is asked for once more with its fault; a model that fails drafts nothing', async () => {
  const { model, calls } = createModel([
    ...goodRules.slice(0, 1),
    rule('That reply cannot be used', '', { json: { questions: [overdue] } }),
    rule(facts, 'open on', 'I would rather not.'),
    ...goodRules.slice(2),
  ]);
  const { report } = await draftFromDocuments(sources, rulesOf(model), needsOf());
  expect(report.drafted).toBe(2);
  expect(report.questions[1]).toMatchObject({ rejection: 'quote-not-found' });
  expect(calls()).toBe(5);

  const { report: silent } = await draftFromDocuments(sources, rulesOf(createModel([]).model), needsOf());
  expect(silent).toMatchObject({ planned: 2, drafted: 0, kept: 0, rejected: [] });
  expect(silent.notices[0]).toMatch(
    /^No reply: No rule of the scripted model says what to answer to .*passage 1/,
  );
});

test('a secret in a document reaches neither the model nor the store', async () => {
  const store = createMemoryStore();
  const seen: string[] = [];
  const { model } = createModel(goodRules);
  const watched: ChatModel = {
    ...model,
    generate: async (request, context) => {
      seen.push(JSON.stringify(request));
      return await model.generate(request, context);
    },
  };
  const leaky = document('fees', `${sources.documents[0]?.text} The key is hunter2-hunter2.`);
  const needs = needsOf(store, { environment: { VAULT_KEY: 'hunter2-hunter2' } });
  await draftFromDocuments({ ...sources, documents: [leaky] }, rulesOf(watched), needs);
  expect(seen.length).toBeGreaterThan(0);
  expect(seen.join()).not.toContain('hunter2');
  expect(seen.join()).toContain('[VAULT_KEY]');
});

test('the estimate is at least what a draft takes', async () => {
  const { model, calls } = createModel(goodRules);
  const { tasks } = planSources(sources.documents, rulesOf(model));
  const estimate = await estimateDraft(tasks, sources.categories, model);
  expect(estimate).toMatchObject({ questions: 2, calls: 6, cost: 0.25 });
  expect(calls()).toBe(0);
  await draftFromDocuments(sources, rulesOf(model), needsOf());
  expect(calls()).toBeLessThanOrEqual(estimate.calls);
});
