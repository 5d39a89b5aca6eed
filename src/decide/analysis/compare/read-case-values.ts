import { uncategorized } from '../../../core/schema/case.ts';
import type { QuestionAttempts } from '../../../core/stats/fixed-questions.ts';
import { weighAttempts, weightAttempts } from '../attempts.ts';
import type { ComparedRun } from './compared-run.ts';
import type { ComparedOutcome, Reading } from './comparison-measures.ts';
import { readCompared } from './read-compared.ts';

/**
 * The numbers of one case, each the mean of its attempts. The object is reused for every case and must not be stored.
 */
export interface CaseValues {
  /** The position in the plan. */
  position: number;
  caseId: string;
  category: string;
  /** The means in the order of the readings; NaN when no attempt has the number. */
  readonly means: Float64Array;
  /** Share of the attempts, among those to which the first reading applies, that have no such number. */
  gap: number;
  /** The attempts with the first number: their count, mean and sample variance. */
  attempts: QuestionAttempts;
  /** Share of passed attempts among those known to have passed or failed; NaN when there are none. */
  passShare: number;
  /** The ordinals of the first attempts that passed and that failed; −1 when there is none. */
  passedAt: number;
  failedAt: number;
}

/** The attempts at a case without any number. */
export const noAttempts: QuestionAttempts = { n: 0, mean: Number.NaN, variance: Number.NaN };

/** The readings of a run's outcomes. */
export interface CaseReadings {
  readonly readings: readonly Reading[];
  readonly isPassed: (outcome: ComparedOutcome) => boolean | undefined;
  /** True when the ids and categories of the cases are read, too. */
  readonly hasNames: boolean;
}

/**
 * Reads the numbers of a target case by case, in the order of the plan. Attempts are averaged, so they do not count
 * as cases.
 */
export async function readCaseValues(
  compared: ComparedRun,
  { readings, isPassed, hasNames }: CaseReadings,
  onCase: (values: CaseValues) => void,
): Promise<void> {
  const { run } = compared;
  const trialsPerCase = run.targets.length * run.attempts;
  const sums = createSums(readings);
  const isWeighed = weighAttempts(run) !== undefined;
  const gaps = createGaps(readings[0], isWeighed ? undefined : run.attempts);
  const passes = createPasses();
  const values: CaseValues = {
    position: -1,
    caseId: '',
    category: uncategorized,
    means: new Float64Array(readings.length),
    gap: 1,
    attempts: noAttempts,
    passShare: Number.NaN,
    passedAt: -1,
    failedAt: -1,
  };
  const endCase = () => {
    if (values.position === -1) return;
    sums.moveTo(values.means);
    values.attempts = gaps.attempts();
    values.gap = gaps.take();
    passes.moveTo(values);
    onCase(values);
  };
  const add = (outcome: ComparedOutcome): void => {
    const position = Math.floor(outcome.trial.ordinal / trialsPerCase);
    if (position !== values.position) {
      endCase();
      values.position = position;
      values.caseId = outcome.trial.caseId;
      values.category = outcome.case.category ?? uncategorized;
    }
    sums.add(outcome);
    gaps.add(outcome);
    passes.add(outcome, isPassed(outcome));
  };
  const read = readCompared(compared, { hasNames, areKept: weighAttempts(run) !== undefined });
  for await (const outcomes of weightAttempts<ComparedOutcome, Iterable<ComparedOutcome>>(run, read)) {
    for (const outcome of outcomes) add(outcome);
  }
  endCase();
}

/** Creates the weighted sums of a case's numbers. */
function createSums(readings: readonly Reading[]) {
  const sums = new Float64Array(readings.length);
  const weights = new Float64Array(readings.length);
  return {
    add: (outcome: ComparedOutcome): void => {
      for (let place = 0; place < readings.length; place += 1) {
        const value = readings[place]?.read(outcome);
        if (value === undefined) continue;
        const { weight = 1 } = outcome;
        sums[place] = (sums[place] as number) + weight * value;
        weights[place] = (weights[place] as number) + weight;
      }
    },
    moveTo: (means: Float64Array): void => {
      // 0 / 0 is NaN, which means that nothing was measured.
      for (let place = 0; place < means.length; place += 1) {
        means[place] = (sums[place] as number) / (weights[place] as number);
      }
      sums.fill(0);
      weights.fill(0);
    },
  };
}

/**
 * Creates the count of a case's attempts without the first number.
 * @param attempts - The number that was asked; undefined when some may not have been needed, so that one is enough.
 */
function createGaps(reading: Reading | undefined, attempts: number | undefined) {
  let [measured, spared, seen] = [0, 0, 0];
  let [sum, squares] = [0, 0];
  return {
    add: (outcome: ComparedOutcome): void => {
      seen += 1;
      const value = reading?.read(outcome);
      if (value !== undefined) {
        measured += 1;
        sum += value;
        squares += value ** 2;
      } else if (reading?.isNotApplicable?.(outcome) === true) spared += 1;
    },
    attempts: (): QuestionAttempts => {
      if (measured === 0) return noAttempts;
      const variance =
        measured < 2 ? Number.NaN : Math.max(0, squares - sum ** 2 / measured) / (measured - 1);
      return { n: measured, mean: sum / measured, variance };
    },
    take: (): number => {
      const due = attempts === undefined ? Math.min(1, seen - spared) : attempts - spared;
      const gap = due <= 0 ? 0 : Math.max(0, 1 - measured / due);
      [measured, spared, seen] = [0, 0, 0];
      [sum, squares] = [0, 0];
      return gap;
    },
  };
}

/** Creates the count of a case's passes. */
function createPasses() {
  let [passed, failed, passedAt, failedAt] = [0, 0, -1, -1];
  return {
    add: ({ trial: { ordinal }, weight = 1 }: ComparedOutcome, isPassed: boolean | undefined): void => {
      if (isPassed === undefined) return;
      if (isPassed) {
        passed += weight;
        if (passedAt === -1) passedAt = ordinal;
      } else {
        failed += weight;
        if (failedAt === -1) failedAt = ordinal;
      }
    },
    moveTo: (values: CaseValues): void => {
      values.passShare = passed / (passed + failed);
      values.passedAt = passedAt;
      values.failedAt = failedAt;
      [passed, failed, passedAt, failedAt] = [0, 0, -1, -1];
    },
  };
}
