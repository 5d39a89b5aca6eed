import { toEstimate } from '../analysis/summary/estimates.ts';
import { withoutConditions } from '../schema/condition.ts';
import type { Calibration, CorrectedRate, JudgeRates } from '../schema/review/certificate.ts';
import type { JudgedMetricReport, JudgedRate } from '../schema/review/certification.ts';
import type { Run } from '../schema/run.ts';
import type { MetricSummary, TargetSummary } from '../schema/summary.ts';
import { rateWithin, roganGladenOfRates } from '../stats/judges/rogan-gladen.ts';
import type { Store } from '../stores/store.ts';
import { type CertifiedMetric, certifyRun } from './certify-run.ts';

/**
 * Returns the judged metrics of a run with their certificates, and for each target without a condition both pass rates: as the
 * judge says, and as people would say. Throws `store-damaged`.
 */
export async function reportJudges(
  run: Run,
  store: Store,
  targets: readonly TargetSummary[],
): Promise<JudgedMetricReport[]> {
  const plain = new Set(withoutConditions(run.targets).map(({ name }) => name));
  const certified = await certifyRun(run, store);
  return certified.map((each) => ({
    ...each.certification,
    targets: targets
      .filter(({ target }) => plain.has(target))
      .map((target) => rateOf(each, target, { run, isAlone: plain.size === 1 })),
  }));
}

/** Returns the answers that a judge passed. Summaries of earlier versions have the mean alone, which is the share of passes. */
function countPasses(metric: MetricSummary | undefined): NonNullable<MetricSummary['judged']> {
  if (metric === undefined || metric.unit !== undefined) return { answers: 0, passes: 0 };
  const { judged, scored, estimate } = metric;
  return judged ?? { answers: scored, passes: Math.round((estimate.value ?? 0) * scored) };
}

type Corrected = Pick<JudgedRate, 'corrected' | 'why'>;

function rateOf(
  certified: CertifiedMetric,
  { target, metrics }: TargetSummary,
  { run, isAlone }: { readonly run: Run; readonly isAlone: boolean },
): JudgedRate {
  const { answers: n, passes } = countPasses(metrics.find(({ metric }) => metric === certified.metric.name));
  const said = { value: n === 0 ? null : passes / n, n };
  return { target, said, ...correct(certified, { target, run, isAlone, passes, n }) };
}

interface Subject {
  readonly target: string;
  readonly run: Run;
  /** True when the run has no other target. */
  readonly isAlone: boolean;
  readonly passes: number;
  readonly n: number;
}

function correct({ certification, certificate }: CertifiedMetric, subject: Subject): Corrected {
  if (certificate === null) return uncorrected('The judge has no certificate.');
  const { calibration } = certificate;
  const reasons = certification.ends.map(({ reason }) => reason);
  const isOwnRun = calibration.run === subject.run.id;
  // The labels of these very answers hold for them, however old the certificate is.
  const isVoid = reasons.some((reason) => !isOwnRun || lost.has(reason));
  if (isVoid) {
    const [end] = certification.ends;
    return uncorrected(`The certificate has ended: ${end?.message ?? 'for an unknown reason'}.`);
  }
  return isOwnRun ? byOwnLabels(calibration, subject) : byErrorRates(calibration, subject);
}

/** The ends of a certificate that leave no rate of the run that was labelled. */
const lost: ReadonlySet<string> = new Set(['fingerprint', 'labels', 'conditions', 'wording']);

function uncorrected(why: string): Corrected {
  return { corrected: null, why };
}

/** Returns the rate that was estimated from labels of the answers of this run. */
function byOwnLabels({ rate, ofTargets, answers }: Calibration, { target, isAlone }: Subject): Corrected {
  const own = ofTargets.find(({ name }) => name === target);
  if (own !== undefined) return fromRate(own.rate, own.answers);
  if (isAlone) return fromRate(rate, answers);
  return uncorrected('No answer of this target is labelled.');
}

function fromRate({ method, why, corrected, ofRun, caution }: CorrectedRate, labels: number): Corrected {
  if (method === null) return uncorrected(why);
  const estimate = corrected.lower === null && ofRun !== null ? ofRun : corrected;
  return { corrected: { estimate, method, labels, caution }, why };
}

/** Corrects the rate of another run by the error rates in a certificate: those of the target where they differ. */
function byErrorRates(calibration: Calibration, { target, run, passes, n }: Subject): Corrected {
  const used = ratesFor(calibration, target, run);
  if ('why' in used) return uncorrected(used.why);
  const { truePositiveRate: tpr, trueNegativeRate: tnr } = used.rates;
  const sensitivity = rateWithin({ ...tpr, rate: tpr.value }, tpr.confidence);
  const specificity = rateWithin({ ...tnr, rate: tnr.value }, tnr.confidence);
  if (sensitivity === undefined || specificity === undefined || n === 0)
    return uncorrected(n === 0 ? 'The judge gave no verdict.' : 'The error rates of the judge are unknown.');
  const found = roganGladenOfRates({ passes, n, sensitivity, specificity });
  const estimate = toEstimate(found);
  if (estimate.value === null) return uncorrected(`It cannot be corrected: ${estimate.reason ?? 'unknown'}.`);
  return {
    corrected: { estimate, method: 'rogan-gladen', labels: used.labels, caution: found.caution },
    why: `By the error rates of the judge on labelled answers of run ${calibration.run}.`,
  };
}

/**
 * Returns the error rates that hold for a target: all labels together where they are alike over targets or that is not known, those
 * of the target where they differ.
 */
function ratesFor(
  { conditions, ofTargets, rates, answers, population }: Calibration,
  target: string,
  run: Run,
): { readonly rates: JudgeRates; readonly labels: number } | { readonly why: string } {
  const alike = conditions.find(({ id }) => id === 'targets-alike');
  if (alike?.state !== 'failed') return { rates, labels: answers };
  const fingerprint = run.targets.find(({ name }) => name === target)?.fingerprint;
  const isSame = population.targets.some((each) => each.name === target && each.fingerprint === fingerprint);
  const own = ofTargets.find(({ name }) => name === target);
  if (isSame && own !== undefined) return { rates: own.rates, labels: own.answers };
  return {
    why: 'The error rates of the judge differ between targets, and no labels are of this one.',
  };
}
