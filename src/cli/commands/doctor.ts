import { defineCommand } from '../program/define-command.ts';
import { json } from '../program/shared-inputs.ts';

/** `touchstone doctor`: what is installed here, and what keeps a run from working. */
export const doctor = defineCommand({
  name: 'doctor',
  summary: 'show what is installed here, and what keeps a run from working',
  description:
    'Shows the versions of Touchstone, Node.js and the optional packages, the system, the config and the store of this folder, and what keeps a run from working. Asks no bot and no model, writes nothing, and shows no key, no question and no path outside this folder: paste it into a report of a fault.',
  inputs: { json },
  help: `
Examples:
  $ touchstone doctor
  $ touchstone doctor --json

The exit code is 0 when nothing is in the way of a run, and 4 otherwise.`,
  run: async (flags, output) => {
    const { doctor: examine } = await import('../../library/doctor.ts');
    const { doctorText } = await import('../texts/doctor.ts');
    const report = { ...(await examine()), colours: output.view().color };
    await output.print(flags.json, report, doctorText);
    return report.problems.length === 0 ? 0 : 4;
  },
});
