import { uncategorized } from '../../schema/case.ts';
import type { Outcome } from '../../schema/result.ts';
import { weighAttempts } from '../attempts.ts';
import type { ComparedRun } from './compared-run.ts';
import type { Reading } from './comparison-measures.ts';

/** The numbers of one case, each the mean of its attempts. Made over for every case: not to be kept. */
export interface CaseValues {
  /** In the plan. */
  position: number;
  caseId: string;
  category: string;
  /** In the order of the readings; NaN where no attempt has the number. */
  readonly means: Float64Array;
  /** Share of the attempts that passed, of those that are known to have passed or not; NaN when there are none. */
  passShare: number;
  /** The ordinals of the first attempts that passed, and did not; −1 when there is none. */
  passedAt: number;
  failedAt: number;
}

/** How the outcomes of a run are read. */
export interface CaseReadings {
  readonly readings: readonly Reading[];
  readonly isPassed: (outcome: Outcome) => boolean | undefined;
}

/** The numbers of a target case by case, in the order of the plan; repeats are averaged, so that they are not taken for cases. */
export async function readCaseValues(
  { run, store, target }: ComparedRun,
  { readings, isPassed }: CaseReadings,
  onCase: (values: CaseValues) => void,
): Promise<void> {
  const trialsPerCase = run.targets.length * run.attempts;
  const sums = createSums(readings);
  const passes = createPasses();
  const values: CaseValues = {
    position: -1,
    caseId: '',
    category: uncategorized,
    means: new Float64Array(readings.length),
    passShare: Number.NaN,
    passedAt: -1,
    failedAt: -1,
  };
  const endCase = () => {
    if (values.position === -1) return;
    sums.moveTo(values.means);
    passes.moveTo(values);
    onCase(values);
  };
  const add = (outcome: Outcome): void => {
    if (outcome.trial.target !== target) return;
    const position = Math.floor(outcome.trial.ordinal / trialsPerCase);
    if (position !== values.position) {
      endCase();
      values.position = position;
      values.caseId = outcome.trial.caseId;
      values.category = outcome.case.category ?? uncategorized;
    }
    sums.add(outcome);
    passes.add(outcome, isPassed(outcome));
  };
  for await (const outcomes of weighAttempts(run, store.readOutcomes(run.id))) {
    for (const outcome of outcomes) add(outcome);
  }
  endCase();
}

/** Adds up the numbers of a case. */
function createSums(readings: readonly Reading[]) {
  const sums = new Float64Array(readings.length);
  const weights = new Float64Array(readings.length);
  return {
    add: (outcome: Outcome): void => {
      for (let place = 0; place < readings.length; place += 1) {
        const value = readings[place]?.read(outcome);
        if (value === undefined) continue;
        const { weight = 1 } = outcome;
        sums[place] = (sums[place] as number) + weight * value;
        weights[place] = (weights[place] as number) + weight;
      }
    },
    moveTo: (means: Float64Array): void => {
      // 0 / 0 is NaN: nothing measured.
      for (let place = 0; place < means.length; place += 1) {
        means[place] = (sums[place] as number) / (weights[place] as number);
      }
      sums.fill(0);
      weights.fill(0);
    },
  };
}

/** Counts the passes of a case. */
function createPasses() {
  let [passed, failed, passedAt, failedAt] = [0, 0, -1, -1];
  return {
    add: ({ trial: { ordinal }, weight = 1 }: Outcome, isPassed: boolean | undefined): void => {
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
