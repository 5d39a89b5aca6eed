import { messageOf } from '../../errors.ts';
import { UnmeasurableError } from '../../lib/unmeasurable-error.ts';
import type { MetricContext } from '../../metrics/metric.ts';
import type { CasedTrial } from '../../schema/scored-trial.ts';
import { isTargetError } from '../../schema/trial.ts';
import { type Verdict, spoiltCode } from '../../schema/verdict.ts';
import type { LiveMetric } from '../evaluation.ts';

type Verdicts = Record<string, Verdict>;

/**
 * What metrics say of a trial, by their names and in their order; a promise only where one of them waits. Those that judge
 * who played the user come first: where the user was at fault, nothing that the target did is scored.
 */
export function verdictsOf(
  input: CasedTrial,
  metrics: readonly LiveMetric[],
  context: MetricContext,
): Verdicts | Promise<Verdicts> {
  if (!metrics.some(({ metric }) => metric.judgesUser === true)) return askAll(input, metrics, context);
  const ofUser = metrics.filter(({ metric }) => metric.judgesUser === true);
  const ofTarget = metrics.filter(({ metric }) => metric.judgesUser !== true);
  return andThen(askAll(input, ofUser, context), (first) =>
    andThen(askAll(withFault(input, first), ofTarget, context), (rest) =>
      inOrder({ ...first, ...rest }, metrics),
    ),
  );
}

/** Computed verdicts cost no promise. */
function askAll(
  input: CasedTrial,
  metrics: readonly LiveMetric[],
  context: MetricContext,
): Verdicts | Promise<Verdicts> {
  const verdicts: Verdicts = {};
  const later: Promise<unknown>[] = [];
  for (const metric of metrics) {
    const verdict = verdictOf(metric, input, context);
    if (!(verdict instanceof Promise)) verdicts[metric.name] = verdict;
    else later.push(verdict.then((waited) => (verdicts[metric.name] = waited)));
  }
  return later.length === 0 ? verdicts : Promise.all(later).then(() => inOrder(verdicts, metrics));
}

function andThen<Value, Result>(
  value: Value | Promise<Value>,
  work: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(work) : work(value);
}

/** In the order of the metrics, whichever verdict came first. */
function inOrder(verdicts: Readonly<Verdicts>, metrics: readonly LiveMetric[]): Verdicts {
  return Object.fromEntries(metrics.map(({ name }) => [name, verdicts[name] as Verdict]));
}

/** A trial that is spoilt by what a metric says of its user. */
function withFault(input: CasedTrial, verdicts: Readonly<Verdicts>): CasedTrial {
  const fault = Object.values(verdicts).find(
    (verdict) => verdict.status === 'scored' && verdict.passed === false,
  );
  if (input.trial.spoilt !== undefined || fault?.status !== 'scored') return input;
  const spoilt = {
    kind: fault.label ?? 'user-at-fault',
    reason: fault.explanation ?? 'the user was at fault',
  };
  return { ...input, trial: { ...input.trial, spoilt } };
}

/** One failing metric never stops the others: what it threw is its verdict. */
function verdictOf(
  { metric }: LiveMetric,
  input: CasedTrial,
  context: MetricContext,
): Verdict | Promise<Verdict> {
  const { status, error, spoilt } = input.trial;
  // What a recording does not hold has not even failed.
  const isMeasurable = metric.measuresFailures === true && isTargetError(input.trial);
  if (status === 'failed' && !isMeasurable) {
    return { status: 'failed', code: 'trial-failed', reason: `no answer: ${error?.message ?? 'failed'}` };
  }
  const isSpoilt = spoilt !== undefined && metric.judgesUser !== true;
  if (isSpoilt && metric.measuresFailures !== true) return spoiltVerdict(spoilt.reason);
  const check = (verdict: Verdict) =>
    isSpoilt && isAgainstTarget(verdict) ? spoiltVerdict(spoilt.reason) : checkVerdict(verdict);
  try {
    const verdict = metric.score(input, context);
    return verdict instanceof Promise
      ? verdict.then(check).catch((thrown: unknown) => {
          context.signal.throwIfAborted();
          return failedVerdict(thrown);
        })
      : check(verdict);
  } catch (thrown) {
    return failedVerdict(thrown);
  }
}

/** Latency stays valid when the simulated user was at fault; quality scores do not. */
function isAgainstTarget(verdict: Verdict): boolean {
  return verdict.status === 'scored' && verdict.unit === undefined;
}

function spoiltVerdict(reason: string): Verdict {
  return { status: 'failed', code: spoiltCode, reason: `spoilt by who played the user: ${reason}` };
}

function checkVerdict(verdict: Verdict): Verdict {
  if (verdict.status !== 'scored') return verdict;
  const isInRange = verdict.unit !== undefined || (verdict.value >= 0 && verdict.value <= 1);
  if (Number.isFinite(verdict.value) && isInRange) return verdict;
  const reason = `the metric gave ${verdict.value}; a value without a unit lies between 0 and 1`;
  return { status: 'failed', code: 'metric-out-of-range', reason };
}

function failedVerdict(thrown: unknown): Verdict {
  const code = thrown instanceof UnmeasurableError ? thrown.code : 'metric-threw';
  return { status: 'failed', code, reason: messageOf(thrown) };
}
