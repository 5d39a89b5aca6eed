import { validUntilOf } from '../../decide/certificates/certificate-ends.ts';
import {
  certifyRun,
  labellingHours,
  listCertificates,
  remedyOf,
} from '../../decide/certificates/certify-run.ts';
import type { JudgeRow, JudgeView } from '../../core/schema/api/judge-view.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { refusedCalibrationKind } from '../../stores/kinds/certificate.ts';

/** Returns the state of the certificate of each metric of a judge in a run. */
export async function readCertificateStates(
  run: Run,
  { fingerprint }: Pick<JudgeRow, 'fingerprint'>,
  store: Store,
): Promise<JudgeRow['certificates']> {
  const certified = await certifyRun(run, store);
  const own = certified.filter(({ metric }) => metric.judge.fingerprint === fingerprint);
  const refused = await listRefusals({ metrics: own.map(({ metric }) => metric.name), fingerprint }, store);
  return own.map(({ certification: { metric, status, certificate } }) => ({
    metric,
    status,
    validUntil: certificate?.validUntil ?? null,
    refusedAt: refused.find(({ calibration }) => calibration.metric.name === metric)?.madeAt ?? null,
  }));
}

/** Lists the calibrations of metrics of a judge that gave no certificate, the newest first. */
export async function listRefusals(
  { metrics, fingerprint }: Pick<JudgeRow, 'metrics' | 'fingerprint'>,
  { documents }: Pick<Store, 'documents'>,
): Promise<JudgeView['refused']> {
  const all = await Array.fromAsync(documents.list(refusedCalibrationKind));
  return all.filter(
    ({ calibration: { judge, metric } }) =>
      judge.fingerprint === fingerprint && metrics.includes(metric.name),
  );
}

/**
 * Lists the certificates of the metrics of a judge, each with its state for the newest run of the judge that has the metric.
 * @param runs - The runs of the judge, the newest first.
 */
export async function readCertificateViews(
  runs: readonly Run[],
  { metrics, fingerprint }: Pick<JudgeRow, 'metrics' | 'fingerprint'>,
  store: Store,
): Promise<JudgeView['certificates']> {
  const views: JudgeView['certificates'] = [];
  for (const name of metrics) {
    const found = runs.flatMap((run) =>
      run.metrics.flatMap((metric) =>
        metric.name === name && metric.judge?.fingerprint === fingerprint
          ? [{ run, metric: { ...metric, judge: metric.judge } }]
          : [],
      ),
    );
    const [newest] = found;
    if (newest === undefined) continue;
    const { run, metric } = newest;
    for (const { certificate, ends, drift } of await listCertificates(run, metric, store)) {
      views.push({
        certificate,
        status: ends.length === 0 ? 'valid' : 'ended',
        ends,
        drift,
        run: run.id,
        validUntil: validUntilOf(certificate),
        hours: labellingHours(certificate),
        remedy: remedyOf(certificate.calibration.rubric.id, run),
      });
    }
  }
  return views;
}
