import type { NamedUse } from '../../src/core/lib/define.ts';
import type { Run } from '../../src/core/schema/run.ts';
import { createLocalExecutor } from '../../src/evaluate/executors/local.ts';
import { chatModel } from '../../src/evaluate/judges/chat-model.ts';
import type { Judge } from '../../src/evaluate/judges/judge.ts';
import { groundedness } from '../../src/evaluate/metrics/judged/groundedness.ts';
import { anthropic } from '../../src/evaluate/models/anthropic.ts';
import { gemini } from '../../src/evaluate/models/gemini.ts';
import type { ChatModel } from '../../src/evaluate/models/model.ts';
import { openaiChat } from '../../src/evaluate/models/openai-chat.ts';
import { providerModels } from '../../src/evaluate/models/providers/provider-models.ts';
import { relevance } from '../../src/evaluate/metrics/judged/relevance.ts';
import type { BatchPace } from '../../src/evaluate/run/batches/batch-work.ts';
import type { Evaluation } from '../../src/evaluate/run/evaluation.ts';
import { neverStopped, type RunNeeds } from '../../src/evaluate/run/run-needs.ts';
import { chat } from '../../src/evaluate/targets/chat.ts';
import type { Target } from '../../src/evaluate/targets/target.ts';
import type { ModelScript } from '../../src/library/testing/model-server/script.ts';
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

/** The parts that a test gives of an evaluation that is asked in batches. */
export interface BatchedParts {
  readonly url: string;
  readonly cases?: number;
  readonly kind?: BatchedKind;
  /** Those who are asked in batches: the judge by default, with a bot that is a function; else the bot is a model. */
  readonly asks?: 'judge' | 'bot' | 'both';
  /** The option of the model; `false` for no batches. */
  readonly batch?: object | boolean;
  readonly isTwoSteps?: boolean;
  readonly together?: boolean;
  /** Further options of the models. */
  readonly model?: object;
  /** The options of the bot that is a model. */
  readonly bot?: object;
  readonly parts?: Partial<Evaluation>;
}

/** Plays a bot that repeats the question, and a judge that finds each answer fair. */
export const botAndJudge: ModelScript = ({ prompt }) =>
  prompt.includes('My answer')
    ? { judgement: { reason: 'It does.', score: 0.75 } }
    : `My answer to ${/question \d+/.exec(prompt)?.[0]}.`;

/** Builds an evaluation of a bot whose answers are judged in batches, at the model server of the URL. */
export function batchedEvaluation({
  url,
  cases = 30,
  kind = 'openai-chat',
  asks = 'judge',
  batch = { atLeast: 5, price: 0.5 },
  isTwoSteps = false,
  together = false,
  model = {},
  bot = {},
  parts,
}: BatchedParts): Evaluation {
  const modelOf = (isAsked: boolean) => () => modelAt(url, kind, { batch: isAsked && batch, ...model });
  const judge = judgeOf(modelOf(asks !== 'bot'), { kind, together });
  const questions = Array.from({ length: cases }, (_, index) => ({
    id: `q${index}`,
    input: `question ${index}?`,
  }));
  const target = asks === 'judge' ? functionBot() : chatOf(modelOf(true), { model: { use: kind }, ...bot });
  const needs = { judge: () => judge, embedder: () => judge } as never;
  const made = isTwoSteps
    ? groundedness.definition.create(groundedness.definition.options.parse({}), needs)
    : relevance.definition.create(relevance.definition.options.parse({}), needs);
  return buildEvaluation(questions, [resolvedTarget('bot', target)], {
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

function functionBot(): Target {
  return buildTarget(({ caseId }) => ({
    answer: `answer to ${caseId}`,
    toolCalls: [],
    documents: [{ id: caseId, text: `document of ${caseId}` }],
    cost: 0.01,
  }));
}

function chatOf(resolveModel: () => ChatModel, options: object): Target {
  return chat.definition.create(chat.definition.options.parse(options), {
    folder: '.',
    environment: {},
    readRows: async function* () {},
    resolveModel,
  });
}

function modelAt(url: string, kind: BatchedKind, given: object): ChatModel {
  const definition = models[kind].definition as (typeof openaiChat)['definition'];
  const options = { ...given, prices: { input: 1, output: 2 }, maxRetries: 0 };
  const written = { model: 'test-model', baseUrl: url, apiKeyEnv: 'TEST_MODEL_KEY', ...options };
  const needs = { folder: '.', environment: { TEST_MODEL_KEY: 'sk-test-0123456789abcdef' } };
  return definition.create(definition.options.parse(written), needs);
}

function judgeOf(
  resolveModel: () => ChatModel,
  { kind, together }: { readonly kind: BatchedKind; readonly together: boolean },
): Judge {
  const model: NamedUse = { use: kind };
  return chatModel.definition.create(chatModel.definition.options.parse({ model, together }), {
    environment: {},
    resolveModel,
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

/** Returns the numbers of a run that do not depend on how its judges and targets were asked. */
export function numbersOf({ status, summary }: Run) {
  const { judge, targets, decision } = summary ?? {};
  return {
    status,
    judge: judge && { asked: judge.asked, failed: judge.failed },
    targets: targets?.map(({ target, counts, metrics }) => ({ target, counts, metrics })),
    outcome: decision?.outcome,
  };
}
