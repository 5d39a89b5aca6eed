import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLocalExecutor } from '../executors/local.ts';
import { faultHandling } from '../metrics/robustness/fault-handling.ts';
import type { ChatModel } from '../models/model.ts';
import { scripted } from '../models/scripted.ts';
import type { Condition } from '../../core/schema/condition.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import { empty } from '../conditions/faults/empty.ts';
import { timeout } from '../conditions/faults/timeout.ts';
import { letterCase } from '../conditions/perturbations/case.ts';
import type { QuestionPerturbation } from '../conditions/perturbations/perturbation.ts';
import { paraphrase } from '../conditions/perturbations/paraphrase.ts';
import { createRewriter } from '../conditions/rewriter.ts';
import { withPerturbedQuestion } from '../conditions/with-perturbed-question.ts';
import { withToolFaults } from '../conditions/with-tool-faults.ts';
import type { Target, TargetContext } from '../targets/target.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import type { ResolvedTarget } from './evaluation.ts';
import { run } from './run.ts';
import { neverStopped } from './run-needs.ts';

const drafts = Array.from({ length: 6 }, (_, index) => ({
  id: `q${index}`,
  input: `What is the rent of unit ${index + 1}?`,
  expected: { keywords: [`$${index + 1}00`] },
}));

/** A bot that looks the rent up with a tool, and makes one up when the tool fails. */
const boastful = (seeds: number[], input: string[]) =>
  buildTarget(async (request, { interceptTool }: TargetContext) => {
    seeds.push(request.seed);
    input.push(request.input);
    const unit = /\d/.exec(request.input)?.[0];
    const use = { name: 'rents', arguments: { unit: unit ?? '' } };
    const find = async () => ({ result: `$${unit}00` });
    const outcome = await (interceptTool === undefined ? find() : interceptTool(use, find));
    const answer = 'result' in outcome ? `It is ${String(outcome.result)}.` : 'It is $9,950.';
    return { answer, toolCalls: [{ ...use, ...outcome }] };
  });

function under(plain: ResolvedTarget, condition: Omit<Condition, 'of'>, target: Target): ResolvedTarget {
  const name = `${plain.name} + ${condition.kind}`;
  return { ...resolvedTarget(name, target), condition: { ...condition, of: plain.name } };
}

const needs = () => ({
  store: createMemoryStore(),
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
});

async function runUnderConditions() {
  const seeds: number[] = [];
  const inputs: string[] = [];
  const bot = boastful(seeds, inputs);
  const plain = resolvedTarget('bot', bot);
  const upper = {
    perturbation: letterCase as QuestionPerturbation,
    rate: 1,
    variant: 'upper',
    rewriter: undefined,
  };
  const targets = [
    plain,
    under(plain, { type: 'fault', kind: 'timeout' }, withToolFaults(bot, { fault: timeout, rate: 1 })),
    under(plain, { type: 'fault', kind: 'empty' }, withToolFaults(bot, { fault: empty, rate: 1 })),
    under(plain, { type: 'perturbation', kind: 'case' }, withPerturbedQuestion(bot, upper)),
  ];
  const { definition } = faultHandling;
  const base = buildEvaluation(drafts, targets);
  const handling = resolvedMetric('handling', definition.create(definition.options.parse({}), {}));
  const evaluation = {
    ...base,
    metrics: [...base.metrics, { ...handling, aspect: 'handled-fault' as const }],
  };
  const used = needs();
  const finished = await run(evaluation, used);
  const results = await Array.fromAsync(used.store.readResults(finished.id));
  return { finished, results, seeds };
}

test("results under conditions are reported beside a target's own numbers, and change none of these", async () => {
  const { finished } = await runUnderConditions();
  const { robustness, targets, comparisons, decision } = finished.summary ?? {};
  expect(targets?.[0]).toMatchObject({ target: 'bot', score: { value: 1 }, counts: { passed: 6 } });
  expect(
    robustness?.map(({ target, counts, handling }) => [target, counts.held, counts.broken, handling?.[0]]),
  ).toEqual([
    ['bot + timeout', 0, 6, { label: 'made-up', trials: 6, caseIds: ['q0', 'q1', 'q2', 'q3', 'q4', 'q5'] }],
    ['bot + empty', 0, 6, { label: 'gave-up', trials: 6, caseIds: ['q0', 'q1', 'q2', 'q3', 'q4', 'q5'] }],
    ['bot + case', 6, 0, undefined],
  ]);
  expect(comparisons).toEqual([]);
  expect(decision).toEqual({ outcome: 'pass', reasons: [] });
});

test('a trial under a condition has the seed of the trial without it, and another key', async () => {
  const { results } = await runUnderConditions();
  for (const ofCase of Map.groupBy(results, ({ case: { id } }) => id).values()) {
    expect(new Set(ofCase.map(({ trial }) => trial.seed)).size).toBe(1);
    expect(new Set(ofCase.map(({ trial }) => trial.key)).size).toBe(4);
  }
  expect(new Set(results.map(({ trial }) => trial.seed)).size).toBe(6);
});

test('the question that was really asked, and every fault, is kept with the trial; the case stays unchanged', async () => {
  const { results } = await runUnderConditions();
  const of = (target: string) => results.find(({ trial }) => trial.target === target);
  expect(of('bot + case')).toMatchObject({
    case: { input: 'What is the rent of unit 1?' },
    trial: { transcript: [{ role: 'user', content: 'WHAT IS THE RENT OF UNIT 1?' }, { role: 'assistant' }] },
  });
  expect(of('bot + empty')?.trial.transcript.at(-1)?.toolCalls).toEqual([
    { name: 'rents', arguments: { unit: '1' }, result: '', fault: 'empty', withheld: '$100' },
  ]);
});

/** A model that rewrites a question at a price, after a while. */
function createWriter(writingMs: number): ChatModel {
  const { definition } = scripted;
  const model = definition.create(definition.options.parse({ otherwise: 'The rent?' }), {
    folder: '.',
    environment: {},
  });
  return {
    ...model,
    name: 'writer',
    generate: async (...given) => {
      await wait(writingMs);
      return { ...(await model.generate(...given)), usage: { inputTokens: 10, outputTokens: 4 }, cost: 0.25 };
    },
  };
}

test('the usage of rewriting questions is kept and added up separately from the target, once for all attempts', async () => {
  const bot = buildTarget(() => ({ answer: '$100', toolCalls: [], cost: 1 }));
  const rewriter = createRewriter(createWriter(1500));
  const rewritten = {
    perturbation: paraphrase as QuestionPerturbation,
    rate: 1,
    variant: undefined,
    rewriter,
  };
  const plain = resolvedTarget('bot', bot);
  const other = under(
    plain,
    { type: 'perturbation', kind: 'paraphrase' },
    withPerturbedQuestion(bot, rewritten),
  );
  const used = needs();
  const questions = [{ id: 'q', input: 'What is the rent?', expected: { keywords: ['$100'] } }];
  const base = buildEvaluation(questions, [plain, other]);
  const finished = await run({ ...base, attempts: 3 }, used);
  const results = await Array.fromAsync(used.store.readResults(finished.id));
  const trials = results.map(({ trial }) => trial).filter(({ target }) => target === 'bot + paraphrase');
  expect(trials.map(({ transcript }) => transcript[0]?.content)).toEqual(Array(3).fill('The rent?'));
  const taken = { model: 'writer', usage: { inputTokens: 10, outputTokens: 4 }, cost: 0.25 };
  expect(trials.flatMap(({ rewriting }) => rewriting ?? [])).toEqual([taken]);
  const [of, under1] = finished.summary?.targets ?? [];
  expect([of?.usage.rewriting, of?.usage.cost.sum]).toEqual([undefined, 3]);
  expect(under1?.usage).toMatchObject({ cost: { sum: 3 }, rewriting: { trials: 1, cost: { sum: 0.25 } } });
  // Rewriting the question does not count towards the latency of the answer.
  for (const { latency } of trials) expect(latency?.totalMs).toBeLessThan(1500);
});
