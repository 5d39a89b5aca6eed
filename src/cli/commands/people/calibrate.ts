import path from 'node:path';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import type { Output } from '../../output.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, type InputOf, parsed, text } from '../../program/input.ts';
import { coefficient } from '../../program/parse-option.ts';
import { json, reviewTask, store } from '../../program/shared-inputs.ts';

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
    "Compares the judge of a metric with people's labels: agreement, the corrected pass rate, and every condition for a certificate, which is written only if all are met. Makes no calls.",
  inputs,
  help: `
Examples:
  $ touchstone calibrate --rubric tone                 the newest review task with this rubric
  $ touchstone calibrate --rubric tone --json
  $ touchstone calibrate latest --rubric tone --task tone-2026   the rate of another run
  $ touchstone calibrate --rubric tone --least-agreement 0.6 --tuned
  $ touchstone calibrate --rubric tone --history       what was tried, and what was refused

The conditions are explained in docs/calibrate.md.

Exit codes:
  0  all required conditions are met, and the certificate is written
  2  no certificate: a required condition is not met, or not measured
  4  wrong usage, or labels that cannot be compared with verdicts`,
  run: async (input, output) => await (input.history === true ? listHistory : certify)(input, output),
});

type CalibrateInput = InputOf<typeof inputs>;

async function listHistory({ rubric, ...input }: CalibrateInput, output: Output): Promise<number> {
  const { listCalibrations } = await import('../../../library/api/calibrate.ts');
  const { describeHistory } = await import('../../texts/calibration.ts');
  const calibrations = await listCalibrations({ store: input.store, rubric });
  await output.print(input.json, { calibrations }, () => describeHistory(calibrations, rubric));
  return 0;
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
