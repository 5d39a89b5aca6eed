import { beforeEach, describe, expect, test } from 'vitest';
import { storePairTask } from '../../../test/support/pair-task.ts';
import { storeReviewedRun } from '../../../test/support/reviewed-run.ts';
import { createReview, planReview, type ReviewSettings } from '../../people/reviews/plan-review.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import type { Store } from '../../stores/store.ts';
import { buildRubric } from '../../../test/support/build-labels.ts';
import { createApp } from '../create-app.ts';
import { readItems } from '../../stores/reviews/review-records.ts';
import { reviewTaskKind } from '../../stores/kinds/review-task.ts';
import { labelKind } from '../../stores/kinds/label.ts';

const port = 4321;
const secret = 'a-secret-of-a-test';
const origin = `http://127.0.0.1:${port}`;
const own = {
  host: `127.0.0.1:${port}`,
  cookie: `touchstone-${port}=${secret}`,
  origin,
  'sec-fetch-site': 'same-origin',
};

let store: Store;
let app: ReturnType<typeof createApp>;

async function createTask(settings: Partial<ReviewSettings> = {}, answerOf?: (position: number) => string) {
  const answers = { passed: 4, failed: 4, ...(answerOf !== undefined && { answerOf }) };
  const run = await storeReviewedRun(store, answers);
  const head = {
    id: 'task-1',
    createdAt: '2026-01-03T00:00:00.000Z',
    seed: 7,
    labels: 8,
    repeats: 0,
  };
  await createReview(store, await planReview(store, run, { rubrics: [buildRubric()], ...head, ...settings }));
}

beforeEach(() => {
  store = createMemoryStore();
  app = createApp({
    openStore: async () => await Promise.resolve(store),
    assets: { document: '', files: new Map() },
    access: { port, secret, tokens: new Set() },
    person: async () => await Promise.resolve('Ann Example'),
  });
});

interface Reply {
  readonly status: number;
  readonly text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the reply is compared with what is expected
  readonly body: Record<string, any>;
}

async function get(path: string): Promise<Reply> {
  return await read(await app.request(`${origin}/api/reviews${path}`, { headers: own }));
}

async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  return await create(`/task-1${path}`, body, headers);
}

/** Sends a body to an address under the address of the tasks. */
async function create(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Reply> {
  const text = JSON.stringify(body);
  const sent = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) };
  const options = { method: 'POST', body: text, headers: { ...own, ...sent, ...headers } };
  return await read(await app.request(`${origin}/api/reviews${path}`, options));
}

async function read(response: Response): Promise<Reply> {
  const text = await response.text();
  return { status: response.status, text, body: JSON.parse(text) as Reply['body'] };
}

const label = (item: number, value: unknown = true, id = `id-${item}`) => ({
  person: 'ann',
  item,
  purpose: 'new',
  id,
  seconds: 3,
  order: 1,
  labels: [{ rubric: 'tone', value }],
});

const next = async (person = 'ann', count = 3) => await post('/next', { person, count });

describe('what a person sees', () => {
  test('the list names the tasks, and a task has its questions, its progress and the name that git knows', async () => {
    expect((await get('')).body).toMatchObject({ tasks: [], questions: [] });
    await createTask();
    expect((await get('')).body).toMatchObject({
      tasks: [{ id: 'task-1', rubrics: ['tone'], items: 8, status: 'open' }],
    });
    expect((await get('/task-1')).body).toMatchObject({
      rubrics: [{ question: 'Is the answer polite?' }],
      progress: { wanted: 8, given: 0 },
      person: 'Ann Example',
    });
    expect(await get('/none')).toMatchObject({ status: 404, body: { code: 'review-not-found' } });
  });

  test('before the label no byte says what judge, score, target or others say; after it all of it is there', async () => {
    await createTask({ overlap: { people: 2, share: 1 } });
    const [card] = (await next('bob', 1)).body['cards'] as [{ item: number }];
    const others = { ...label(card.item, false, 'b'), person: 'bob' };
    await post('/labels', { ...others, labels: [{ rubric: 'tone', value: false, note: 'too curt' }] });
    const [run] = await store.listRuns({ limit: 1 });
    const target = 'bot';
    expect(JSON.stringify(await Array.fromAsync(store.readResults(run?.id ?? '')))).toContain(`"${target}"`);
    const secrets = [
      'judged so',
      'too curt',
      'bob',
      `"${target}"`,
      'passed"',
      'failed"',
      'verdict',
      'score',
      'stratum',
    ];
    const holds = ({ body }: Reply) =>
      (body['cards'] as { item: number }[]).some(({ item }) => item === card.item);
    // Each time, a person gets at most half of what is left.
    let before = await next('ann', 8);
    for (let round = 0; round < 8 && !holds(before); round += 1) {
      for (const { item } of before.body['cards'] as { item: number }[]) await post('/labels', label(item));
      before = await next('ann', 8);
    }
    expect(before.body['cards']).toContainEqual(expect.objectContaining({ item: card.item }));
    expect(secrets.filter((each) => before.text.includes(each))).toEqual([]);
    const early = await post('/reveal', { person: 'ann', item: card.item });
    expect(early).toMatchObject({ status: 409, body: { code: 'label-refused' } });
    expect(secrets.slice(0, 4).filter((each) => early.text.includes(each))).toEqual([]);
    const part = await get(`/task-1/items/${card.item}/part?path=/answer`);
    expect(part.body['value']).toMatch(/^answer \d$/);
    expect((await get(`/task-1/items/${card.item}/part?path=/verdicts`)).status).toBe(400);
    await post('/labels', label(card.item));
    const after = await post('/reveal', { person: 'ann', item: card.item });
    expect(after.body).toMatchObject({
      target,
      verdicts: [{ rubric: 'tone', verdict: { status: 'scored', explanation: 'judged so' } }],
      others: [{ outcome: { status: 'answered', value: false }, note: 'too curt' }],
    });
    expect(after.text).not.toContain('bob');
  });

  test('two people never have the same item at once', async () => {
    await createTask();
    const [ann, bob] = [await next('ann', 4), await next('bob', 10)];
    const items = [ann, bob].map(({ body }) => (body['cards'] as { item: number }[]).map(({ item }) => item));
    // Of what is left, a person gets at most half.
    expect(items.map(({ length }) => length)).toEqual([4, 2]);
    expect(new Set(items.flat()).size).toBe(6);
    await post('/release', { person: 'ann' });
    // Now half of all.
    expect((await next('bob', 10)).body['cards']).toHaveLength(4);
  });

  test('long texts are cut, and sent whole on demand', async () => {
    await createTask({}, () => 'x'.repeat(30_000));
    const [card] = (await next('ann', 1)).body['cards'] as [Record<string, unknown>];
    expect(card).toMatchObject({
      answer: 'x'.repeat(20_000),
      cuts: expect.arrayContaining([{ path: '/answer', length: 30_000 }]),
    });
    const whole = await get(`/task-1/items/${String(card['item'])}/part?path=/transcript/1/content`);
    expect(whole.body['value']).toBe('x'.repeat(30_000));
    const missing = await get('/task-1/items/99/part?path=/answer');
    expect(missing).toMatchObject({ status: 404, body: { code: 'review-not-found' } });
  });
});

test('long parts of a pair are sent in the order in which the card shows them', async () => {
  const answers = { one: ['x'.repeat(30_000)], two: ['y'.repeat(30_000)] };
  await storePairTask(store, { id: 'task-1', answers });
  const [card] = (await next('ann', 1)).body['cards'] as [{ item: number; turn: number; answer: string }];
  const [first, second] = card.answer.startsWith('x') ? ['x', 'y'] : ['y', 'x'];
  const read = async (turn: number, path: string) =>
    (await get(`/task-1/items/${card.item}/${turn}/part?path=${path}`)).body['value'];
  expect(await read(card.turn, '/answer')).toBe(first.repeat(30_000));
  expect(await read(card.turn, '/second/answer')).toBe(second.repeat(30_000));
  expect(await read(1 - card.turn, '/answer')).toBe(second.repeat(30_000));
  expect((await get(`/task-1/items/${card.item}/2/part?path=/answer`)).status).toBe(400);
});

describe('what a person says', () => {
  test('a label is in the store when the answer arrives, and the same request again stores nothing more', async () => {
    await createTask();
    expect(await post('/labels', label(0))).toMatchObject({ status: 200, body: { stored: true } });
    expect(await store.documents.count(labelKind)).toBe(1);
    expect(await post('/labels', label(0))).toMatchObject({ status: 200, body: { stored: true } });
    expect(await store.documents.count(labelKind)).toBe(1);
    expect(await post('/labels', label(0, false))).toMatchObject({
      status: 409,
      body: { code: 'label-conflict' },
    });
    expect(await post('/labels', label(0, true, 'other'))).toMatchObject({
      status: 409,
      body: { code: 'label-refused' },
    });
  });

  test('a label of an answer whose verdict was opened on another page is not blind', async () => {
    await createTask();
    const items = await readItems(store.documents, 'task-1', [0, 1]);
    const [run] = await store.listRuns({ limit: 1 });
    const opened = `${origin}/api/runs/${run?.id}/trials/${items[0]?.subject.ordinal}`;
    expect((await app.request(opened, { headers: own })).status).toBe(200);
    for (const item of [0, 1]) await post('/labels', label(item));
    const labels = await Array.fromAsync(store.documents.list(labelKind));
    const hidden = { verdict: 'hidden', score: 'hidden', others: 'hidden', target: 'hidden' };
    expect(labels.map(({ item, blind }) => [item, blind])).toEqual([
      [0, { ...hidden, verdict: 'shown', score: 'shown', target: 'shown' }],
      [1, hidden],
    ]);
  });

  test('a skip has a reason, an undo withdraws the item that is meant, a correction says who was wrong', async () => {
    await createTask();
    const { labels: _, ...skipped } = { ...label(0), reason: 'unclear', note: 'no idea' };
    expect((await post('/skips', skipped)).body).toEqual({ stored: true });
    await post('/labels', label(1));
    const correction = {
      person: 'ann',
      item: 1,
      id: 'c',
      finding: 'judge-wrong',
      label: { rubric: 'tone', value: true },
    };
    expect((await post('/corrections', correction)).body).toEqual({ stored: true });
    const undone = { person: 'ann', item: 1 };
    const once = { ...undone, id: 'undo-1' };
    // The same request twice is one; a label and its correction are two to undo.
    for (const body of [once, once, undone]) expect((await post('/undo', body)).body).toEqual({ item: 1 });
    expect((await post('/undo', undone)).body).toEqual({ item: null });
    const labels = await Array.fromAsync(store.documents.list(labelKind));
    expect(labels.map(({ kind, outcome }) => `${kind} ${outcome.status}`)).toEqual([
      'label skipped',
      'label answered',
      'correction answered',
      'correction withdrawn',
      'label withdrawn',
    ]);
  });

  test('a dispute shows both labels without names, and its decision settles it', async () => {
    await createTask({ overlap: { people: 2, share: 1 }, adjudicators: ['cem'] });
    await post('/labels', label(0));
    await post('/labels', { ...label(0, false, 'b'), person: 'bob' });
    const { text, body } = await post('/next', { person: 'cem', role: 'adjudicator', count: 3 });
    expect(body['cards']).toMatchObject([{ item: 0, purpose: 'dispute', others: [{}, {}] }]);
    expect(['ann', 'bob', 'judged so', 'too curt'].filter((each) => text.includes(`"${each}"`))).toEqual([]);
    await post('/labels', { ...label(0, false, 'c'), person: 'cem', purpose: 'dispute' });
    expect((await get('/task-1')).body).toMatchObject({ progress: { disputed: [], states: { settled: 1 } } });
    const refused = await post('/next', { person: 'ann', role: 'adjudicator', count: 3 });
    expect(refused).toMatchObject({ status: 409, body: { code: 'label-refused' } });
  });
});

describe('what is refused', () => {
  test.each([
    ['a value that is not on the scale', label(0, 'perhaps'), 400, 'review-invalid'],
    [
      'a rubric that the task does not have',
      { ...label(0), labels: [{ rubric: 'x', value: true }] },
      400,
      'review-invalid',
    ],
    ['an item that the task does not have', label(99), 404, 'review-not-found'],
    ['a name with control characters', { ...label(0), person: 'ann\u001b[2J' }, 400, 'request-invalid'],
    ['an empty name', { ...label(0), person: '' }, 400, 'request-invalid'],
    ['an id that is no id', { ...label(0), id: '../x' }, 400, 'request-invalid'],
    [
      'a note that is too long',
      { ...label(0), labels: [{ rubric: 'tone', value: true, note: 'x'.repeat(10_001) }] },
      400,
      'request-invalid',
    ],
    ['a body that is too long', { ...label(0), more: 'x'.repeat(100_000) }, 400, 'request-invalid'],
    ['a negative time', { ...label(0), seconds: -1 }, 400, 'request-invalid'],
  ])('%s', async (_, body, status, code) => {
    await createTask();
    expect(await post('/labels', body)).toMatchObject({ status, body: { code } });
    expect(await store.documents.count(labelKind)).toBe(0);
  });

  test.each([
    ['another origin', { origin: 'https://example.com' }],
    ['no mark of this page', { 'sec-fetch-site': 'none' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['no cookie', { cookie: '' }],
    ['another host', { host: 'evil.example.com' }],
  ])('a label from %s', async (_, headers) => {
    await createTask();
    expect(await post('/labels', label(0), headers)).toMatchObject({
      status: 403,
      body: { code: 'access-denied' },
    });
    expect((await post('/labels', label(0), { 'content-type': 'text/plain' })).status).toBe(400);
    expect(await store.documents.count(labelKind)).toBe(0);
  });
});

describe('a task of answers that are picked by hand', () => {
  const ordinals = [6, 2];

  test('has exactly these answers, asks a new question, and is asked again in the same words', async () => {
    await createTask();
    const run = 'latest';
    const asks = { question: 'Is it kind?' };
    const { status, body } = await create('', { run, ordinals, asks });
    expect(status).toBe(200);
    const task = await store.documents.get(reviewTaskKind, [String(body['task'])]);
    expect(task).toMatchObject({ items: 2, draw: { type: 'by-hand' } });
    const items = await readItems(store.documents, String(body['task']));
    expect(new Set(items.map(({ subject }) => subject.ordinal))).toEqual(new Set([2, 6]));
    const list = (await get('')).body;
    expect(list).toMatchObject({ mayCreate: true, person: 'Ann Example' });
    const questions = list['questions'] as { readonly rubric: string; readonly question: string }[];
    const asked = questions.find(({ question }) => question === 'Is it kind?');
    const again = await create('', { run, ordinals: [0], asks: { rubric: asked?.rubric } });
    expect(await store.documents.get(reviewTaskKind, [String(again.body['task'])])).toMatchObject({
      rubrics: task?.rubrics,
      items: 1,
    });
  });

  test.each([
    ['a run that there is none of', { run: 'nothing' }, 404, 'run-not-found'],
    ['a rubric that nobody asked', { asks: { rubric: 'unknown' } }, 404, 'rubric-not-found'],
    ['an empty question', { asks: { question: ' ' } }, 400, 'request-invalid'],
    ['no answers', { ordinals: [] }, 400, 'request-invalid'],
    ['answers that the run does not have', { ordinals: [999] }, 400, 'review-invalid'],
    [
      'too many answers',
      { ordinals: Array.from({ length: 1001 }, (_, index) => index) },
      400,
      'request-invalid',
    ],
  ])('%s', async (_, parts, status, code) => {
    await createTask();
    const body = { run: 'latest', ordinals, asks: { question: 'Is it kind?' }, ...parts };
    expect(await create('', body)).toMatchObject({ status, body: { code } });
    expect(await Array.fromAsync(store.documents.list(reviewTaskKind))).toHaveLength(1);
  });

  test.each([
    ['another origin', { origin: 'https://example.com' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['no cookie', { cookie: '' }],
  ])('is not created from %s', async (_, headers) => {
    await createTask();
    const body = { run: 'latest', ordinals, asks: { question: 'Is it kind?' } };
    expect(await create('', body, headers)).toMatchObject({ status: 403, body: { code: 'access-denied' } });
    expect(await Array.fromAsync(store.documents.list(reviewTaskKind))).toHaveLength(1);
  });
});
