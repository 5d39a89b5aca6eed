import { type FoundScore, type FoundTrial, totalScore } from '../collect-trials.ts';
import type { JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import {
  asArray,
  asNumber,
  asObject,
  asText,
  type Fields,
  jsonObject,
  objectsIn,
  restOf,
  textOf,
  filled,
} from '../values.ts';
import { answerParts, expectedCalls, rowOfTurns } from './translate-golden.ts';

/** The name of the verdict on the whole test case. */
export const totalName = 'deepeval';

/** Translates a test case of a run: what was expected is its case, and what was answered a recorded answer with verdicts. */
export function translateTestCase(raw: Fields, target: string, ledger: Ledger): FoundTrial {
  const found = inSnakeCase(raw);
  const testCase = caseOf(found, ledger);
  const name = nameOf(found);
  return {
    caseKey: JSON.stringify([name ?? null, testCase]),
    name,
    testCase,
    target,
    row: {
      ...rowOf(found, ledger),
      source: jsonObject({
        order: found.order ?? found.index,
        ...restOf(found, translated),
        ...restOf({ spanMetrics: spanMetricsOf(found) }, []),
      }),
    },
    scores: scoresOf(found, ledger),
    order: asNumber(found.order ?? found.index),
  };
}

/** The members of a test case that have a place of their own in the case or the answer. */
const translated = [
  'input actual_output expected_output context retrieval_context turns scenario trace',
  'expected_outcome user_description tools_called expected_tools metrics_data metadata',
  'additional_metadata comments tags success completion_time token_cost evaluation_cost index',
].flatMap((names) => names.split(' '));

/** Returns the metrics of the parts of an answer, which DeepEval lists with the spans of its trace. */
function spanMetricsOf({ trace }: Fields): Fields[] {
  const spans = Object.values(asObject(trace) ?? {}).flatMap(objectsIn);
  return spans.flatMap(({ name, uuid, metricsData }) => {
    const metrics = objectsIn(metricsData);
    return metrics.length === 0 ? [] : [{ span: name ?? uuid, metrics }];
  });
}

/** Returns a test case with the names that results of `evaluate` have: a file of a run has them in camel case. */
function inSnakeCase(fields: Fields): Fields {
  const entries = Object.entries(fields).map(([name, value]) => [
    name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  return Object.fromEntries(entries) as Fields;
}

/** Returns the name of a test case. `test_case_3` is its place, which another run may give to another case. */
function nameOf({ name }: Fields): string | undefined {
  const text = asText(name);
  return text === undefined || /^(?:conversational_)?test_case_\d+$/.test(text) ? undefined : text;
}

function caseOf(found: Fields, ledger: Ledger): JsonObject {
  const answer = asText(found.expected_output);
  const metadata = asObject(found.metadata) ?? asObject(found.additional_metadata) ?? {};
  const context = asArray(found.context).map(textOf);
  const goal = asText(found.scenario);
  const first = objectsIn(found.turns).find(({ role }) => role === 'user');
  const kept = {
    expected_outcome: asText(found.expected_outcome),
    comments: found.comments,
    tags: found.tags,
  };
  return jsonObject({
    input: asText(found.input) ?? asText(first?.content) ?? goal ?? '(empty)',
    ...(goal !== undefined && { user: { goal, persona: asText(found.user_description) } }),
    category: asText(metadata.category),
    context: filled(context),
    expected: { answer, ...expectedCalls(found.expected_tools, ledger) },
    metadata: { ...metadata, ...withoutEmpty(kept) },
  });
}

function withoutEmpty(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== null),
  );
}

function rowOf(found: Fields, ledger: Ledger): Fields {
  const seconds = asNumber(found.completion_time);
  if (found.evaluation_cost !== undefined && found.evaluation_cost !== null) {
    ledger.leaveOut('evaluation cost', { note: 'It is what the judge cost, not the target.' });
  }
  return {
    ...(rowOfTurns(found) ?? { answer: textOf(found.actual_output ?? '') }),
    ...answerParts(found),
    cost: asNumber(found.token_cost),
    latencyMs: seconds === undefined ? undefined : seconds * 1000,
  };
}

/** Returns the scores of the metrics, and whether the test case passed. Without a metric nothing was checked. */
function scoresOf(found: Fields, ledger: Ledger): FoundScore[] {
  const metrics = objectsIn(found.metrics_data).map(inSnakeCase);
  if (metrics.length === 0) {
    ledger.approximate('test case without metrics', {
      became: 'not applicable',
      note: 'DeepEval counts it as passed, though nothing was checked.',
    });
    return [];
  }
  const counts = new Map<string, number>();
  const scores = metrics.map((metric) => {
    const name = asText(metric.name) ?? 'metric';
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return scoreOf(metric, count === 1 ? name : `${name} ${count}`);
  });
  const success = typeof found.success === 'boolean' ? found.success : undefined;
  return [totalScore(totalName, scores, success), ...scores];
}

/** The members of a metric that its evidence has under another name. */
const evidenceNames = ['evaluation_model', 'evaluation_cost', 'verbose_logs'];

function scoreOf(metric: Fields, name: string): FoundScore {
  const error = asText(metric.error);
  const hasScore = asNumber(metric.score) !== undefined;
  const failure =
    error === undefined && hasScore
      ? undefined
      : {
          code: error === undefined ? 'not-scored' : 'judge-error',
          reason: error ?? 'DeepEval recorded no score',
        };
  return {
    name,
    value: metric.score,
    passed: typeof metric.success === 'boolean' ? metric.success : undefined,
    explanation: asText(metric.reason),
    failure,
    evidence: jsonObject({
      threshold: asNumber(metric.threshold),
      success: failure === undefined ? undefined : metric.success,
      model: asText(metric.evaluation_model),
      cost: asNumber(metric.evaluation_cost),
      logs: asText(metric.verbose_logs),
      ...restOf(metric, ['name', 'score', 'success', 'reason', 'error', 'threshold', ...evidenceNames]),
    }),
  };
}
