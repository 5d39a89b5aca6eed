import { filled } from '../../importers/values.ts';
import type { Ledger } from '../../importers/ledger.ts';
import { type Case, questionOf } from '../../../core/schema/case.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run, RunMetric } from '../../../core/schema/run.ts';
import { toolCallsOf, type Trial } from '../../../core/schema/trial.ts';
import { passedBy, type Verdict } from '../../../core/schema/verdict.ts';

/** The result of one assertion, as promptfoo has it. */
interface Component {
  readonly pass: boolean;
  readonly score: number;
  readonly reason: string;
  readonly assertion: { readonly type: string; readonly metric: string; readonly weight?: number };
  readonly metadata?: { readonly graderError: true };
}

/** One result of promptfoo: an answer of one target at one attempt. */
export interface WrittenResult {
  readonly testIdx: number;
  readonly promptIdx: number;
  readonly success: boolean;
  readonly score: number;
  /** 0 for none, 1 for a failed assertion, 2 for an error. */
  readonly failureReason: 0 | 1 | 2;
  readonly namedScores: Readonly<Record<string, number>>;
  readonly gradingResult?: { readonly pass: boolean; readonly componentResults: readonly Component[] };
  readonly [name: string]: unknown;
}

/** Returns the place of a trial in promptfoo's table: each attempt is a test of its own, each target a column. */
export function placeOf(
  { targets, attempts }: Pick<Run, 'targets' | 'attempts'>,
  { trial }: Pick<Result, 'trial'>,
): { readonly testIdx: number; readonly promptIdx: number } {
  const position = Math.floor(trial.ordinal / (targets.length * attempts));
  return {
    testIdx: position * attempts + trial.attempt - 1,
    promptIdx: targets.findIndex(({ name }) => name === trial.target),
  };
}

/** Translates the result of a trial that was made. */
export function translateResult(run: Run, result: Result, ledger: Ledger): WrittenResult {
  const { case: testCase, trial } = result;
  ledger.take('answer', 'result');
  const prompt = writePrompt(testCase, ledger);
  const vars = { question: prompt };
  return {
    id: `${run.id}-${trial.ordinal}`,
    ...placeOf(run, result),
    ...gradeOf(run, result, ledger),
    prompt: { raw: prompt, label: '{{question}}', config: {} },
    provider: { id: trial.target, label: trial.target },
    vars,
    testCase: {
      description: testCase.id,
      vars,
      assert: [],
      options: {},
      metadata: describeCase(testCase, ledger),
    },
    response: responseOf(trial),
    latencyMs: trial.latency?.totalMs ?? 0,
    cost: trial.cost ?? 0,
    tokenUsage: tokensOf(trial),
    metadata: conversationOf(trial, ledger),
  };
}

function writePrompt(testCase: Case, ledger: Ledger): string {
  if (typeof testCase.input === 'string') return testCase.input;
  const [only, ...others] = testCase.input;
  if (others.length === 0 && only?.role === 'user') return questionOf(testCase);
  ledger.approximate('question of several messages', {
    became: 'prompt that is a list of messages in JSON',
    note: 'promptfoo writes a chat so.',
  });
  return JSON.stringify(testCase.input.map(({ role, content }) => ({ role, content })));
}

function describeCase(testCase: Case, ledger: Ledger): object {
  const { category, tags, expected, metadata, context } = testCase;
  const parts = {
    category,
    tags: filled(tags),
    expected: filled(expected),
    context,
  };
  for (const part of [...Object.keys(parts), ...(Object.keys(metadata).length > 0 ? ['metadata'] : [])])
    ledger.keep(`${part} of a question`);
  return { ...metadata, ...parts };
}

function responseOf({ answer, error, finishReason, cost, latency, ...trial }: Trial): object {
  if (answer === null) return { error: `${error?.code ?? 'error'}: ${error?.message ?? 'no answer'}` };
  return {
    output: answer,
    finishReason,
    cost,
    latencyMs: latency?.totalMs,
    tokenUsage: tokensOf(trial),
  };
}

function tokensOf({ usage }: Pick<Trial, 'usage'>): object | undefined {
  if (usage === undefined) return undefined;
  const { inputTokens: prompt, outputTokens: completion, cachedTokens: cached, reasoningTokens } = usage;
  const total = prompt === undefined || completion === undefined ? undefined : prompt + completion;
  return {
    prompt,
    completion,
    cached,
    total,
    ...(reasoningTokens !== undefined && { completionDetails: { reasoning: reasoningTokens } }),
  };
}

/** Returns the conversation of an answer, where it is more than a question and an answer. */
function conversationOf(trial: Trial, ledger: Ledger): object {
  const calls = toolCallsOf(trial.transcript);
  if (calls.length > 0) {
    ledger.approximate('tool call', { became: 'span of a trace', note: 'Its time is not known.' });
  }
  const isPlain = calls.length === 0 && trial.transcript.length <= 2;
  if (!isPlain) ledger.keep('conversation');
  return { touchstoneTrial: trial.key, ...(!isPlain && { transcript: trial.transcript }) };
}

type Grade = Pick<WrittenResult, 'success' | 'score' | 'failureReason' | 'namedScores' | 'gradingResult'> & {
  readonly error?: string;
};

function gradeOf(run: Run, result: Result, ledger: Ledger): Grade {
  const { trial, verdicts } = result;
  const without = { success: false, score: 0, failureReason: 2, namedScores: {} } as const;
  if (trial.answer === null) {
    ledger.take('error of the target', 'error');
    return { ...without, error: `${trial.error?.code ?? 'error'}: ${trial.error?.message ?? 'no answer'}` };
  }
  const components = run.metrics.flatMap((metric) => {
    const component = toComponent(run, metric, verdicts[metric.name], ledger);
    return component === undefined ? [] : [component];
  });
  const { passed, score, reason } = totalOf(run, result, { components, ledger });
  const namedScores = Object.fromEntries(
    components.flatMap(({ assertion, score: value, metadata }) =>
      metadata === undefined ? [[assertion.metric, value]] : [],
    ),
  );
  const grading = { pass: passed === true, score, reason, namedScores, componentResults: components };
  if (passed === null) {
    ledger.approximate('score that was not measured', {
      became: 'error',
      note: 'promptfoo has no word for it; its own mean counts an error as 0.',
    });
    return {
      ...without,
      error: `Not measured: ${reason}`,
      ...(components.length > 0 && { namedScores, gradingResult: grading }),
    };
  }
  return {
    success: passed,
    score,
    failureReason: passed ? 0 : 1,
    namedScores,
    gradingResult: grading,
    ...(!passed && { error: reason }),
  };
}

function toComponent(
  run: Run,
  { name, use }: RunMetric,
  verdict: Verdict | undefined,
  ledger: Ledger,
): Component | undefined {
  const isQuantity = verdict?.status === 'scored' && verdict.unit !== undefined;
  const weight = isQuantity ? 0 : weightOf(run, name);
  const assertion = { type: use.use, metric: name, weight };
  if (verdict === undefined || verdict.status === 'not-applicable') {
    if (verdict !== undefined) {
      ledger.leaveOut('verdict that does not apply', {
        note: 'promptfoo has only assertions that were checked.',
        place: name,
      });
    }
    return undefined;
  }
  if (verdict.status === 'failed') {
    ledger.approximate('verdict that was not measured', {
      became: 'assertion with a fault of its grader',
      note: 'promptfoo writes one with the score 0; it is in no mean of the metric here.',
      place: name,
    });
    const metadata = { graderError: true } as const;
    return { pass: false, score: 0, reason: `${verdict.code}: ${verdict.reason}`, assertion, metadata };
  }
  if (verdict.unit === undefined) ledger.take('verdict', 'assertion');
  else {
    ledger.approximate(`verdict in ${verdict.unit}`, {
      became: 'assertion whose score is the number',
      note: 'promptfoo has no units.',
      place: name,
    });
  }
  return {
    pass: passedBy(verdict) ?? true,
    score: verdict.value,
    reason: verdict.explanation ?? '',
    assertion,
  };
}

/** Returns the weight of a metric in the scorecard, 0 where it is no criterion; undefined without a scorecard. */
function weightOf({ scorecard }: Run, name: string): number | undefined {
  if (scorecard === null) return undefined;
  return scorecard.criteria.find(({ metric }) => metric === name)?.weight ?? 0;
}

/** Returns the total of an answer: the scorecard's; without one, promptfoo's own rule for its assertions. */
function totalOf(
  run: Run,
  { scorecard }: Result,
  { components, ledger }: { readonly components: readonly Component[]; readonly ledger: Ledger },
): { readonly passed: boolean | null; readonly score: number; readonly reason: string } {
  if (run.scorecard !== null) {
    const { total, passed, explanation } = scorecard ?? {
      total: null,
      passed: null,
      explanation: 'not scored',
    };
    if (total === null || passed === null) return { passed: null, score: 0, reason: explanation };
    ledger.take('score', 'score of the result');
    return { passed, score: total, reason: explanation };
  }
  const counted = components.filter(({ assertion: { weight } }) => weight !== 0);
  const faulty = counted.find(({ metadata }) => metadata !== undefined);
  if (counted.length === 0 || faulty !== undefined)
    return { passed: null, score: 0, reason: faulty?.reason ?? 'no metric applies to the answer' };
  ledger.approximate('run without a scorecard', {
    became: 'score of the result',
    note: "promptfoo's own rule: all assertions must pass, and the score is their mean.",
  });
  const failed = counted.find(({ pass }) => !pass);
  const score = counted.reduce((sum, each) => sum + each.score, 0) / counted.length;
  return { passed: failed === undefined, score, reason: failed?.reason ?? 'All assertions passed' };
}
