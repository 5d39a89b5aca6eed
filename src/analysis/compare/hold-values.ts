import type { ComparedRun } from './compared-run.ts';
import { type CaseReadings, type CaseValues, readCaseValues } from './read-case-values.ts';

/** Whether the attempts of a case passed. */
export type Passes = Pick<CaseValues, 'passShare' | 'passedAt' | 'failedAt'>;

/** The numbers of a run by position. */
export interface HeldValues {
  /** One array a reading; NaN where there is none. */
  readonly means: readonly Float64Array[];
  passesAt(position: number): Passes;
}

/** Holds the numbers of a target, 8 bytes a case and reading. */
export async function holdValues(run: ComparedRun, how: CaseReadings, cases: number): Promise<HeldValues> {
  const means = how.readings.map(() => new Float64Array(cases).fill(Number.NaN));
  const shares = new Float64Array(cases).fill(Number.NaN);
  const [passedAt, failedAt] = [new Int32Array(cases).fill(-1), new Int32Array(cases).fill(-1)];
  await readCaseValues(run, how, (values) => {
    const { position } = values;
    for (let place = 0; place < means.length; place += 1) {
      const column = means[place] as Float64Array;
      column[position] = values.means[place] as number;
    }
    shares[position] = values.passShare;
    passedAt[position] = values.passedAt;
    failedAt[position] = values.failedAt;
  });
  return {
    means,
    passesAt: (position) => ({
      passShare: shares[position] as number,
      passedAt: passedAt[position] as number,
      failedAt: failedAt[position] as number,
    }),
  };
}
