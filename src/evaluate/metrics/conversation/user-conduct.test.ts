import { expect, test } from 'vitest';
import type { CaseUser } from '../../../core/schema/conversation.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { buildCase, buildTrial, createJudgementMemory } from '../../../library/testing/build-records.ts';
import { scriptedJudge } from '../../judges/scripted.ts';
import { userConduct } from './user-conduct.ts';

const user: CaseUser = {
  goal: 'A room.',
  persona: 'Ana.',
  knowledge: ['An hour.'],
  patience: 3,
  language: 'German',
};
const conversation = { turns: [{ from: 0 }], ended: 'goal-met', reason: 'booked' } as const;

const inputOf = (parts: Partial<Trial> = {}, caseUser: CaseUser | undefined = user) => ({
  case: buildCase({ user: caseUser }),
  trial: buildTrial('Booked.', {
    conversation: { ...conversation, turns: [...conversation.turns] },
    ...parts,
  }),
});

const create = (options: object = {}, rules: object[] = [{ fail: 'not-asked' }]) => {
  const judge = scriptedJudge.definition.create(scriptedJudge.definition.options.parse({ rules }), {
    environment: {},
    resolveModel: () => expect.fail('no model is used'),
    resolveJudge: () => expect.fail('no other judge is used'),
  });
  return userConduct.definition.create(userConduct.definition.options.parse(options), { judge: () => judge });
};

test('a user at fault scores 0 with the kind of fault, any other user 1, without a judge', () => {
  const metric = create();
  expect(metric.judge).toBeUndefined();
  expect(metric.score(inputOf())).toEqual({ status: 'scored', value: 1, passed: true });
  expect(metric.score(inputOf({ spoilt: { kind: 'leaked', reason: 'said "X1"' } }))).toEqual({
    status: 'scored',
    value: 0,
    passed: false,
    label: 'leaked',
    explanation: 'said "X1"',
  });
});

test('is not applicable without a simulated user that has a goal', () => {
  const { case: testCase, trial } = inputOf();
  expect(create().score({ case: buildCase(), trial })).toMatchObject({ status: 'not-applicable' });
  expect(create().score({ case: buildCase({ user: { script: [{ say: 'x' }] } }), trial })).toMatchObject({
    status: 'not-applicable',
  });
  expect(create().score({ case: testCase, trial: buildTrial('x') })).toMatchObject({
    status: 'not-applicable',
  });
});

test('asks a judge about the user and the whole conversation when the run found no fault', async () => {
  const { context, kept } = await createJudgementMemory();
  const metric = create({ judged: true }, [{ reply: { reason: 'It asked for a car.', verdict: 'no' } }]);
  expect(await metric.score(inputOf(), context())).toMatchObject({
    value: 0,
    passed: false,
    label: 'left-part',
    explanation: 'It asked for a car.',
    judgements: [kept[0]?.id],
  });
  const [question] = metric.questions?.(inputOf()) ?? [];
  const material = JSON.stringify(question?.material);
  for (const part of [
    'A room.',
    'Ana.',
    'An hour.',
    '3 turns',
    'German',
    'Booked.',
    'goal-met (the user: booked)',
  ]) {
    expect(material).toContain(part);
  }
  const spoilt = inputOf({ spoilt: { kind: 'leaked', reason: 'x' } });
  expect(metric.questions?.(spoilt)).toEqual([]);
  expect(await metric.score(spoilt, context())).toMatchObject({ label: 'leaked' });
  expect(kept).toHaveLength(1);
});

test('a judge that says yes, or is tied, proves no fault', async () => {
  const { context } = await createJudgementMemory();
  const yes = { reason: 'fine', verdict: 'yes' };
  const no = { reason: 'not fine', verdict: 'no' };
  expect(await create({ judged: true }, [{ reply: yes }]).score(inputOf(), context())).toMatchObject({
    passed: true,
  });
  const both = create({ judged: true, samples: 2 }, [{ sample: 1, reply: yes }, { reply: no }]);
  expect(await both.score(inputOf(), context())).toMatchObject({ value: 0.5, passed: true });
});

test('a judge that fails leaves the verdict unmeasured', async () => {
  const { context } = await createJudgementMemory();
  const metric = create({ judged: true }, [{ fail: 'timeout' }]);
  expect(await metric.score(inputOf(), context())).toMatchObject({ status: 'failed', code: 'judge-timeout' });
});

test('the option `judged` requires a judge', () => {
  expect(() => userConduct.definition.create({ judged: true, samples: 1 }, {})).toThrow(/none is configured/);
});
