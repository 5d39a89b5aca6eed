import path from 'node:path';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import type { Output } from '../../output.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, type InputOf, parsed, text } from '../../program/input.ts';
import { coefficient, wholeNumber } from '../../program/parse-option.ts';
import { json, maxCost, reviewTask, store, yes } from '../../program/shared-inputs.ts';
import { placeFlags, storeOf } from '../../program/store-of.ts';

const inputs = {
  run: argument('[run]', 'the run whose pass rate to correct (default: the run that was labelled)'),
  rubric: text('<id>', 'the rubric whose labels to use').required(),
  task: text('<task>', `the review task: ${reviewTask}`),
  leastAgreement: parsed(
    '<number>',
    'the agreement that people must reach with each other: the lower limit of kappa or AC1',
    coefficient,
  ).default(0.4),
  tuned: flag('the judge was tuned on labels: count only the half that is set aside for certifying'),
  improve: flag(
    'edit the words of the judge by the half of the labels for tuning, and certify nothing: asks models',
  ),
  candidates: parsed('<n>', 'with --improve: how many edits to try (default: 6)', wholeNumber(1, 20)),
  model: text('<model>', "with --improve: the model that edits (default: that of the config's judge)"),
  maxCost,
  config: text('<config>', 'with --improve: the config to change (default: the one in this folder)'),
  yes,
  by: text('<name>', 'who calibrates, for the record (default: the name in git)'),
  history: flag('list earlier calibrations with this rubric, refused ones too, and calibrate nothing'),
  output: text(
    '<file>',
    'where to write the certificate (default: calibrations/JUDGE@FINGERPRINT.json)',
  ).short('o'),
  json,
  store,
};

/** `touchstone calibrate [run]`: a judge compared with people's labels; exits with 2 when it gets no certificate. */
export const calibrate = defineCommand({
  name: 'calibrate',
  summary: 'compare a judge with people, and certify it',
  description:
    "Compares the judge of a metric with people's labels: agreement, the corrected pass rate, and every condition for a certificate, which is written only if all are met. Makes no calls, except with --improve.",
  inputs,
  help: `
Examples:
  $ touchstone calibrate --rubric tone                 the newest review task with this rubric
  $ touchstone calibrate --rubric tone --json
  $ touchstone calibrate latest --rubric tone --task tone-2026   the rate of another run
  $ touchstone calibrate --rubric tone --least-agreement 0.6 --tuned
  $ touchstone calibrate --rubric tone --improve --max-cost 2      better words for the judge
  $ touchstone calibrate --rubric tone --history       what was tried, and what was refused

The conditions are explained in docs/calibrate.md.

Exit codes:
  0  all required conditions are met, and the certificate is written
  2  no certificate: a required condition is not met, or not measured
  4  wrong usage, or labels that cannot be compared with verdicts`,
  run: async (input, output) => await chosen(input)(input, output),
});

function chosen({ history, improve: isImproved }: CalibrateInput) {
  if (isImproved === true) return improve;
  return history === true ? listHistory : certify;
}

type CalibrateInput = InputOf<typeof inputs>;

async function listHistory({ rubric, ...input }: CalibrateInput, output: Output): Promise<number> {
  const { listCalibrations } = await import('../../../library/api/calibrate.ts');
  const { describeHistory } = await import('../../texts/calibration.ts');
  const calibrations = await listCalibrations({ store: input.store, rubric });
  return await output.print(input.json, { calibrations }, () => describeHistory(calibrations, rubric));
}

async function certify(input: CalibrateInput, output: Output): Promise<number> {
  const api = await import('../../../library/api/calibrate.ts');
  const { withStore } = await import('../../../library/api/open-store.ts');
  const { checkOutputFiles } = await import('../../../library/api/output-files.ts');
  const { writeFile } = await import('../../../library/api/write-file.ts');
  const { certificateFile } = await import('../../../people/reviews/calibrate/calibrate.ts');
  const { readGitPerson } = await import('../../git-person.ts');
  const { describeCalibration } = await import('../../texts/calibration.ts');
  const { run, rubric, task, leastAgreement, tuned: isTuned } = input;
  return await withStore({ store: input.store }, async (opened) => {
    const by = input.by ?? (await readGitPerson(process.cwd()));
    await checkOutputFiles(input.output === undefined ? [] : [input.output], { store: opened });
    const choice = { store: opened, rubric, run, task, leastAgreement, isTuned, by };
    const { calibration, certificate } = await api.calibrate(choice);
    const file =
      certificate === null ? null : (input.output ?? path.join('calibrations', certificateFile(calibration)));
    await output.print(input.json, { calibration, certificate, file }, () =>
      describeCalibration(calibration),
    );
    if (file === null) return 2;
    await checkOutputFiles([file], { store: opened });
    await writeFile(file, [jsonDocument(certificate)]);
    console.error(toTerminalText(`Wrote the certificate to ${displayPath(path.resolve(file))}.`));
    return 0;
  });
}

/** Edits the words of the judge, shows what they are worth on the half for tuning, and writes the config after a yes. */
async function improve(input: CalibrateInput, output: Output): Promise<number> {
  const { improveJudge } = await import('../../../library/api/judges/improve.ts');
  const { describeImprovement, describeImproved, describePlan } = await import('../../texts/improvement.ts');
  const { run, rubric, task, candidates, model } = input;
  const improvement = await improveJudge({
    ...storeOf(input),
    run,
    rubric,
    task,
    candidates,
    model,
    maxCost: input.maxCost,
    onPlanned: (plan) => console.error(describePlan(plan)),
    confirm: async (planned) => {
      if (input.json !== true) await output.write(describeImprovement(planned));
      if (input.yes === true) return true;
      const { confirm } = await import('../../confirm.ts');
      await confirm({
        question: 'Write it to the config?',
        unasked: 'The judge was edited, and nothing was written.',
        remedy: 'Write the config with `--yes`.',
        refused: 'Nothing was written.',
      });
      return true;
    },
  });
  return await output.print(input.json, improvement, () => describeImproved(improvement, placeFlags(input)));
}
