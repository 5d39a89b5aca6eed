import { formatPoints } from '../../core/lib/text/format-points.ts';
import type { Certificate, Calibration } from '../../core/schema/review/certificate.ts';
import { type CertificateEnd, describeDrift, type Drift } from '../../core/schema/review/certification.ts';
import type { Run, RunMetric } from '../../core/schema/run.ts';
import { homogeneityTest } from '../../core/stats/chi-square.ts';
import type { FoundCertificate } from './read-certificates.ts';

/** The longest time for which a certificate is valid: 90 days, in milliseconds. */
export const longestValidMs = 90 * 86_400_000;

/** A shift of categories ends a certificate when both are exceeded: it is no chance, and it is large. */
const shift = { pValue: 0.001, difference: 0.1 };

/** The facts of a run and a store by which a certificate may have ended. */
export interface CertificateFacts {
  readonly run: Pick<Run, 'createdAt'>;
  readonly metric: RunMetric;
  /** The models that replied, as they name themselves, and whether any reply names none; null when nothing was asked. */
  readonly replies: { readonly models: readonly string[]; readonly isUnnamed: boolean } | null;
  /** The number of cases of each category in the dataset of the run. */
  readonly categories: ReadonlyMap<string, number>;
  /** True when the newest review task asks the rubric in words that mean something else. */
  readonly isRubricChanged: boolean;
  /** The number of labels of the certificate that are withdrawn or gone; null when this store never had them. */
  readonly labelsGone: number | null;
  readonly drift: Drift | null;
}

/** Returns all reasons for which a certificate does not hold for a run; none when it is valid. */
export function findEnds(
  { certificate, isIntact }: FoundCertificate,
  facts: CertificateFacts,
): CertificateEnd[] {
  const { calibration } = certificate;
  return [
    ...checkContent(calibration, isIntact),
    ...checkFingerprint(calibration, facts.metric),
    ...checkModels(calibration, facts),
    ...(facts.isRubricChanged
      ? [end('wording', `the words of the rubric ${calibration.rubric.id} were changed since`)]
      : []),
    ...checkCategories(calibration, facts),
    ...checkAge(certificate, facts.run),
    ...checkLabels(calibration, facts),
    ...checkDrift(facts.drift),
  ];
}

function end(reason: CertificateEnd['reason'], message: string): CertificateEnd {
  return { reason, message };
}

function checkContent({ conditions }: Calibration, isIntact: boolean): CertificateEnd[] {
  if (!isIntact) return [end('conditions', 'its file has been changed since it was made')];
  const unmet = conditions.filter(({ isRequired, state }) => isRequired && state !== 'met');
  if (unmet.length === 0) return [];
  const sentences = unmet.map(({ sentence }) => sentence.replace(/\.$/, ''));
  return [end('conditions', `it does not meet its conditions: ${sentences.join('; ')}`)];
}

function checkFingerprint({ judge, metric: certified }: Calibration, metric: RunMetric): CertificateEnd[] {
  if (certified.fingerprint === metric.fingerprint) return [];
  const isOther = judge.fingerprint !== metric.judge?.fingerprint;
  const what = isOther
    ? `the judge has changed since (its model, parameters or panel; ${judge.name} was certified)`
    : 'the question to the judge has changed since (its prompt, rubric or options)';
  return [end('fingerprint', what)];
}

function checkModels({ judge }: Calibration, { replies }: CertificateFacts): CertificateEnd[] {
  if (replies === null) return [];
  const certified = judge.models.join(', ');
  const others = replies.models.filter((model) => !judge.models.includes(model));
  if (judge.models.length > 0 && replies.isUnnamed)
    return [end('model', `replies of this run name no model, those behind the certificate ${certified}`)];
  if (others.length === 0) return [];
  const before = judge.models.length === 0 ? 'named no model' : `named ${certified}`;
  return [
    end('model', `replies come from the model ${others.join(', ')}, those behind the certificate ${before}`),
  ];
}

function checkCategories({ population }: Calibration, { categories }: CertificateFacts): CertificateEnd[] {
  const certified = new Map(population.categories.map(({ category, cases }) => [category, cases]));
  const names = [...new Set([...certified.keys(), ...categories.keys()])];
  const sizesOf = (cases: ReadonlyMap<string, number>) => names.map((name) => cases.get(name) ?? 0);
  const [a, b] = [sizesOf(certified), sizesOf(categories)];
  const { pValue, largestShift } = homogeneityTest({ a, b });
  if (pValue === null || largestShift === null) return [];
  if (pValue >= shift.pValue || largestShift.difference <= shift.difference) return [];
  const share = (sizes: readonly number[]) => {
    const all = sizes.reduce((sum, size) => sum + size, 0);
    return `${formatPoints((sizes[largestShift.position] ?? 0) / all)} %`;
  };
  const name = names[largestShift.position] ?? '';
  return [
    end(
      'categories',
      `the categories of the dataset have shifted: ${name} had ${share(a)} of the questions and has ${share(b)} (p < 0.001)`,
    ),
  ];
}

/** Returns the time until which a certificate is valid: as it says, and never longer than 90 days. */
export function validUntilOf({ madeAt, validUntil }: Pick<Certificate, 'madeAt' | 'validUntil'>): string {
  const longest = new Date(Date.parse(madeAt) + longestValidMs).toISOString();
  return validUntil < longest ? validUntil : longest;
}

function checkAge(certificate: Certificate, { createdAt }: CertificateFacts['run']): CertificateEnd[] {
  const until = validUntilOf(certificate);
  if (Date.parse(createdAt) <= Date.parse(until)) return [];
  return [
    end('age', `it was valid until ${until.slice(0, 10)}, and the run is of ${createdAt.slice(0, 10)}`),
  ];
}

function checkLabels({ labels }: Calibration, { labelsGone }: CertificateFacts): CertificateEnd[] {
  if (labelsGone === null || labelsGone === 0) return [];
  const were = labelsGone === 1 ? 'was' : 'were';
  return [end('labels', `${labelsGone} of its ${labels.ids.length} labels ${were} withdrawn or erased`)];
}

function checkDrift(drift: Drift | null): CertificateEnd[] {
  if (drift?.isDrifted !== true) return [];
  return [end('drift', `by ${drift.labels} fresh labels, ${describeDrift(drift)}`)];
}
