import { defineCommand } from '../program/define-command.ts';
import { filterGrammar, resultGrammar } from '../program/help-sections.ts';
import { flag, repeated, text } from '../program/input.ts';
import { filter, json, reportInputs, runName, store } from '../program/shared-inputs.ts';

const inputs = {
  run: runName,
  case: repeated('<id>', 'one question in full: every turn, tool call and judgement; may be repeated'),
  filter,
  failed: flag('list only what did not pass'),
  disagreements: text(
    '[kind]',
    'list the answers on which metrics contradict each other, with both verdicts',
  ),
  short: flag('only what `run` prints: the score, what did not pass, and what to do next'),
  ...reportInputs,
  json,
  store,
};

/** `touchstone show [run]`: the report of a stored run, whole or a part of it. */
export const show = defineCommand({
  name: 'show',
  summary: 'print the report of a run again',
  description: 'Prints the report of a stored run.',
  inputs,
  help: `
Examples:
  $ touchstone show                                 the last run
  $ touchstone show --short                         what a run prints at its end
  $ touchstone show dwwq --verbose                  the run whose id ends in dwwq, in full
  $ touchstone show --case refund-policy            one question, nothing shortened
  $ touchstone show --filter category=hybrid --output hybrid.md
  $ touchstone show --disagreements                 where metrics contradict each other
  $ touchstone show --disagreements paraphrase      only answers judged right in other words
${filterGrammar}${resultGrammar}`,
  run: async (input, output) => {
    const { checkFormats, checkOutputs, exitCodeAfterWriting, writeReport } = await import(
      '../write-report.ts'
    );
    const { checkKind, findPart, partInDisagreement } = await import('../../library/api/runs/run-part.ts');
    const { withStore } = await import('../../library/api/open-store.ts');
    const { findRun } = await import('../../look/queries/runs.ts');
    const { formatWorkers } = await import('../../look/reporters/run-list.ts');
    const { readWorkers } = await import('../../evaluate/run/fleet/heartbeat.ts');
    const { readSummary } = await import('../../evaluate/run/summarize.ts');
    checkFormats(input);
    const { disagreements: kind } = input;
    if (kind !== undefined) checkKind(kind);
    return await withStore({ store: input.store }, async (opened) => {
      await checkOutputs(input, { store: opened });
      const run = await findRun(opened, input.run);
      const summary = await readSummary(run, opened);
      const within = await findPart(run, opened, { ...input, cases: input.case });
      const part =
        kind === undefined ? within : await partInDisagreement(run, kind, { store: opened, within });
      const asked = input.case === undefined ? input : { ...input, verbose: true, full: true };
      const whole = input.short !== true;
      const workers = run.status === 'running' ? await readWorkers(run.id, opened) : undefined;
      const exitCode = await exitCodeAfterWriting(0, () =>
        writeReport(run, summary, { store: opened, output, choices: { ...asked, whole }, part, workers }),
      );
      if (workers !== undefined && input.json !== true)
        await output.write(formatWorkers({ run: run.id, workers }, output.view()));
      return exitCode;
    });
  },
});
