import type { Certificate } from '../schema/review/certificate.ts';
import type { CertificateEnd, Certification } from '../schema/review/certification.ts';
import type { Run, RunMetric } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { findEnds, validUntilOf } from './certificate-ends.ts';
import { type FoundCertificate, type FoundCertificates, readCertificates } from './read-certificates.ts';
import { readFacts } from './read-facts.ts';

/** The time that one label is expected to take, in seconds. */
const secondsOfLabel = 40;

/** The labels of a first review task: 200 answers, 40 % of them by two people. */
const firstLabels = 280;

/** A judged metric of a run with the certificate on which its rates rest. */
export interface CertifiedMetric {
  readonly metric: RunMetric & Required<Pick<RunMetric, 'judge'>>;
  readonly certification: Certification;
  /** The certificate itself; null when there is none. */
  readonly certificate: Certificate | null;
}

/**
 * Finds the certificate of each judged metric of a run, and whether it holds for the run: a valid one, else the newest one of
 * this judge and question, else the newest one of the metric. Throws `store-damaged`.
 */
export async function certifyRun(run: Run, store: Store): Promise<CertifiedMetric[]> {
  const judged = run.metrics.flatMap((metric) =>
    metric.judge === undefined ? [] : [{ ...metric, judge: metric.judge }],
  );
  if (judged.length === 0) return [];
  const found = await readCertificates(run.gate, store);
  const certified: CertifiedMetric[] = [];
  for (const metric of judged) certified.push(await certifyMetric(metric, { run, store, found }));
  return certified;
}

async function certifyMetric(
  metric: CertifiedMetric['metric'],
  { run, store, found }: { readonly run: Run; readonly store: Store; readonly found: FoundCertificates },
): Promise<CertifiedMetric> {
  const all = found.certificates.filter(
    ({ certificate: { calibration } }) => calibration.metric.name === metric.name,
  );
  const isOfRun = ({ certificate: { calibration } }: FoundCertificate) => calibration.run === run.id;
  const own = all
    .filter(({ certificate: { calibration } }) => calibration.metric.fingerprint === metric.fingerprint)
    .toSorted((one, other) => Number(isOfRun(other)) - Number(isOfRun(one)));
  const judged: { readonly found: FoundCertificate; readonly ends: CertificateEnd[] }[] = [];
  for (const each of own.length > 0 ? own : all.slice(0, 1)) {
    const ends = findEnds(each, await readFacts(store, run, metric, each.certificate));
    judged.push({ found: each, ends });
    if (ends.length === 0) break;
  }
  const best = judged.find(({ ends }) => ends.length === 0) ?? judged[0];
  const certificate = best?.found.certificate ?? null;
  const rubric = certificate?.calibration.rubric.id ?? (await findRubric(store, metric.name));
  const head = { metric: metric.name, judge: metric.judge, unreadable: [...found.unreadable] };
  const missing = {
    remedy: remedyOf(rubric, run),
    hours: ((certificate?.calibration.labels.ids.length ?? firstLabels) * secondsOfLabel) / 3600,
  };
  if (certificate === null) {
    return { metric, certificate, certification: { ...head, status: 'none', ends: [], ...missing } };
  }
  const ends = best?.ends ?? [];
  const isValid = ends.length === 0;
  const described = { ...head, ends, certificate: describe(certificate) };
  const certification: Certification = isValid
    ? { ...described, status: 'valid' }
    : { ...described, status: 'ended', ...missing };
  return { metric, certificate, certification };
}

function describe(certificate: Certificate): NonNullable<Certification['certificate']> {
  const { id, madeAt, calibration } = certificate;
  return {
    id,
    rubric: calibration.rubric.id,
    run: calibration.run,
    madeAt,
    validUntil: validUntilOf(certificate),
    answers: calibration.answers,
    labels: calibration.labels.ids.length,
  };
}

/** Returns the id of a rubric about a metric, of which the store has labels. */
async function findRubric({ reviews }: Store, metric: string): Promise<string | undefined> {
  return (await reviews.readRubrics()).find(({ criterion }) => criterion === metric)?.id;
}

function remedyOf(rubric: string | undefined, { id }: Run): string {
  const name = rubric ?? 'RUBRIC';
  return `touchstone review create --rubric ${name} --run ${id} --doubled 40% && touchstone calibrate --rubric ${name}`;
}
