import type { SoughtText } from '../../metrics/metric.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { Expectation } from '../../../core/schema/expectation.ts';

/** The knowledge of the checks that cases bring along, from the metrics that these name. */
export interface CaseCheckRules {
  /** Returns what is wrong with the checks of a case: an unknown metric, a wrong option, a metric that lacks something. */
  findFaults(testCase: Pick<Case, 'expected' | 'user'>): readonly CaseFault[];
  /** Returns the expectations of a case that its own checks read. */
  readsOf(testCase: Pick<Case, 'expected'>): readonly Expectation[];
  /** Returns the texts that the checks of a case look for, each with its path in the case. */
  textsOf(testCase: Pick<Case, 'expected' | 'user'>): readonly SoughtText[];
  /** Returns the name of a metric that reads an expectation, to suggest where no metric of a config does. */
  readerOf(expectation: Expectation): string;
}

/** A fault of a case, with its path in the case. */
export interface CaseFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly remedy?: string;
}
