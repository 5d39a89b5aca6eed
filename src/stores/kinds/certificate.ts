import {
  certificateSchema,
  type RefusedCalibration,
  refusedCalibrationSchema,
} from '../../core/schema/review/certificate.ts';
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
