import type { Case } from '../../../core/schema/case.ts';
import type { Subject } from '../../../core/schema/review/label.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Half } from '../../reviews/calibrate/tuned-judge.ts';

/** An answer of which people have said whether it has a failure mode. */
export interface MarkedResult {
  readonly subject: Subject;
  readonly case: Case;
  readonly trial: Trial;
  /** True when it has the mode. People who differ say nothing. */
  readonly present: boolean;
  /** The half of all questions that this one belongs to: metrics are made from one, and counted on the other. */
  readonly half: Half;
  /** The note of a person, and the words of the answer that people marked. */
  readonly note?: string;
  readonly marked: readonly string[];
}
