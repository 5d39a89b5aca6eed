import type { Calibration } from '../../schema/review/certificate.ts';
import type { Subject } from '../../schema/review/label.ts';
import { ppiDifference } from '../../stats/judges/ppi-difference.ts';
import type { PpiMean } from '../../stats/judges/ppi-mean.ts';
import type { Store } from '../../stores/store.ts';
import { readAnswers } from './read-answers.ts';
import { readCalibration } from './read-calibration.ts';

/** The least number of cases with labels on both sides. */
const leastPairs = 30;

/** A difference of pass rates by labels of both answers to the same cases, and the number of these cases. */
export interface PairedDifference {
  readonly found: PpiMean;
  readonly labels: number;
}

/** The answers of both targets to one attempt at a case. */
interface AnswerPair {
  readonly cluster: string;
  readonly passed: Map<string, boolean>;
  readonly truth: Map<string, boolean>;
}

/**
 * Estimates how much more often people would pass the answers of one target than those of another, by PPI++ on the differences
 * of the same cases. Returns undefined unless the labels were drawn at random and enough cases are labelled on both sides.
 */
export async function readPairedDifference(
  store: Store,
  calibration: Calibration,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<PairedDifference | undefined> {
  const { task, run: runId, rubric, metric, draw } = calibration;
  const run = await store.readRun(runId);
  if (draw.type !== 'random' || run === undefined || (await store.reviews.readTask(task)) === undefined)
    return undefined;
  const { paired } = await readCalibration(store, { run: runId, rubric: rubric.id, task });
  const subjects = new Map(
    (await store.reviews.readItems(task)).map(({ position, subject }) => [position, subject]),
  );
  const pairs = new Map<string, AnswerPair>();
  for (const { subject, passed, cluster } of await readAnswers(store, run, metric.name)) {
    if (passed === null) continue;
    const pair = pairs.get(keyOf(subject)) ?? { cluster, passed: new Map(), truth: new Map() };
    pair.passed.set(subject.target, passed);
    pairs.set(keyOf(subject), pair);
  }
  for (const { item, truth } of paired.answers) {
    const subject = subjects.get(item);
    if (subject !== undefined) pairs.get(keyOf(subject))?.truth.set(subject.target, truth);
  }
  const whole = [...pairs.values()].filter(({ passed }) => passed.has(from) && passed.has(to));
  const isLabelled = ({ truth }: AnswerPair) => truth.has(from) && truth.has(to);
  const [labelled, others] = [whole.filter(isLabelled), whole.filter((pair) => !isLabelled(pair))];
  if (labelled.length < leastPairs) return undefined;
  const side = (target: string) => ({
    labels: labelled.map(({ truth }) => Number(truth.get(target))),
    scores: labelled.map(({ passed }) => Number(passed.get(target))),
    otherScores: others.map(({ passed }) => Number(passed.get(target))),
  });
  const clusters = {
    labelled: labelled.map(({ cluster }) => cluster),
    others: others.map(({ cluster }) => cluster),
  };
  const isClustered = new Set(whole.map(({ cluster }) => cluster)).size < whole.length;
  const found = ppiDifference({ a: side(to), b: side(from), ...(isClustered && { clusters }) });
  return found.status === 'defined' ? { found, labels: labelled.length } : undefined;
}

function keyOf({ caseHash, attempt }: Pick<Subject, 'caseHash' | 'attempt'>): string {
  return `${caseHash} ${attempt}`;
}
