import * as runner from 'vitest';
import { run, type RunOptions, type RunReport } from '../api/run.ts';
import type { Config } from '../config/config.ts';
import { loadEvaluation, toEvaluation } from '../config/load-evaluation.ts';
import { toTerminalText } from '../lib/text/terminal-text.ts';
import { caseTitle, exemptionOf, explainResult, mergeMarks, passCount } from '../report/case-outcome.ts';
import { selectCases } from '../run/prepare/select-cases.ts';
import type { CaseRule } from '../schema/expected.ts';
import { questionOf } from '../schema/case.ts';
import { withoutConditions } from '../schema/condition.ts';
import { type Mark, markOf } from '../schema/mark.ts';
import type { Run } from '../schema/run.ts';
import type { Decision } from '../schema/summary.ts';

/** What can be said beside the config; all that `run` takes. */
export interface GoldenTestOptions extends Omit<RunOptions, 'resume'> {
  /** The name of the suite; `golden cases` when left out. */
  readonly name?: string;
  /**
   * What fails the build. `cases`: each case that did not pass, and the gate. `gate`: the gate alone, as in
   * `touchstone run`; cases that did not pass are skipped, with the explanation.
   */
  readonly failOn?: 'cases' | 'gate';
}

/**
 * Registers one Vitest test for each golden case and target, and a last one for the gate. The questions are asked before
 * the first of them, all together and as `touchstone run` does; the run is kept like any other. To be awaited at the top
 * of a test file.
 * @throws TouchstoneError for what is wrong with the config or the dataset, before anything is asked.
 */
export async function defineGoldenTests(
  config: Config | string,
  options: GoldenTestOptions = {},
): Promise<void> {
  const { name = 'golden cases', failOn = 'cases', ...choices } = options;
  const { targets, cases } = await planTests(config, choices);
  runner.describe(name, () => {
    let asked: { readonly report: RunReport; readonly outcomes: CaseOutcomes };
    runner.beforeAll(async () => {
      const report = await run(config, choices);
      asked = { report, outcomes: await CaseOutcomes.read(report) };
    }, Infinity);
    for (const target of targets) {
      runner.describe(target, () => {
        for (const { id, title } of cases) {
          runner.test(title, ({ skip }) => checkCase(asked.outcomes.find(target, id), failOn, skip));
        }
      });
    }
    runner.test('gate', () => {
      const fault = explainDecision(asked.report.summary.decision);
      if (fault !== undefined) throw fault;
    });
  });
}

function checkCase(outcome: CaseOutcome, failOn: 'cases' | 'gate', skip: (reason: string) => void): void {
  const fault = explainCase(outcome);
  if (outcome.mark === 'unscored') skip(outcome.explanation);
  else if (fault === undefined) return;
  else if (outcome.exemption !== undefined || failOn === 'gate') skip(`${fault.name}: ${fault.message}`);
  else throw fault;
}

/** The tests that a config makes. */
interface TestPlan {
  /** Names of the targets that are not under a condition. */
  readonly targets: readonly string[];
  readonly cases: readonly { readonly id: string; readonly title: string }[];
}

/** Reads the config and the dataset, and calls nothing. Throws `TouchstoneError` for what is wrong with them. */
async function planTests(config: Config | string, options: RunOptions): Promise<TestPlan> {
  const { folder = process.cwd() } = options;
  const { evaluation } = await (typeof config === 'string'
    ? loadEvaluation(config, options)
    : toEvaluation(config, folder, options));
  const cases: { id: string; title: string }[] = [];
  for await (const { case: asked } of selectCases(evaluation, () => {})) {
    cases.push({ id: asked.id, title: caseTitle(asked.id, questionOf(asked)) });
  }
  return { targets: withoutConditions(evaluation.targets).map(({ name }) => name), cases };
}

const faultNames = {
  failed: 'Failed',
  error: 'TargetError',
  'not-measured': 'NotMeasured',
} as const satisfies Partial<Record<Mark, string>>;

/** Why a case did not pass, with its pass count: a wrong answer, a broken target and a missing verdict have other names. */
function explainCase({ mark, marks, planned, rule, explanation, exemption }: CaseOutcome): Error | undefined {
  if (mark === 'passed' || mark === 'unscored') return undefined;
  return goldenFault(
    faultNames[mark],
    [exemption, passCount(marks, planned, rule), explanation].filter(Boolean).join('; '),
  );
}

const decisionNames = {
  fail: 'GateFailed',
  inconclusive: 'GateInconclusive',
  'not-measured': 'GateNotMeasured',
} as const satisfies Partial<Record<Decision['outcome'], string>>;

/** Why the gate did not pass; undefined when it did. */
function explainDecision({ outcome, reasons }: Decision): Error | undefined {
  return outcome === 'pass' ? undefined : goldenFault(decisionNames[outcome], reasons.join('; '));
}

/** An error that is safe to print, and without a stack: what is at fault stands in no line of code. */
function goldenFault(name: string, text: string): Error {
  const message = toTerminalText(text);
  const fault = new Error(message);
  fault.name = name;
  fault.stack = `${name}: ${message}`;
  return fault;
}

/** How a case came out for a target, its attempts taken together. */
interface CaseOutcome {
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
class CaseOutcomes {
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
