import { expect, test } from 'vitest';
import type { Message } from '../../core/schema/message.ts';
import { buildTarget } from '../../../test/support/build-evaluation.ts';
import { requestOf, unbounded } from '../../../test/support/prepare-target.ts';
import { type TargetRequest, TargetFailure } from '../targets/target.ts';
import { letterCase } from './perturbations/case.ts';
import type { QuestionPerturbation } from './perturbations/perturbation.ts';
import { typos } from './perturbations/typos.ts';
import { withPerturbedQuestion } from './with-perturbed-question.ts';

const upper = {
  perturbation: letterCase as QuestionPerturbation,
  rate: 1,
  variant: 'upper',
  rewriter: undefined,
};

test('the target is asked the new question, and the transcript shows it', async () => {
  let seen: TargetRequest | undefined;
  const target = buildTarget((request) => {
    seen = request;
    return { answer: 'No.', toolCalls: [{ name: 'search' }] };
  });
  const reply = await withPerturbedQuestion(target, upper).call(requestOf('Are pets allowed?'), unbounded);
  expect(seen).toMatchObject({ input: 'ARE PETS ALLOWED?', messages: [{ content: 'ARE PETS ALLOWED?' }] });
  expect(reply).toMatchObject({
    asked: 'ARE PETS ALLOWED?',
    transcript: [
      { role: 'user', content: 'ARE PETS ALLOWED?' },
      { role: 'assistant', content: 'No.', toolCalls: [{ name: 'search' }] },
    ],
  });
  expect(reply).not.toHaveProperty('untouched');
});

test("the target's own transcript stays", async () => {
  const transcript: Message[] = [{ role: 'user', content: 'as I heard it' }];
  const target = buildTarget(() => ({ answer: 'No.', toolCalls: [], transcript }));
  const reply = await withPerturbedQuestion(target, upper).call(requestOf('Pets?'), unbounded);
  expect(reply.transcript).toBe(transcript);
});

test('for a question that cannot be changed, the perturbation is not triggered', async () => {
  const target = buildTarget(() => 'x');
  expect(await withPerturbedQuestion(target, upper).call(requestOf('B12?'), unbounded)).toMatchObject({
    asked: 'B12?',
    untouched: true,
  });
});

test('a failure records the question that was asked', async () => {
  const target = buildTarget(() => {
    throw new TargetFailure('timeout', 'too slow', { partial: { cost: 0.5 } });
  });
  const thrown: unknown = await withPerturbedQuestion(target, upper)
    .call(requestOf('Are pets allowed?'), unbounded)
    .catch((error: unknown) => error);
  expect(thrown).toMatchObject({
    code: 'timeout',
    partial: { cost: 0.5, asked: 'ARE PETS ALLOWED?', transcript: [{ content: 'ARE PETS ALLOWED?' }] },
  });
});

test('in a conversation every turn is perturbed, identically in all later turns; the history stays', async () => {
  const heard: string[][] = [];
  const target = buildTarget(({ messages }) => {
    heard.push(messages.map(({ content }) => content ?? ''));
    return 'yes';
  });
  const misspelt = { ...upper, perturbation: typos as QuestionPerturbation, rate: 1, variant: undefined };
  const perturbed = withPerturbedQuestion(target, misspelt);
  const before: Message[] = [
    { role: 'user', content: 'Good morning everybody' },
    { role: 'assistant', content: 'Welcome' },
  ];
  const first: Message[] = [...before, { role: 'user', content: 'Please book something tomorrow' }];
  const second: Message[] = [
    ...first,
    { role: 'assistant', content: 'yes' },
    { role: 'user', content: 'Actually make that Thursday' },
  ];
  const memory = {};
  for (const [index, messages] of [first, second].entries()) {
    const session = { id: 's', turn: index + 1, memory };
    await perturbed.call(requestOf('', { messages, session }), unbounded);
  }
  expect(heard[0]?.slice(0, 2)).toEqual(['Good morning everybody', 'Welcome']);
  expect(heard[0]?.[2]).not.toBe('Please book something tomorrow');
  expect(heard[1]?.slice(0, 3)).toEqual(heard[0]);
  expect(heard[1]?.[4]).not.toBe('Actually make that Thursday');
});

test('without a rewriter there is nothing to open', () => {
  expect(
    withPerturbedQuestion(
      buildTarget(() => 'x'),
      upper,
    ),
  ).not.toHaveProperty('open');
});
