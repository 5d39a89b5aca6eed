import * as runner from 'vitest';
import { run, type RunOptions, type RunReport } from '../api/run.ts';
import type { Config } from '../config/config.ts';
import { explainCase, explainDecision } from './golden-fault.ts';
import { planTests } from './plan-tests.ts';
import { type CaseOutcome, CaseOutcomes } from './read-outcomes.ts';

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
