import { readFileSync } from 'node:fs';
import path from 'node:path';
import { baselineKind } from '../../../src/stores/kinds/baseline.ts';
import { certificateKind, refusedCalibrationKind } from '../../../src/stores/kinds/certificate.ts';
import { readUserKey } from '../../../src/stores/kinds/feedback.ts';
import { labelKind } from '../../../src/stores/kinds/label.ts';
import { proposalKind } from '../../../src/stores/kinds/proposal.ts';
import { reviewTaskKind } from '../../../src/stores/kinds/review-task.ts';
import { equivalenceKind, rubricKind } from '../../../src/stores/kinds/rubric.ts';
import { countFeedback, readAllFeedback } from '../../../src/stores/feedback/feedback-records.ts';
import { readReservations } from '../../../src/stores/reviews/reservations.ts';
import { readItems, readMarks } from '../../../src/stores/reviews/review-records.ts';
import type { Store } from '../../../src/stores/store.ts';
import { listTraces, readTrace } from '../../../src/stores/traces/trace-records.ts';

/**
 * Returns a file of this folder: a store as the last version wrote it whose records of people had tables of several forms, or
 * `records.json`, what that version read of it.
 */
export function readOldFile(name: string): string {
  return readFileSync(path.join(import.meta.dirname, name), 'utf8');
}

/** Reads everything of a store that `records.json` has. */
export async function readRecords(store: Store): Promise<unknown> {
  const { documents } = store;
  const heads = await listTraces(documents);
  return {
    runs: await store.listRuns(),
    baselines: await Array.fromAsync(documents.list(baselineKind)),
    rubrics: await Array.fromAsync(documents.list(rubricKind)),
    equivalences: await Array.fromAsync(documents.list(equivalenceKind)),
    tasks: await Array.fromAsync(documents.list(reviewTaskKind)),
    items: await readItems(documents, 'task-1'),
    labels: await Array.fromAsync(documents.list(labelKind)),
    marks: await readMarks(documents, 'task-1'),
    reservations: await readReservations(documents, 'task-1'),
    certificates: await Array.fromAsync(documents.list(certificateKind)),
    refusals: await Array.fromAsync(documents.list(refusedCalibrationKind)),
    feedback: await Array.fromAsync(readAllFeedback(documents)),
    counts: await countFeedback(documents),
    userKey: await readUserKey(documents),
    proposals: await Array.fromAsync(documents.list(proposalKind)),
    traces: await Promise.all(heads.map(async ({ traceId }) => await readTrace(store, traceId))),
  };
}
