import type { AnyKind } from '../documents/kind.ts';
import { baselineKind } from './baseline.ts';
import { batchKind, batchRequestKind } from './batch.ts';
import { certificateKind, certificateLookKind, refusedCalibrationKind } from './certificate.ts';
import { feedbackKind, userKeyKind } from './feedback.ts';
import { labelKind } from './label.ts';
import { groupingKind, markKind, modeKind } from './mode.ts';
import { proposalKind } from './proposal.ts';
import { runEditKind } from './run-edit.ts';
import { reservationKind, reviewItemKind, reviewTaskKind } from './review-task.ts';
import { equivalenceKind, rubricKind } from './rubric.ts';
import { erasedTraceKind, spanKind, traceKind } from './trace.ts';
import { watchDayKind, watchKind } from './watch.ts';

/** All kinds of documents. A store has a table of each, which is made when it is opened. */
export const kinds: readonly AnyKind[] = [
  baselineKind,
  rubricKind,
  equivalenceKind,
  reviewTaskKind,
  reviewItemKind,
  labelKind,
  reservationKind,
  certificateKind,
  refusedCalibrationKind,
  certificateLookKind,
  feedbackKind,
  userKeyKind,
  proposalKind,
  traceKind,
  spanKind,
  erasedTraceKind,
  batchKind,
  batchRequestKind,
  runEditKind,
  modeKind,
  markKind,
  groupingKind,
  watchKind,
  watchDayKind,
];
