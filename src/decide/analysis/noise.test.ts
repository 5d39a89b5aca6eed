import { expect, test } from 'vitest';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { createJudge } from '../../evaluate/judges/asking/create-judge.ts';
import type { JudgeQuestion } from '../../evaluate/judges/judge.ts';
import { relevance } from '../../evaluate/metrics/judged/relevance.ts';
import type { Run } from '../../core/schema/run.ts';
import { createMemoryStore } from '../../../test/support/memory-store.ts';
import {
  buildEvaluation,
  buildTarget,
  resolvedMetric,
  resolvedTarget,
} from '../../../test/support/build-evaluation.ts';
import type { Evaluation } from '../../evaluate/run/evaluation.ts';
import { rescore } from '../../evaluate/run/rescore.ts';
import { run } from '../../evaluate/run/run.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';

/** The judge's scores by question, attempt and sample. */
const table = [
  [
    [0.9, 0.8, 0.7],
    [0.5, 0.6, 0.4],
  ],
  [
    [0.2, 0.1, 0.3],
    [0, 0.1, 0.1],
  ],
  [
    [1, 1, 0.9],
    [0.7, 0.9, 0.8],
  ],
  [
    [0.4, 0.6, 0.2],
    [0.6, 0.3, 0.5],
  ],
];

function buildJudge(scoreOf: (question: JudgeQuestion) => number) {
  const asked: JudgeQuestion[] = [];
  const judge = createJudge({
    name: 'judge',
    fingerprint: 'judge',
    concurrency: 2,
    models: [],
    together: false,
    consult: async (questions) => {
      asked.push(...questions);
      return questions.map((question) => ({
        outcome: { status: 'answered', answer: { reason: 'so it is', score: scoreOf(question) } },
        calls: [],
      }));
    },
    estimate: async () => ({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 }),
  });
  return { asked, judge };
}

const answerOf = ({ material }: JudgeQuestion) =>
  material.find(({ title }) => title === 'answer')?.text ?? '';

const byTable = (question: JudgeQuestion) => {
  const [place = 0, attempt = 0] = answerOf(question).split(' ').map(Number);
  return table[place]?.[attempt - 1]?.[question.sample - 1] ?? Number.NaN;
};

/** Builds an evaluation whose score is the judge's score of relevance. */
function evaluate(
  judge: ReturnType<typeof buildJudge>['judge'],
  samples: number,
  parts: Partial<Evaluation> = {},
) {
  const drafts = table.map((_, place) => ({ id: `q${place}`, input: `question ${place}` }));
  const bot = buildTarget(({ caseId, attempt }) => `${caseId.slice(1)} ${attempt}`);
  const options = relevance.definition.options.parse({ samples });
  const metric = relevance.definition.create(options, { judge: () => judge });
  const base = buildEvaluation(drafts, [resolvedTarget('bot', bot)], { attempts: 2 });
  const evaluation: Evaluation = {
    ...base,
    metrics: [{ ...resolvedMetric('relevance', metric), judge: { name: 'judge', fingerprint: 'judge' } }],
    scorecard: {
      name: 'relevance alone',
      use: { use: 'relevance-alone' },
      version: 1,
      criteria: [{ name: 'relevance', metric: 'relevance', weight: 1, required: false }],
      grades: [],
      passMark: 0.5,
      evaluate: (verdicts) => {
        const verdict = verdicts.get('relevance');
        const total = verdict?.status === 'scored' ? verdict.value : null;
        const passed = total === null ? null : total >= 0.5;
        return { total, lower: total ?? 0, upper: total ?? 1, grade: null, passed, explanation: '' };
      },
    },
    ...parts,
  };
  return { evaluation, bot };
}

const needs = () => ({
  store: createMemoryStore(),
  executor: createLocalExecutor(),
  observer: {},
  signals: neverStopped,
});

const noiseOf = ({ summary }: Run) => summary?.targets[0]?.noise;
const part = (variance: number) => ({ variance: expect.closeTo(variance, 14) });

test('stored answers are judged again, and agent noise is separated from judge noise', async () => {
  const used = needs();
  const { asked, judge } = buildJudge(byTable);
  const { evaluation, bot } = evaluate(judge, 1);
  const source = await run(evaluation, used);
  expect(asked).toHaveLength(8);
  const rescored = await rescore(source, evaluate(judge, 3).evaluation, used);
  // No target is called again, and the first sample is reused.
  expect([bot.calls.length, asked.length]).toEqual([8, 24]);
  // Computed by a separate program with exact fractions: see the test of `nestedVariance`.
  const parts = {
    questions: 4,
    attempts: 8,
    samples: 24,
    between: part(0.09319444444444444),
    agent: part(0.012916666666666667),
    judge: part(0.01375),
  };
  expect(noiseOf(rescored)).toEqual({
    measures: [
      { measure: 'score', name: 'relevance alone', ...parts },
      { measure: 'metric', name: 'relevance', ...parts },
    ],
  });
});

test('when each answer was judged once, the agent noise includes the judge noise and says so', async () => {
  const { evaluation } = evaluate(buildJudge(byTable).judge, 1);
  const [score] = noiseOf(await run(evaluation, needs()))?.measures ?? [];
  expect(score).toMatchObject({
    agent: { variance: expect.any(Number), reason: expect.stringContaining('with the noise of samples') },
    judge: { variance: null, reason: 'no answer was judged more than once' },
  });
});

test('without a judge, attempts differ by agent noise alone', async () => {
  const drafts = Array.from({ length: 12 }, (_, place) => ({
    id: `q${place}`,
    input: `question ${place}`,
    expected: { keywords: ['yes'] },
  }));
  const bot = buildTarget(({ caseId, attempt }) => (caseId < 'q3' && attempt === 2 ? 'no' : 'yes'));
  const finished = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)], { attempts: 2 }), needs());
  const noise = noiseOf(finished);
  expect(noise?.measures).toEqual([
    expect.objectContaining({ measure: 'score', agent: part(noise?.measures[0]?.agent.variance ?? 0) }),
  ]);
  expect(noise?.measures[0]?.judge.reason).toBe('no judge is involved');
  expect(noise?.advice).toMatchObject({
    isPriced: false,
    choices: [
      { twice: 'questions', costRatio: 2 },
      { twice: 'attempts', costRatio: 2 },
    ],
  });
  const once = await run(buildEvaluation(drafts, [resolvedTarget('bot', bot)]), needs());
  expect(noiseOf(once)).toBeUndefined();
});

test('there is no advice with few questions', async () => {
  const { evaluation } = evaluate(buildJudge(byTable).judge, 3);
  expect(noiseOf(await run(evaluation, needs()))?.advice).toBeUndefined();
});

test('a noisy judge that costs no more than the target should be asked more often', async () => {
  const drafts = Array.from({ length: 20 }, (_, place) => ({ id: `q${place}`, input: `question ${place}` }));
  const { judge } = buildJudge(({ sample, material }) =>
    (sample + material.reduce((sum, { text }) => sum + text.length, 0)) % 2 === 0 ? 1 : 0,
  );
  const { evaluation } = evaluate(judge, 2);
  const { dataset } = buildEvaluation(drafts, []);
  const finished = await run({ ...evaluation, dataset }, needs());
  expect(noiseOf(finished)?.advice).toMatchObject({ more: 'judge-samples' });
});

test('repeats are never served from a cache: each attempt calls the target, and each sample the judge', async () => {
  const used = needs();
  const { asked, judge } = buildJudge(() => 0.5);
  // The same answer every time.
  const same = resolvedTarget(
    'bot',
    buildTarget(() => 'yes'),
  );
  const { evaluation } = evaluate(judge, 3, { attempts: 4, targets: [same] });
  await run(evaluation, used);
  expect((same.target as ReturnType<typeof buildTarget>).calls).toHaveLength(4 * 4);
  expect(asked).toHaveLength(4 * 4 * 3);
  // Nothing is paid for twice: another run reuses the same repeats.
  await run(evaluation, used);
  expect((same.target as ReturnType<typeof buildTarget>).calls).toHaveLength(2 * 4 * 4);
  expect(asked).toHaveLength(4 * 4 * 3);
});
