import { expect, test } from 'vitest';
import { contractFault, contractScore, testJudgeContract } from '../../library/testing/judge-contract.ts';
import { createJudgementMemory } from '../../library/testing/build-records.ts';
import type { JudgeQuestion } from './judge.ts';
import { scriptedJudge } from './scripted.ts';

const { definition } = scriptedJudge;
const needs = {
  environment: {},
  resolveModel: () => expect.fail('no model is used'),
  resolveJudge: () => expect.fail('no judge is used'),
};
const create = (rules: object[]) => definition.create(definition.options.parse({ rules }), needs);

testJudgeContract(
  'scripted',
  () => create([{ when: contractFault, fail: 'timeout' }, { reply: contractScore }]),
  { test, expect },
);

const question: JudgeQuestion<'verdict'> = {
  id: 'rubric@1',
  instructions: 'Judge it.',
  material: [{ title: 'answer', text: 'Happy to HELP' }],
  shape: 'verdict',
  sample: 1,
};

test('the first rule that fits the metric, the part, the text and the sample decides', async () => {
  const yes = { reason: 'fits', verdict: 'yes' };
  const no = { reason: 'fits not', verdict: 'no' };
  const ask = async (...rules: object[]) => {
    const { context } = await createJudgementMemory();
    const answer = await create(rules).ask(question, context());
    return answer.status === 'answered' ? answer.ballots[0]?.answer : answer.code;
  };
  expect(await ask({ about: 'safety', reply: no }, { reply: yes })).toEqual(yes);
  expect(await ask({ about: 'rubric', reply: no }, { reply: yes })).toEqual(no);
  expect(await ask({ when: 'happy to h.lp', reply: yes }, { reply: no })).toEqual(yes);
  expect(await ask({ when: 'help', part: 'question', reply: yes }, { reply: no })).toEqual(no);
  expect(await ask({ asked: '^judge it', reply: yes }, { reply: no })).toEqual(yes);
  expect(await ask({ asked: 'greet', reply: yes }, { reply: no })).toEqual(no);
  expect(await ask({ sample: 2, reply: yes })).toBe('judge-no-rule');
  expect(await ask({ reply: { reason: 'a score', score: 1 } })).toBe('judge-unreadable');
});
