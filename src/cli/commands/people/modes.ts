import { TouchstoneError } from '../../../core/errors.ts';
import type { ModeEdit } from '../../../people/modes/edit-mode.ts';
import type { Output } from '../../output.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, parsed, repeated, text } from '../../program/input.ts';
import { wholeNumber } from '../../program/parse-option.ts';
import { json, outputTo, store } from '../../program/shared-inputs.ts';
import { makeMetric } from './modes/make-metric.ts';
import { suggest } from './modes/suggest.ts';
import { exportCommand, importCommand } from './modes/files.ts';

const loadWriter = async () => await import('./modes/writer.ts');

const loadApi = async () => await import('../../../library/api/modes/modes.ts');
const loadTexts = async () => await import('../../../look/reporters/modes/text.ts');

const by = text('<name>', 'who says so (default: the name in git)');
const mode = (meaning: string) => argument('<mode>', meaning);
const writing = { by, json, store };

/** The inputs that all commands have which write. */
interface Writing {
  readonly by?: string;
  readonly json?: boolean;
  readonly store?: string;
}

async function change(edit: ModeEdit, input: Writing, output: Output): Promise<number> {
  const { editMode } = await loadApi();
  const { editedText } = await loadTexts();
  const { findWriter } = await loadWriter();
  const modes = await editMode(edit, { person: await findWriter(input.by), store: input.store });
  return await output.print(input.json, modes, (found) => editedText(found, output.view()));
}

const words = {
  definition: text('<text>', 'a sentence by which a reader decides'),
  includes: repeated('<text>', 'what belongs to it; may be repeated'),
  excludes: repeated('<text>', 'what does not belong to it; may be repeated'),
};

const add = defineCommand({
  name: 'add',
  description: 'Names a failure mode. Its id is for ever; its name and its definition can change.',
  inputs: {
    id: argument('<id>', 'a short word, such as wrong-date'),
    ...words,
    name: text('<text>', 'its name (default: the id)'),
    ...writing,
  },
  run: async ({ id, name, definition, includes, excludes, ...input }, output) => {
    if (definition === undefined)
      throw new TouchstoneError(
        'usage-invalid',
        `The mode ${id} has no definition, by which readers decide.`,
        {
          remedy: `Add one: \`touchstone modes add ${id} --definition "States a date that no source gives."\`.`,
        },
      );
    return await change({ type: 'add', id, name, definition, includes, excludes }, input, output);
  },
});

const rename = defineCommand({
  name: 'rename',
  description: 'Gives a failure mode another name. Its id and its marks stay.',
  inputs: { id: mode('its id'), name: argument('<name>', 'the new name'), ...writing },
  run: async ({ id, name, ...input }, output) => await change({ type: 'rename', id, name }, input, output),
});

const redefine = defineCommand({
  name: 'redefine',
  description:
    'Gives a failure mode other words. Marks by the earlier words no longer count, unless you confirm the same meaning.',
  inputs: {
    id: mode('its id'),
    ...words,
    sameMeaning: flag('you confirm that the new words mean the same: the marks count'),
    ...writing,
  },
  run: async ({ id, definition, includes, excludes, sameMeaning, ...input }, output) =>
    await change({ type: 'redefine', id, definition, includes, excludes, sameMeaning }, input, output),
});

const merge = defineCommand({
  name: 'merge',
  description: 'Merges a failure mode into another one: the marks of both count as one.',
  inputs: { id: mode('the one that ends'), into: argument('<into>', 'the one that stays'), ...writing },
  run: async ({ id, into, ...input }, output) => await change({ type: 'merge', id, into }, input, output),
});

const split = defineCommand({
  name: 'split',
  description:
    'Replaces a failure mode by several. Its marks count for none of them, unless you confirm the same meaning.',
  inputs: {
    id: mode('the one that ends'),
    into: text('<ids>', 'the new ids, separated by commas, such as late-date,no-date'),
    definition: repeated('<text>', 'the definitions of the new ones, in the same order'),
    sameMeaning: repeated('<id>', 'a new one that means what the old one did; may be repeated'),
    ...writing,
  },
  run: async ({ id, into = '', definition = [], sameMeaning, ...input }, output) => {
    const ids = into
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    if (definition.length !== ids.length)
      throw new TouchstoneError(
        'usage-invalid',
        `There are ${ids.length} new modes and ${definition.length} definitions.`,
        {
          remedy: `Write one for each: \`touchstone modes split ${id} --into one,two --definition "…" --definition "…"\`.`,
        },
      );
    const parts = ids.map((part, place) => ({ id: part, definition: definition[place] ?? '' }));
    return await change({ type: 'split', id, into: parts, sameMeaning }, input, output);
  },
});

const retire = defineCommand({
  name: 'retire',
  description: 'Ends a failure mode. Its marks stay in the store and are no longer shown.',
  inputs: { id: mode('its id'), ...writing },
  run: async ({ id, ...input }, output) => await change({ type: 'retire', id }, input, output),
});

const sameMeaning = defineCommand({
  name: 'same-meaning',
  description:
    'States that a failure mode means what another one did, or its own earlier words: those marks count.',
  inputs: {
    id: mode('its id'),
    as: argument('<as>', 'the other one, or the same id for its earlier words'),
    version: text('<version>', 'the version, or its beginning (default: the last one)'),
    ...writing,
  },
  run: async ({ id, as, version, ...input }, output) =>
    await change({ type: 'same-meaning', id, as, version }, input, output),
});

const undo = defineCommand({
  name: 'undo',
  description: 'Takes the last change of a failure mode back, by a new record.',
  inputs: { id: mode('its id'), ...writing },
  run: async ({ id, ...input }, output) => await change({ type: 'undo', id }, input, output),
});

const mark = defineCommand({
  name: 'mark',
  description: 'Marks which failure modes an answer has. What you do not name stays not measured.',
  inputs: {
    case: argument('<question>', 'the id of the question'),
    run: text('<run>', 'the run (default: latest)'),
    target: text('<name>', 'the target (default: the first one)'),
    attempt: parsed('<n>', 'the attempt', wholeNumber(1)).default(1),
    yes: repeated('<mode>', 'a mode that it has; may be repeated'),
    no: repeated('<mode>', 'a mode that it has not; may be repeated'),
    none: flag('it has none of the other open modes'),
    first: text('<mode>', 'what went wrong first'),
    withdraw: repeated('<mode>', 'take your own mark of a mode back; may be repeated'),
    ...writing,
  },
  run: async (
    { case: of, run, target, attempt, yes = [], no = [], none, first, withdraw = [], ...input },
    output,
  ) => {
    const { markModes } = await loadApi();
    const said = [
      ...yes.map((id) => [id, true]),
      ...no.map((id) => [id, false]),
      ...withdraw.map((id) => [id, null]),
    ];
    if (said.length === 0 && none !== true)
      throw new TouchstoneError('usage-invalid', 'Nothing is said of the answer.', {
        remedy: 'Name modes: `--yes wrong-date`, `--no wrong-date`, `--none` for none of the others.',
      });
    const answer = { run, case: of, target, attempt };
    const given = {
      answer,
      modes: Object.fromEntries(said) as Record<string, boolean | null>,
      others: none === true ? (false as const) : undefined,
      first,
    };
    const { findWriter } = await loadWriter();
    const marks = await markModes(given, { person: await findWriter(input.by), store: input.store });
    return await output.print(input.json, marks, (found) => `${found.length} stored.\n`);
  },
});

const compare = defineCommand({
  name: 'compare',
  description:
    'Compares how often each failure mode occurs in two runs: by pairs where the same questions were read.',
  inputs: {
    a: argument('<a>', 'the run before'),
    b: argument('<b>', 'the run after'),
    output: outputTo('the comparison to a .md or .json file'),
    json,
    store,
  },
  run: async ({ a, b, output: names, ...input }, output) => {
    const { compareModes } = await loadApi();
    const { modeComparisonText } = await loadTexts();
    const { chooseFormats, modeComparisonFormats } = await import('../../result-files.ts');
    const files = chooseFormats(names, modeComparisonFormats);
    const found = await compareModes(a, b, { store: input.store });
    await output.print(input.json, found, () => modeComparisonText(found, output.view()));
    return await files.write(found, 0);
  },
});

/** `touchstone modes`: the failure modes of a run, with their shares. */
export const modes = defineCommand({
  name: 'modes',
  summary: 'kinds of failures, how often each occurs, and how sure that is',
  description:
    'Shows the failure modes that people named in notes: how often each occurs, in what failed and in all, with intervals, and what was not seen yet.',
  inputs: {
    run: text('<run>', 'the run (default: the newest one of which notes are taken)'),
    target: text('<name>', 'the answers of this target alone'),
    verbose: flag('with definitions and quotes').short('v'),
    output: outputTo('the table to a .md or .json file'),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone review create --notes --run latest --draw outcome --labels 80
  $ touchstone modes add wrong-date --definition "States a date that no user message gives."
  $ touchstone modes mark q17 --yes wrong-date --none
  $ touchstone modes                                the table, with intervals
  $ touchstone modes --target bot                   of one bot of the run
  $ touchstone modes merge late-date wrong-date
  $ touchstone modes suggest                        groups of notes, from the judge's model
  $ touchstone modes make-metric wrong-date         a check or a judge that finds it
  $ touchstone modes compare v1 v2                  whether a change made one worse
  $ touchstone modes export notes.csv

An answer without a mark of a mode is not measured, never "no".`,
  commands: [
    suggest,
    add,
    rename,
    redefine,
    merge,
    split,
    retire,
    sameMeaning,
    undo,
    mark,
    compare,
    makeMetric,
    exportCommand,
    importCommand,
  ],
  run: async ({ run, target, verbose, output: names, ...input }, output) => {
    const { modeTable } = await loadApi();
    const { modesText } = await loadTexts();
    const { chooseFormats, modesFormats } = await import('../../result-files.ts');
    const files = chooseFormats(names, modesFormats);
    const found = await modeTable({ run, target, store: input.store });
    await output.print(input.json, found, () => modesText(found, output.view(verbose)));
    return await files.write(found, 0);
  },
});
