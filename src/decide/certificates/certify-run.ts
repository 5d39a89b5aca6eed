import type { Certificate } from '../../core/schema/review/certificate.ts';
import type { CertificateEnd, Certification, Drift } from '../../core/schema/review/certification.ts';
import type { Run, RunMetric } from '../../core/schema/run.ts';
import { judgementsOf } from '../../core/schema/verdict.ts';
import type { Store } from '../../stores/store.ts';
import { findEnds, validUntilOf } from './certificate-ends.ts';
import { type FoundCertificate, type FoundCertificates, readCertificates } from './read-certificates.ts';
import { readFacts } from './read-facts.ts';
import { rubricKind } from '../../stores/kinds/rubric.ts';

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
  /** All certificates of this judge and question with their states for the run, the ones with its own labels first, then the newest. */
  readonly states: readonly CertificateState[];
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
  const asking = await findAsking(run, store, new Set(judged.map(({ name }) => name)));
  const found = await readCertificates(run.gate, store);
  const certified: CertifiedMetric[] = [];
  for (const metric of judged.filter(({ name }) => asking.has(name)))
    certified.push(await certifyMetric(metric, { run, store, found }));
  return certified;
}

/** The most answers that are looked through for judgements, evenly spread over the run. */
const mostSampled = 1_000;

/**
 * Returns the metrics whose verdicts rest on judgements. Some have a judge and need none: the quality of responses asks one only
 * about cases with an expected answer.
 */
async function findAsking(
  { id, dataset, targets, attempts }: Run,
  store: Store,
  names: ReadonlySet<string>,
): Promise<Set<string>> {
  const planned = dataset.cases * targets.length * attempts;
  const step = Math.max(1, Math.ceil(planned / mostSampled));
  const sample = Array.from({ length: Math.ceil(planned / step) }, (_, index) => index * step);
  const asking = new Set<string>();
  for await (const { verdicts } of store.readResults(id, sample)) {
    for (const name of names) {
      const verdict = verdicts[name];
      if (verdict !== undefined && judgementsOf({ verdict }).length > 0) asking.add(name);
    }
    if (asking.size === names.size) break;
  }
  return asking;
}

/** A certificate with the reasons why it does not hold for a run, and what fresh labels show. */
export interface CertificateState {
  readonly certificate: Certificate;
  readonly ends: CertificateEnd[];
  readonly drift: Drift | null;
}

async function readState(
  found: FoundCertificate,
  { run, metric, store }: Pick<CertifiedMetric, 'metric'> & { readonly run: Run; readonly store: Store },
): Promise<CertificateState> {
  const facts = await readFacts(store, run, metric, found.certificate);
  return { certificate: found.certificate, ends: findEnds(found, facts), drift: facts.drift };
}

/** Lists all certificates of a judged metric, the newest first, each with its state for a run. Throws `store-damaged`. */
export async function listCertificates(
  run: Run,
  metric: CertifiedMetric['metric'],
  store: Store,
): Promise<CertificateState[]> {
  const { certificates } = await readCertificates(run.gate, store);
  const own = certificates.filter(({ certificate }) => certificate.calibration.metric.name === metric.name);
  const states: CertificateState[] = [];
  for (const each of own) states.push(await readState(each, { run, metric, store }));
  return states;
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
  const states: CertificateState[] = [];
  // Each version of a target may have a certificate of its own.
  for (const each of own.length > 0 ? own : all.slice(0, 1))
    states.push(await readState(each, { run, metric, store }));
  const best = states.find(({ ends }) => ends.length === 0) ?? states[0];
  const certificate = best?.certificate ?? null;
  const rubric = certificate?.calibration.rubric.id ?? (await findRubric(store, metric.name));
  const head = { metric: metric.name, judge: metric.judge, unreadable: [...found.unreadable] };
  const missing = {
    remedy: remedyOf(rubric, run),
    hours: certificate === null ? (firstLabels * secondsOfLabel) / 3600 : labellingHours(certificate),
  };
  if (certificate === null) {
    return { metric, certificate, states, certification: { ...head, status: 'none', ends: [], ...missing } };
  }
  const ends = best?.ends ?? [];
  const isValid = ends.length === 0;
  const described = { ...head, ends, certificate: describe(certificate) };
  const certification: Certification = isValid
    ? { ...described, status: 'valid' }
    : { ...described, status: 'ended', ...missing };
  return { metric, certificate, states, certification };
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
    areTargetsUnlike: calibration.conditions.some(
      ({ id: condition, state }) => condition === 'targets-alike' && state === 'failed',
    ),
  };
}

/** Returns the id of a rubric about a metric, of which the store has labels. */
async function findRubric({ documents }: Store, metric: string): Promise<string | undefined> {
  return (await Array.fromAsync(documents.list(rubricKind))).find(({ criterion }) => criterion === metric)
    ?.id;
}

/** Returns the hours that the labels of a certificate take again. */
export function labellingHours({ calibration }: Certificate): number {
  return (calibration.labels.ids.length * secondsOfLabel) / 3600;
}

/** Returns the command that draws answers of a run, opens the page on which people label them, and certifies a judge by them. */
export function remedyOf(rubric: string | undefined, { id }: Run): string {
  const name = rubric ?? 'RUBRIC';
  return `touchstone review create --rubric ${name} --run ${id} --doubled 40% && touchstone review open && touchstone calibrate --rubric ${name}`;
}
