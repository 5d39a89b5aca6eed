import { defineCommand } from '../../../program/define-command.ts';
import { argument, flag, text } from '../../../program/input.ts';
import { json, store } from '../../../program/shared-inputs.ts';

const loadApi = async () => await import('../../../../library/api/modes/files.ts');

/** `touchstone modes export`: two tables. */
export const exportCommand = defineCommand({
  name: 'export',
  description:
    'Writes what was read as a table, one row for each reader of an answer, with yes, no or nothing for each mode; and modes.csv beside it, with the modes.',
  inputs: {
    file: argument('<file>', 'such as notes.csv; of modes.csv, the notes go to notes.csv beside it'),
    run: text('<run>', 'only what was read of one run'),
    store,
  },
  run: async ({ file, run, store: place }) => {
    const { exportModes } = await loadApi();
    const { toTerminalText } = await import('../../../../core/lib/text/terminal-text.ts');
    const { notes, definitions } = await exportModes(file, { run, store: place });
    console.error(toTerminalText(`Wrote what was read to ${notes}, and the modes to ${definitions}.`));
    return 0;
  },
});

/** `touchstone modes import`: the tables that an export wrote, or a spreadsheet. */
export const importCommand = defineCommand({
  name: 'import',
  description:
    'Adds a table of what was read, with the modes of modes.csv beside it. Rows without a probability count as picked by hand: they give no shares.',
  inputs: {
    file: argument('<file>', 'such as notes.csv'),
    blind: flag(
      'you confirm that readers saw no verdict of a judge, no score and no notes of others; without it, labels made of these marks do not count towards a certificate',
    ),
    by: text('<name>', 'who adds the modes, and confirms --blind (default: the name in git)'),
    json,
    store,
  },
  run: async ({ file, blind, by, json: isJson, store: place }, output) => {
    const { importModes } = await loadApi();
    const { findWriter } = await import('./writer.ts');
    const person = await findWriter(by);
    const blindSaidBy = blind === true ? person : undefined;
    const added = await importModes(file, { person, blindSaidBy, store: place });
    return await output.print(isJson, added, ({ modes, notes, marks, byHand }) => {
      const hand = byHand === 0 ? '' : `; ${byHand} answers were picked by hand: no shares`;
      return `Added ${modes} modes, ${notes} notes and ${marks} marks${hand}.\n`;
    });
  },
});
