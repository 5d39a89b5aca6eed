import { expect, test } from 'vitest';
import { judgeAnswer } from '../../../../test/support/judge-answer.ts';
import { groundedness } from './groundedness.ts';

const documents = [
  {
    id: 'lease.md',
    text: 'The lease began in May 2021. It ends on 30 April 2026. Rent is due on the first.',
  },
  { id: 'tax.md', text: 'Property tax for 2024 was 3,180 dollars.' },
];
const claims = ['The lease ends on 30 April 2026.', 'The rent is 4,000 dollars.'];
const check = (claim: number, supported: boolean, passage = '') => ({
  claim,
  reason: 'so',
  supported,
  passage,
});
const checks = [check(1, true, 'It ends on  30 April 2026.'), check(2, false)];
const about = (metric: string, reply: object, sample?: number) => ({
  about: `groundedness-${metric}`,
  sample,
  reply,
});
const rules = [about('claims', { claims }), about('checks', { checks })];

test('scores the share of supported claims and names the others with the nearest passage', async () => {
  const { verdict, questions } = await judgeAnswer(groundedness, 'Until April 2026, for 4,000.', {
    trial: { documents },
    rules,
  });
  expect(verdict).toMatchObject({
    status: 'scored',
    value: 0.5,
    explanation: '1 of 2 claims are supported; not: The rent is 4,000 dollars.',
    evidence: {
      unsupported: ['The rent is 4,000 dollars.'],
      claims: [
        { claim: claims[0], support: 1, passage: 'It ends on  30 April 2026.', isQuoted: true },
        {
          claim: claims[1],
          support: 0,
          nearest: { source: 'document 1', text: 'Rent is due on the first.' },
        },
      ],
    },
    judgements: [expect.any(String), expect.any(String)],
  });
  expect(questions[1]).toMatchObject({ shape: 'checks', items: 2 });
  expect(questions[1]?.material.map(({ title }) => title)).toEqual(['document 1', 'document 2', 'claims']);
  expect(questions[1]?.material[2]?.text).toBe(`1. ${claims[0]}\n2. ${claims[1]}`);
});

test('tool results are sources too', async () => {
  const tools = [{ name: 'lookup', arguments: { id: 7 }, result: { rent: 4000 } }];
  const transcript = [{ role: 'assistant' as const, content: 'x', toolCalls: tools }];
  const { questions } = await judgeAnswer(groundedness, 'x', { trial: { transcript }, rules });
  expect(questions[1]?.material[0]).toEqual({
    title: 'tool result 1',
    text: 'lookup({"id":7})\nresult: {"rent":4000}',
  });
});

test('marks a quoted passage that is in no source', async () => {
  const invented = [check(1, true, 'It ends never.'), check(2, false)];
  const { verdict } = await judgeAnswer(groundedness, 'x', {
    trial: { documents },
    rules: [about('claims', { claims }), about('checks', { checks: invented })],
  });
  expect(verdict).toMatchObject({ evidence: { claims: [{ isQuoted: false }, {}] } });
});

test('samples vote on each claim', async () => {
  const doubtful = [check(1, false), check(2, false)];
  const { verdict } = await judgeAnswer(groundedness, 'x', {
    trial: { documents },
    options: { samples: 3 },
    rules: [
      about('claims', { claims }),
      about('checks', { checks: doubtful }, 2),
      about('checks', { checks }),
    ],
  });
  expect(verdict).toMatchObject({
    value: expect.closeTo(1 / 3, 12),
    evidence: { unsupported: [claims[1]], claims: [{ support: expect.closeTo(2 / 3, 12) }, { support: 0 }] },
  });
});

test('without sources or claims it is not applicable; a judge that fails leaves it unmeasured', async () => {
  const status = async (trial: object, given: object[]) =>
    (await judgeAnswer(groundedness, 'x', { trial, rules: given })).verdict;
  expect(await status({}, rules)).toMatchObject({ status: 'not-applicable' });
  expect(await status({ documents }, [about('claims', { claims: [] })])).toMatchObject({
    status: 'not-applicable',
    reason: 'the answer claims nothing',
  });
  expect(await status({ documents }, [about('claims', { claims })])).toMatchObject({
    status: 'failed',
    code: 'judge-no-rule',
    judgements: [expect.any(String)],
  });
});

test('the first of the passages that share equally many words with a claim is the nearest', async () => {
  const sources = [{ id: 'a', text: 'Pets cost rent. The rent is due. The rent is high.' }];
  const { verdict } = await judgeAnswer(groundedness, 'x', {
    trial: { documents: sources },
    rules: [
      about('claims', { claims: ['The rent is 4.', 'No person knows.'] }),
      about('checks', { checks: [check(1, false), check(2, false)] }),
    ],
  });
  expect(verdict).toMatchObject({
    evidence: {
      claims: [
        { nearest: { source: 'document 1', text: 'The rent is due.', overlap: 0.75 } },
        { nearest: null },
      ],
    },
  });
});
