import { expect, test } from 'vitest';
import type { NamedUse } from '../../core/lib/define.ts';
import { contractFault, contractScore, testJudgeContract } from '../../library/testing/judge-contract.ts';
import { createJudgementMemory } from '../../library/testing/build-records.ts';
import type { Judge, JudgeNeeds } from './judge.ts';
import { panel } from './panel.ts';
import { scriptedJudge } from './scripted.ts';

const needs: JudgeNeeds = {
  environment: {},
  resolveModel: () => expect.fail('no model is used'),
  resolveJudge: (use): Judge => {
    const { use: _name, ...options } = use as NamedUse;
    return scriptedJudge.definition.create(scriptedJudge.definition.options.parse(options), needs);
  },
};
const create = (...judges: NamedUse[]) =>
  panel.definition.create(panel.definition.options.parse({ judges }), needs);
const member = (label: string, ...rules: { when?: string; fail?: string; reply?: object }[]) =>
  scriptedJudge({ label, rules: rules as never });

testJudgeContract(
  'panel',
  () =>
    create(
      member('strict', { when: contractFault, fail: 'timeout' }, { reply: contractScore }),
      member('kind', { reply: contractScore }),
    ),
  { test, expect, ballots: 2 },
);

const question = {
  id: 'relevance@1',
  instructions: 'Judge it.',
  material: [{ title: 'answer', text: 'Paris' }],
  shape: 'score',
  sample: 1,
} as const;

test('every member has its ballot, by name', async () => {
  const score = (value: number) => ({ reply: { reason: `${value}`, score: value } });
  const { context } = await createJudgementMemory();
  const answer = await create(member('a', score(0)), member('b', score(1)), member('c', score(1))).ask(
    question,
    context(),
  );
  expect(answer).toMatchObject({
    status: 'answered',
    ballots: [
      { judge: 'a', answer: { score: 0 } },
      { judge: 'b', answer: { score: 1 } },
      { judge: 'c', answer: { score: 1 } },
    ],
  });
});

test("a member without an answer leaves the panel without one, and the others' judgements are named", async () => {
  const { context, kept } = await createJudgementMemory();
  const judge = create(member('a', { reply: contractScore }), member('b', { fail: 'timeout' }));
  expect(await judge.ask(question, context())).toMatchObject({
    status: 'failed',
    code: 'judge-timeout',
    judgements: [kept[0]?.id],
  });
});

test('two identical members are refused', () => {
  const same = member('a', { reply: contractScore });
  expect(() => create(same, { ...same })).toThrow(/are the same/);
});
