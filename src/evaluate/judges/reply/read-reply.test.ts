import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ChatReply } from '../../models/model.ts';
import type { AnswerShape } from '../../../core/schema/judgement.ts';
import type { JudgeQuestion } from '../judge.ts';
import { replyForm } from '../prompt/reply-forms.ts';
import { readReply } from './read-reply.ts';

const id = 'k2m4n6p8';

type Finish = ChatReply['finishReason'];
type Parts = Partial<Pick<JudgeQuestion, 'shape' | 'scale' | 'material'>> & { finish?: Finish };

function read(text: string | null, { finish = 'stop', ...parts }: Parts = {}) {
  const basis = { id: 'x@1', instructions: '', material: [], shape: 'score', items: 2, sample: 1 } as const;
  const question: JudgeQuestion = { ...basis, ...parts };
  return readReply({ text, finishReason: finish }, new Map([['x', question]]), id).get('x');
}

/** A reply of the collection, with its correct reading: a score, a word, checks, or none. */
interface Sample {
  readonly kind: string;
  readonly name: string;
  readonly reply: string;
  readonly read: number | string | readonly boolean[];
  readonly shape?: AnswerShape;
  readonly scale?: readonly [number, number];
  readonly material?: string;
  readonly finish?: Finish;
}

const samples = readFileSync(new URL('./fixtures/replies.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Sample);

/** Returns the reading of a reply of the collection. */
function readSample({ reply, shape, scale, material, finish }: Sample): Sample['read'] {
  const outcome = read(reply.replaceAll('@id@', id), {
    ...(shape && { shape }),
    ...(scale && { scale: { least: scale[0], most: scale[1] } }),
    ...(material !== undefined && { material: [{ title: 'answer', text: material }] }),
    ...(finish && { finish }),
  });
  if (outcome?.status !== 'answered') return 'unreadable';
  const answer = outcome.answer as Record<string, unknown>;
  const checks = answer['checks'] as { supported: boolean }[] | undefined;
  return (answer['score'] ??
    answer['verdict'] ??
    answer['better'] ??
    checks?.map((each) => each.supported)) as number | string;
}

const kinds = [...Map.groupBy(samples, ({ kind }) => kind)];

test.each(kinds)('%s: every reply of the collection is read correctly', (_kind, ofKind) => {
  const readingsOf = (value: (sample: Sample) => Sample['read']) =>
    ofKind.map((sample) => `${sample.name}: ${JSON.stringify(value(sample))}`);
  expect(readingsOf(readSample)).toEqual(readingsOf((sample) => sample.read));
});

test('of more than 300 replies, no verdict is false, and no clear one is refused', () => {
  const isReadable = (sample: Sample) => sample.read !== 'unreadable';
  const readings = samples.map((sample) => ({ sample, now: readSample(sample) }));
  const falseVerdicts = readings.filter(
    ({ sample, now }) => now !== 'unreadable' && JSON.stringify(now) !== JSON.stringify(sample.read),
  );
  const refused = readings.filter(({ sample, now }) => isReadable(sample) && now === 'unreadable');
  expect(samples.filter(isReadable).length).toBeGreaterThan(150);
  expect(samples.length).toBeGreaterThan(350);
  expect([falseVerdicts, refused]).toEqual([[], []]);
});

test("a score on another scale is kept with the judge's own number", () => {
  const reply = JSON.stringify({ reason: 'A detail is missing.', score: 4, in_words: 'high', id });
  expect(read(reply, { scale: { least: 1, most: 5 } })).toMatchObject({
    answer: { score: 0.75, given: { score: 4, least: 1, most: 5 } },
  });
});

test('the fault of a reply is described without leading the judge to a score', () => {
  const reasonOf = (parts: object) => {
    const outcome = read(JSON.stringify({ reason: 'ok', score: 0.2, in_words: 'high', id, ...parts }));
    return outcome?.status === 'failed' ? outcome.reason : undefined;
  };
  expect(reasonOf({})).toBe('"score" and "in_words" do not say the same');
  expect(reasonOf({ in_words: undefined })).toBe('"in_words" is missing, which says "score" again');
  expect(reasonOf({ id: 'zzzzzzzz' })).toBe(`the reply does not say \`"id": "${id}"\` in its object`);
  expect(reasonOf({ final_score: 1 })).toBe('"final_score" says another verdict than "score"');
});

test('a reply of nine megabytes is read, and one of braces is given up', () => {
  const long = JSON.stringify({ reason: 'It is "so". '.repeat(750_000), score: 1, in_words: 'high', id });
  expect(long.length).toBeGreaterThan(9e6);
  expect(read(long)).toMatchObject({ status: 'answered', answer: { score: 1 } });
  const deep = `{"more": ${'['.repeat(100_000)}${']'.repeat(100_000)}, "reason": "ok", "score": 1, "in_words": "high", "id": "${id}"}`;
  expect(read(deep)).toMatchObject({ status: 'answered' });
  const before = process.threadCpuUsage();
  expect(read('{'.repeat(2_000_000))).toMatchObject({ status: 'failed' });
  expect(read('{"a":'.repeat(200_000))).toMatchObject({ status: 'failed' });
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(20_000);
});

test('however an answer is cut off or surrounded, it is read as itself or not at all', () => {
  const copied = '{"reason": "ok", "score": 1, "in_words": "high"}';
  const noise = fc.oneof(fc.string(), fc.constantFrom('{', '}', '"', '```', '**', '{"score": 1}', copied));
  const answer = { reason: 'The date is missing.', score: 0.25 };
  fc.assert(
    fc.property(noise, noise, fc.nat(80), (before, after, cut) => {
      const reply = JSON.stringify({ ...answer, in_words: 'low', id });
      for (const text of [
        `${before}${reply}${after}`,
        reply.slice(0, cut) + after,
        before + reply.slice(cut),
      ]) {
        const outcome = read(text);
        if (outcome?.status === 'answered') expect(outcome.answer).toEqual(answer);
      }
    }),
    { numRuns: 3000 },
  );
});

test('without the id of the request, no text is an answer', () => {
  const text = fc.oneof(fc.json(), fc.string());
  fc.assert(
    fc.property(text, text, fc.stringMatching(/^[a-z2-9]{8}$/), (before, after, other) => {
      fc.pre(other !== id);
      const reply = JSON.stringify({ reason: 'ok', score: 1, in_words: 'high', id: other });
      expect(read(`${before}${reply}${after}`)?.status).toBe('failed');
    }),
  );
});

test.each([
  ['a verdict', 'verdict', '"verdict": "yes", "in_words": "it is so"'],
  ['a verdict no', 'verdict', '"verdict": "no", "in_words": "it is not so"'],
  ['a score', 'score', '"score": 0.5, "in_words": "middle"'],
  ['a preference', 'preference', '"better": "first", "in_words": "the first is better"'],
] as const)('a reply whose reason is that of the example has judged nothing: %s', (_, shape, rest) => {
  for (const reason of [
    'what speaks for and against',
    'What speaks for and against.',
    'What speaks for and against, in one to three sentences.',
  ]) {
    expect(read(`{"reason": "${reason}", ${rest}, "id": "${id}"}`, { shape })).toEqual({
      status: 'failed',
      code: 'judge-unreadable',
      reason: 'the reason is that of the example, word for word: nothing was judged',
    });
  }
  const own = `{"reason": "The answer says what speaks for and against it.", ${rest}, "id": "${id}"}`;
  expect(read(own, { shape })?.status).toBe('answered');
});

test.each(['verdict', 'quoted-verdict', 'score', 'preference', 'checks', 'label'] as const)(
  'the example of a reply is no answer of the form %s, so that a copy of it is not read as one',
  (shape) => {
    const question = {
      id: 'x@1',
      instructions: '',
      material: [],
      shape,
      labels: ['good', 'bad'],
      items: 1,
      sample: 1,
    };
    const { example } = replyForm(new Map([['x', question as JudgeQuestion]]), id);
    expect(read(example, { shape })?.status).toBe('failed');
    expect(read(example.replace('what speaks for and against', 'It is good.'), { shape })?.status).toBe(
      'failed',
    );
  },
);

test.each<[text: string | null, finishReason: Finish, code: string, reason: string]>([
  [null, 'length', 'judge-cut-off', 'in its reasoning: raise `maxTokens`'],
  ['{"reason": "it', 'length', 'judge-cut-off', 'within its reply: raise `maxTokens`'],
  [null, 'content-filter', 'judge-refused', 'refused: SAFETY'],
  ["I'm sorry, but I can't assist with that.", 'stop', 'judge-refused', "I can't assist with that"],
  ['Good answer.', 'stop', 'judge-unreadable', ''],
])('a judge that wrote %j and ended with %s is %s', (text, finishReason, code, reason) => {
  const parts = { instructions: 'Judge.', material: [], sample: 1 };
  const question: JudgeQuestion = { id: 'q', shape: 'verdict', ...parts };
  const words = finishReason === 'content-filter' ? { finishWord: 'SAFETY' } : {};
  const [outcome] = readReply({ text, finishReason, ...words }, new Map([['q', question]]), id).values();
  expect(outcome).toMatchObject({ status: 'failed', code, reason: expect.stringContaining(reason) });
});
