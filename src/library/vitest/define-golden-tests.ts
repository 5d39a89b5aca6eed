import * as runner from 'vitest';
import { run, type RunOptions, type RunReport } from '../api/runs/run.ts';
import type { Config } from '../config/config.ts';
import { loadEvaluation } from '../config/load-evaluation.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { caseTitle, exemptionOf, explainResult, passCount } from '../../look/report/case-outcome.ts';
import { mergeOutcomes } from '../../core/trials/merge-outcomes.ts';
import { selectCases } from '../../evaluate/run/prepare/select-cases.ts';
import type { CaseRule } from '../../core/schema/expected.ts';
import { listedQuestion } from '../../core/schema/case.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import { type TrialOutcome, outcomeOfTrial } from '../../core/schema/result.ts';
import { describeUnchecked, type Run } from '../../core/schema/run.ts';
import type { Decision } from '../../core/schema/decision.ts';

/** The options of golden tests, in addition to the options of `run`. */
export interface GoldenTestOptions extends Omit<RunOptions, 'resume'> {
  /** The name of the suite; `golden questions` by default. */
  readonly name?: string;
  /**
   * The failures that fail the build. `cases`: each case that did not pass, and the gate. `gate`: only the gate, as in
   * `touchstone run`; cases that did not pass are skipped with their explanation. Where something is expected that no metric
   * reads, the gate is not measured; without a gate that fails in `cases`, and is named in `gate`.
   */
  readonly failOn?: 'cases' | 'gate';
}

/**
 * Registers one Vitest test for each golden case and target, and a last one for the gate. All questions are asked before
 * the first test, as `touchstone run` does, and the run is stored like any other. Await it at the top of a test file.
 * @throws TouchstoneError for problems with the config or the dataset, before anything is called.
 */
export async function defineGoldenTests(
  config: Config | string,
  options: GoldenTestOptions = {},
): Promise<void> {
  const { name = 'golden questions', failOn = 'cases', ...choices } = options;
  const { targets, cases } = await planTests(config, choices);
  runner.describe(name, () => {
    let finished: { readonly report: RunReport; readonly outcomes: CaseOutcomes };
    runner.beforeAll(async () => {
      const report = await run(config, choices);
      finished = { report, outcomes: await CaseOutcomes.read(report) };
    }, Infinity);
    for (const target of targets) {
      runner.describe(target, () => {
        for (const { id, title } of cases) {
          runner.test(title, ({ skip }) => checkCase(finished.outcomes.find(target, id), failOn, skip));
        }
      });
    }
    runner.test('gate', ({ skip }) => {
      const { run: finishedRun, summary } = finished.report;
      const fault = explainDecision(summary.decision);
      if (fault !== undefined) throw fault;
      // A gate would not be measured; here, where there is none, the cases are one.
      const unread = describeUnchecked(finishedRun).join('; ');
      if (unread === '') return;
      if (failOn === 'gate') skip(toTerminalText(unread));
      throw goldenFault(decisionNames['not-measured'], unread);
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

/** The targets and cases for which tests are registered. */
interface TestPlan {
  /** The names of the targets without a condition. */
  readonly targets: readonly string[];
  readonly cases: readonly { readonly id: string; readonly title: string }[];
}

/** Reads the config and the dataset without calling anything. Throws `TouchstoneError` for problems with them. */
async function planTests(config: Config | string, options: RunOptions): Promise<TestPlan> {
  const { evaluation } = await loadEvaluation(config, options, options.folder);
  const cases: { id: string; title: string }[] = [];
  for await (const { case: asked } of selectCases(evaluation, () => {})) {
    cases.push({ id: asked.id, title: caseTitle(asked.id, listedQuestion(asked)) });
  }
  return { targets: withoutConditions(evaluation.targets).map(({ name }) => name), cases };
}

const faultNames = {
  failed: 'Failed',
  error: 'TargetError',
  'not-measured': 'NotMeasured',
} as const satisfies Partial<Record<TrialOutcome, string>>;

/** Returns the error of a case that did not pass; wrong answers, failed calls and missing verdicts have different names. */
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

/** Returns the error of a gate that did not pass; undefined when it did. */
function explainDecision({ outcome, reasons }: Decision): Error | undefined {
  return outcome === 'pass' ? undefined : goldenFault(decisionNames[outcome], reasons.join('; '));
}

/** Creates an error that is safe to print. It has no stack trace, since no line of code is the cause. */
function goldenFault(name: string, text: string): Error {
  const message = toTerminalText(text);
  const fault = new Error(message);
  fault.name = name;
  fault.stack = `${name}: ${message}`;
  return fault;
}

/** The outcome of a case for a target over all its attempts. */
interface CaseOutcome {
  readonly mark: TrialOutcome;
  readonly marks: readonly TrialOutcome[];
  /** The number of planned attempts. */
  readonly planned: number;
  /** The rule on how many attempts must pass; undefined when all must. */
  readonly rule: CaseRule | undefined;
  /** The explanation of the attempt that decided the outcome; empty when the case passed. */
  readonly explanation: string;
  /** The reason why the case does not count for the gate; undefined when it does. */
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

  /** Reads the results of a run once, and keeps only mark and explanation of each. */
  static async read({ run, results }: RunReport): Promise<CaseOutcomes> {
    const outcomes = new CaseOutcomes(run);
    for await (const result of results()) {
      const key = keyOf(result.trial.target, result.trial.caseId);
      const exemption = exemptionOf(run, result.case);
      const attempt = {
        mark: outcomeOfTrial(run, result),
        explanation: explainResult(run, result),
        exemption,
      };
      const attempts = outcomes.#attempts.get(key);
      if (attempts === undefined) outcomes.#attempts.set(key, [attempt]);
      else attempts.push(attempt);
    }
    return outcomes;
  }

  /** Returns the outcome of a case; a case that was not asked is not measured. */
  find(target: string, caseId: string): CaseOutcome {
    const attempts = this.#attempts.get(keyOf(target, caseId)) ?? [];
    const marks = attempts.map(({ mark }) => mark);
    const mark = mergeOutcomes(marks, this.#planned, this.#rule);
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
