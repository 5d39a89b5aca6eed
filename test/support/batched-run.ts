import type { NamedUse } from '../../src/core/lib/define.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { createLocalExecutor } from '../../src/evaluate/executors/local.ts';
import { chatModel } from '../../src/evaluate/judges/chat-model.ts';
import type { Judge } from '../../src/evaluate/judges/judge.ts';
import { groundedness } from '../../src/evaluate/metrics/judged/groundedness.ts';
import { anthropic } from '../../src/evaluate/models/anthropic.ts';
import { gemini } from '../../src/evaluate/models/gemini.ts';
import { openaiChat } from '../../src/evaluate/models/openai-chat.ts';
import { providerModels } from '../../src/evaluate/models/providers/provider-models.ts';
import { relevance } from '../../src/evaluate/metrics/judged/relevance.ts';
import type { BatchPace } from '../../src/evaluate/run/batches/batch-work.ts';
import type { Evaluation } from '../../src/evaluate/run/evaluation.ts';
import { neverStopped, type RunNeeds } from '../../src/evaluate/run/run-needs.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildEvaluation, buildTarget, resolvedMetric, resolvedTarget } from './build-evaluation.ts';

/** Pauses of batches for tests. */
const testPace: BatchPace = { pollMs: 1, longestPollMs: 1, lookMs: [0, 1, 1], retryMs: 1 };

const models = {
  'openai-chat': openaiChat,
  anthropic,
  gemini,
  mistral: providerModels['mistral'] as unknown as typeof openaiChat,
};

/** A kind of model that has batches. */
export type BatchedKind = keyof typeof models;

/** The parts that a test gives of an evaluation whose judge is asked in batches. */
export interface BatchedParts {
  readonly url: string;
  readonly cases?: number;
  readonly kind?: BatchedKind;
  /** The option of the model; `false` for no batches. */
  readonly batch?: object | boolean;
  readonly isTwoSteps?: boolean;
  readonly together?: boolean;
  readonly parts?: Partial<Evaluation>;
}

/** Builds an evaluation of a bot whose answers are judged in batches, at the model server of the URL. */
export function batchedEvaluation({
  url,
  cases = 30,
  kind = 'openai-chat',
  batch = { atLeast: 5, price: 0.5 },
  isTwoSteps = false,
  together = false,
  parts,
}: BatchedParts): Evaluation {
  const judge = judgeAt(url, kind, { batch, together });
  const questions = Array.from({ length: cases }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}?`,
  }));
  const bot = buildTarget(({ caseId }) => ({
    answer: `answer to ${caseId}`,
    toolCalls: [],
    documents: [{ id: caseId, text: `document of ${caseId}` }],
    cost: 0.01,
  }));
  const needs = { judge: () => judge, embedder: () => judge } as never;
  const made = isTwoSteps
    ? groundedness.definition.create(groundedness.definition.options.parse({}), needs)
    : relevance.definition.create(relevance.definition.options.parse({}), needs);
  return buildEvaluation(questions, [resolvedTarget('bot', bot)], {
    metrics: [
      {
        ...resolvedMetric('judged', made),
        judge: { name: judge.name, fingerprint: judge.fingerprint },
      },
    ],
    scorecard: null,
    ...parts,
  });
}

function judgeAt(
  url: string,
  kind: BatchedKind,
  { batch, together }: { batch: object | boolean; together: boolean },
): Judge {
  const prices = { input: 1, output: 2 };
  const options = { batch, prices, maxRetries: 0 };
  const use: NamedUse = { use: kind };
  return chatModel.definition.create(chatModel.definition.options.parse({ model: use, together }), {
    environment: {},
    resolveModel: () => {
      const definition = models[kind].definition as (typeof openaiChat)['definition'];
      const written = { model: 'test-model', baseUrl: url, apiKeyEnv: 'TEST_MODEL_KEY', ...options };
      const needs = { folder: '.', environment: { TEST_MODEL_KEY: 'sk-test-0123456789abcdef' } };
      return definition.create(definition.options.parse(written), needs);
    },
    resolveJudge: () => {
      throw new Error('no judge is used');
    },
  });
}

/** Returns the surroundings of a run in a store. */
export function batchedNeeds(store: Store, parts: Partial<RunNeeds> = {}): RunNeeds {
  return {
    store,
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
    batchPace: testPace,
    ...parts,
  };
}

/** Returns the numbers of a run that do not depend on how its judges were asked. */
export function numbersOf({ status, summary }: Run) {
  const { judge, targets, decision } = summary ?? {};
  return {
    status,
    judge: judge && { asked: judge.asked, failed: judge.failed },
    targets: targets?.map(({ target, counts, metrics }) => ({ target, counts, metrics })),
    outcome: decision?.outcome,
  };
}
