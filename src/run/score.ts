import { messageOf } from '../errors.ts';
import type { CasedTrial, ScoredTrial } from '../schema/scored-trial.ts';
import type { Verdict } from '../schema/verdict.ts';
import type { Evaluation, LiveMetric } from './evaluation.ts';

type Rules = Pick<Evaluation, 'metrics' | 'scorecard'>;

/** Scores trials from their records alone: the same record gives the same scores, this year or next. */
export async function* score(
  trials: AsyncIterable<CasedTrial[]>,
  rules: Rules,
): AsyncGenerator<ScoredTrial[]> {
  for await (const batch of trials) yield await Promise.all(batch.map((trial) => scoreTrial(trial, rules)));
}

async function scoreTrial({ case: testCase, trial }: CasedTrial, rules: Rules): Promise<ScoredTrial> {
  const verdicts: Record<string, Verdict> = {};
  if (trial.status !== 'cancelled') {
    for (const metric of rules.metrics) {
      const verdict = verdictOf(metric, { case: testCase, trial });
      verdicts[metric.name] = verdict instanceof Promise ? await verdict : verdict;
    }
  }
  const { scorecard } = rules;
  const byCriterion = () =>
    new Map(scorecard?.criteria.flatMap(({ name, metric }) => entryOf(name, verdicts[metric])));
  return {
    case: testCase,
    trial,
    verdicts,
    scorecard: scorecard === null ? null : scorecard.evaluate(byCriterion()),
  };
}

function entryOf(criterion: string, verdict: Verdict | undefined): [string, Verdict][] {
  return verdict === undefined ? [] : [[criterion, verdict]];
}

/** One failing metric never stops the others: what it threw is its verdict. */
function verdictOf({ metric }: LiveMetric, input: CasedTrial): Verdict | Promise<Verdict> {
  if (input.trial.status === 'failed' && metric.measuresFailures !== true) {
    return {
      status: 'failed',
      code: 'trial-failed',
      reason: `no answer: ${input.trial.error?.message ?? 'failed'}`,
    };
  }
  try {
    const verdict = metric.score(input);
    return verdict instanceof Promise
      ? verdict.then(checkVerdict).catch(failedVerdict)
      : checkVerdict(verdict);
  } catch (error) {
    return failedVerdict(error);
  }
}

function checkVerdict(verdict: Verdict): Verdict {
  if (verdict.status !== 'scored') return verdict;
  const isInRange = verdict.unit !== undefined || (verdict.value >= 0 && verdict.value <= 1);
  if (Number.isFinite(verdict.value) && isInRange) return verdict;
  const reason = `the metric gave ${verdict.value}; a value without a unit lies between 0 and 1`;
  return { status: 'failed', code: 'metric-out-of-range', reason };
}

function failedVerdict(error: unknown): Verdict {
  return { status: 'failed', code: 'metric-threw', reason: messageOf(error) };
}
