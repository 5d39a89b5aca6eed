import type { RunReport } from '../api/run.ts';
import { exemptionOf } from '../report/exemption.ts';
import { explainResult } from '../report/explain-result.ts';
import { mergeMarks } from '../report/rows/merge-marks.ts';
import { type Mark, markOf } from '../schema/mark.ts';
import type { CaseRule } from '../schema/case-rule.ts';
import type { Run } from '../schema/run.ts';

/** How a case came out for a target, its attempts taken together. */
export interface CaseOutcome {
  readonly mark: Mark;
  readonly marks: readonly Mark[];
  /** Attempts that were to be made. */
  readonly planned: number;
  /** How many of them have to pass; undefined for all. */
  readonly rule: CaseRule | undefined;
  /** Of the attempt that decided it; empty when the case passed. */
  readonly explanation: string;
  /** Why the case is not in the gate; undefined when it is. */
  readonly exemption: string | undefined;
}

type Attempt = Pick<CaseOutcome, 'mark' | 'explanation' | 'exemption'>;

/** The outcomes of a run by target and case. */
export class CaseOutcomes {
  readonly #attempts = new Map<string, Attempt[]>();
  readonly #planned: number;
  readonly #rule: CaseRule | undefined;

  private constructor({ attempts, caseRule }: Pick<Run, 'attempts' | 'caseRule'>) {
    this.#planned = attempts;
    this.#rule = caseRule;
  }

  /** Reads the results of a run once, and keeps a few words of each. */
  static async read({ run, results }: RunReport): Promise<CaseOutcomes> {
    const outcomes = new CaseOutcomes(run);
    for await (const result of results()) {
      const key = keyOf(result.trial.target, result.trial.caseId);
      const exemption = exemptionOf(run, result.case);
      const told = { mark: markOf(run, result), explanation: explainResult(run, result), exemption };
      const attempts = outcomes.#attempts.get(key);
      if (attempts === undefined) outcomes.#attempts.set(key, [told]);
      else attempts.push(told);
    }
    return outcomes;
  }

  /** How a case came out; one that was not asked is not measured. */
  find(target: string, caseId: string): CaseOutcome {
    const attempts = this.#attempts.get(keyOf(target, caseId)) ?? [];
    const marks = attempts.map(({ mark }) => mark);
    const mark = mergeMarks(marks, this.#planned, this.#rule);
    const decisive = attempts.find((attempt) => attempt.mark === mark);
    const explanation = decisive?.explanation ?? 'not every attempt was made';
    return {
      mark,
      marks,
      planned: this.#planned,
      rule: this.#rule,
      explanation,
      exemption: attempts[0]?.exemption,
    };
  }
}

function keyOf(target: string, caseId: string): string {
  return JSON.stringify([target, caseId]);
}
