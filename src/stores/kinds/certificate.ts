import {
  certificateSchema,
  type RefusedCalibration,
  refusedCalibrationSchema,
} from '../../core/schema/review/certificate.ts';
import { certificateLookSchema } from '../../core/schema/review/certificate-look.ts';
import { defineKind } from '../documents/kind.ts';

const columns = {
  id: ['text', ({ id }: RefusedCalibration) => id],
  judge: ['text', ({ calibration }: RefusedCalibration) => calibration.judge.name],
  metric: ['text', ({ calibration }: RefusedCalibration) => calibration.metric.name],
  fingerprint: ['text', ({ calibration }: RefusedCalibration) => calibration.metric.fingerprint],
  run_id: ['text', ({ calibration }: RefusedCalibration) => calibration.run],
  made_at: ['text', ({ madeAt }: RefusedCalibration) => madeAt],
} as const;

/**
 * The certificates of judges. None changes and none is removed: what was believed of a judge remains known after the
 * certificate has ended. The id is the hash of the content.
 */
export const certificateKind = defineKind({
  name: 'certificate',
  table: 'certificates',
  about: 'Statements that a judge met all conditions: events that never change.',
  schema: () => certificateSchema,
  columns: { ...columns, valid_until: ['text', ({ validUntil }) => validUntil] },
  order: ['made_at', 'id'],
  isNewestFirst: true,
  indexes: [{ on: ['metric', 'made_at'] }],
});

/** The calibrations of judges that gave no certificate: events that never change. */
export const refusedCalibrationKind = defineKind({
  name: 'refused-calibration',
  table: 'refused_calibrations',
  about: 'Calibrations of judges that did not meet all conditions: events that never change.',
  schema: () => refusedCalibrationSchema,
  columns,
  order: ['made_at', 'id'],
  isNewestFirst: true,
  indexes: [{ on: ['metric', 'made_at'] }],
});

/** The certifications of judges on labels, passed or not: events that never change. */
export const certificateLookKind = defineKind({
  name: 'certificate-look',
  table: 'certificate_looks',
  about:
    'Certifications of judges on labels: events that never change, by which further ones on the same labels are counted.',
  schema: () => certificateLookSchema,
  columns: {
    id: ['text', ({ id }) => id],
    rubric: ['text', ({ rubric }) => rubric.id],
    rubric_version: ['text', ({ rubric }) => rubric.version],
    labels: ['text', ({ labels }) => labels],
    made_at: ['text', ({ at }) => at],
  },
  order: ['made_at', 'id'],
  indexes: [{ on: ['rubric', 'rubric_version'] }],
});
