import type { Calibration, JudgeRates, TargetCalibration } from '../../core/schema/review/certificate.ts';
import type { Run } from '../../core/schema/run.ts';
import type { JudgeErrorRates } from '../../core/stats/judges/misclassified-mean.ts';
import { rateWithin } from '../../core/stats/judges/rogan-gladen.ts';
import { type CertificateState, type CertifiedMetric, remedyOf } from './certify-run.ts';
import { type JudgedTarget, ratesOf } from './treats-alike.ts';

/** The ends of a certificate that leave no rate even of the run that was labelled. */
const lost: ReadonlySet<string> = new Set(['fingerprint', 'labels', 'conditions', 'wording']);

/** The error rates of a judge on a target of a run. */
export type JudgeErrors =
  | {
      readonly status: 'known';
      /** `labels`: of answers of this run; `version`: of this version of the target; `alike`: of others, which it is shown to treat alike. */
      readonly from: 'labels' | 'version' | 'alike';
      readonly calibration: Calibration;
      /** The error rates; undefined when labels are too few for their limits. */
      readonly rates: JudgeErrorRates | undefined;
      /** The number of labelled answers behind them. */
      readonly labels: number;
    }
  | { readonly status: 'unknown'; readonly why: string; readonly remedy: string };

/**
 * Returns the error rates of a certified judge on a target of a run: by labels of its answers in this run, else of the same version
 * of the target, else of other versions where it is shown that the judge treats versions alike. The error rates of another
 * version are never taken for the error rates of this one without that: a judge may fall for the style of a version. Undefined for a
 * judge that no certificate speaks of.
 */
export function errorsOf(certified: CertifiedMetric, run: Run, target: string): JudgeErrors | undefined {
  const { states } = certified;
  if (states.length === 0) return undefined;
  const { fingerprint } = run.targets.find(({ name }) => name === target) ?? {};
  const subject: JudgedTarget = { name: target, fingerprint };
  const own = states.find(({ certificate: { calibration }, ends }) => {
    if (calibration.run !== run.id || ends.some(({ reason }) => lost.has(reason))) return false;
    return labelledOf(calibration, subject) !== undefined;
  });
  if (own !== undefined) return known('labels', own, subject);
  const valid = states.filter(({ ends }) => ends.length === 0);
  const same = valid.find(
    ({ certificate: { calibration } }) => labelledOf(calibration, subject) !== undefined,
  );
  if (same !== undefined) return known('version', same, subject);
  const alike = valid.find(({ certificate: { calibration } }) => isAlike(calibration));
  if (alike !== undefined) return known('alike', alike, subject);
  const [first] = valid;
  const rubric = states[0]?.certificate.calibration.rubric.id;
  return { status: 'unknown', why: whyUnknown(states, first), remedy: remedyOf(rubric, run) };
}

function isAlike({ conditions }: Calibration): boolean {
  return conditions.some(({ id, state }) => id === 'targets-alike' && state === 'met');
}

function whyUnknown(states: readonly CertificateState[], valid: CertificateState | undefined): string {
  if (valid === undefined) {
    const [end] = states[0]?.ends ?? [];
    return `The certificate has ended: ${end?.message ?? 'for an unknown reason'}.`;
  }
  const { conditions } = valid.certificate.calibration;
  const isUnlike = conditions.some(({ id, state }) => id === 'targets-alike' && state === 'failed');
  return isUnlike
    ? 'The error rates of the judge differ between targets, and no labels are of this version of the target.'
    : 'No labels are of this version of the target, and it is not known whether the judge treats versions alike.';
}

/** Returns the part of a calibration that is about a version of a target; undefined when no labels are of it. */
export function labelledOf(calibration: Calibration, target: JudgedTarget): LabelledPart | undefined {
  const part = ratesOf(calibration, target);
  if (part !== undefined) return part;
  const { byTarget, ofTargets, rates, rate, answers, population } = calibration;
  const [only] = byTarget;
  if (ofTargets.length > 0 || byTarget.length !== 1 || only === undefined) return undefined;
  const isSame = population.targets.some(
    ({ name, fingerprint }) =>
      name === only.name &&
      fingerprint === target.fingerprint &&
      (name === target.name || isAlone(population)),
  );
  return isSame ? { rates, rate, answers } : undefined;
}

/** Error rates and a corrected rate, with the number of labelled answers. */
type LabelledPart = Pick<TargetCalibration, 'rates' | 'rate' | 'answers'>;

function isAlone({ targets }: Calibration['population']): boolean {
  return targets.length === 1;
}

function known(
  from: Extract<JudgeErrors, { status: 'known' }>['from'],
  { certificate: { calibration } }: CertificateState,
  target: JudgedTarget,
): JudgeErrors {
  const own = labelledOf(calibration, target);
  const { rates, answers } = own ?? calibration;
  return { status: 'known', from, calibration, rates: errorRatesOf(rates), labels: answers };
}

/** Returns error rates with the effective numbers of labels behind them; undefined without limits. */
function errorRatesOf({
  truePositiveRate: tpr,
  trueNegativeRate: tnr,
}: JudgeRates): JudgeErrorRates | undefined {
  const sensitivity = rateWithin({ ...tpr, rate: tpr.value }, tpr.confidence);
  const specificity = rateWithin({ ...tnr, rate: tnr.value }, tnr.confidence);
  return sensitivity === undefined || specificity === undefined ? undefined : { sensitivity, specificity };
}

/** Returns a sentence as a part of another one. */
export function asClause(sentence: string): string {
  return sentence.replace(/\.$/, '').replace(/^./, (letter) => letter.toLowerCase());
}
