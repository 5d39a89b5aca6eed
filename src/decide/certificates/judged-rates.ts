import { toEstimate } from '../analysis/summary/estimates.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Calibration, CorrectedRate } from '../../core/schema/review/certificate.ts';
import type { JudgedMetricReport, JudgedRate } from '../../core/schema/review/certification.ts';
import type { Run } from '../../core/schema/run.ts';
import type { MetricSummary, TargetSummary } from '../../core/schema/summary.ts';
import { roganGladenOfRates } from '../../core/stats/judges/rogan-gladen.ts';
import type { CertifiedMetric } from './certify-run.ts';
import { errorsOf, type JudgeErrors, labelledOf } from './judge-errors.ts';
import { uneven } from './target-judges.ts';

/**
 * Returns the judged metrics of a run with their certificates, and for each target without a condition both pass rates: as the
 * judge says, and as people would say.
 */
export function reportJudges(
  run: Run,
  certified: readonly CertifiedMetric[],
  targets: readonly TargetSummary[],
): JudgedMetricReport[] {
  const plain = new Set(withoutConditions(run.targets).map(({ name }) => name));
  return certified.map((each) => ({
    ...each.certification,
    targets: targets.filter(({ target }) => plain.has(target)).map((target) => rateOf(each, target, run)),
  }));
}

/** Returns the answers that a judge passed. Summaries of earlier versions have the mean alone, which is the share of passes. */
function countPasses(metric: MetricSummary | undefined): NonNullable<MetricSummary['judged']> {
  if (metric === undefined || metric.unit !== undefined) return { answers: 0, passes: 0 };
  const { judged, scored, estimate } = metric;
  return judged ?? { answers: scored, passes: Math.round((estimate.value ?? 0) * scored) };
}

type Corrected = Pick<JudgedRate, 'corrected' | 'why'>;

function rateOf(certified: CertifiedMetric, { target, metrics }: TargetSummary, run: Run): JudgedRate {
  const counts = countPasses(metrics.find(({ metric }) => metric === certified.metric.name));
  const { answers: n, passes } = counts;
  const said = { value: n === 0 ? null : (counts.rate ?? passes / n), n };
  if (run.dataset.caseWeights !== undefined)
    return { target, said, ...uncorrected(`It is not corrected: ${uneven.reason}.`) };
  return { target, said, ...correct(certified, { target, run, passes, n }) };
}

interface Subject {
  readonly target: string;
  readonly run: Run;
  readonly passes: number;
  readonly n: number;
}

function correct(certified: CertifiedMetric, subject: Subject): Corrected {
  const errors = errorsOf(certified, subject.run, subject.target);
  if (errors === undefined) return uncorrected('The judge has no certificate.');
  if (errors.status === 'unknown') return uncorrected(errors.why);
  return errors.from === 'labels' ? byOwnLabels(errors.calibration, subject) : byErrorRates(errors, subject);
}

function uncorrected(why: string): Corrected {
  return { corrected: null, why };
}

/** Returns the rate that was estimated from labels of the answers of this run. */
function byOwnLabels(calibration: Calibration, { target, run }: Subject): Corrected {
  const { fingerprint } = run.targets.find(({ name }) => name === target) ?? {};
  const own = labelledOf(calibration, { name: target, fingerprint });
  return own === undefined
    ? uncorrected('No answer of this target is labelled.')
    : fromRate(own.rate, own.answers);
}

function fromRate({ method, why, corrected, ofRun, caution }: CorrectedRate, labels: number): Corrected {
  if (method === null) return uncorrected(why);
  const estimate = corrected.lower === null && ofRun !== null ? ofRun : corrected;
  return { corrected: { estimate, method, labels, caution }, why };
}

/** Corrects the rate of another run by the error rates in a certificate. */
function byErrorRates(
  { calibration, rates, labels, from }: Extract<JudgeErrors, { status: 'known' }>,
  { passes, n }: Subject,
): Corrected {
  if (rates === undefined || n === 0)
    return uncorrected(n === 0 ? 'The judge gave no verdict.' : 'The error rates of the judge are unknown.');
  const found = roganGladenOfRates({ passes, n, ...rates });
  const estimate = toEstimate(found);
  if (estimate.value === null) return uncorrected(`It cannot be corrected: ${estimate.reason ?? 'unknown'}.`);
  const whose = from === 'alike' ? ' of other versions, which the judge is shown to treat alike' : '';
  return {
    corrected: { estimate, method: 'rogan-gladen', labels, caution: found.caution },
    why: `By the error rates of the judge on labelled answers of run ${calibration.run}${whose}.`,
  };
}
