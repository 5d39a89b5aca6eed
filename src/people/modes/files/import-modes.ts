import { type Place, TouchstoneError } from '../../../core/errors.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { modeIdSchema } from '../../../core/schema/modes/mode.ts';
import { personSchema } from '../../../core/schema/review/label.ts';
import type { Store } from '../../../stores/store.ts';
import { editMode } from '../edit-mode.ts';
import { markModes } from '../mark-modes.ts';
import { openModes, readModes } from '../read-modes.ts';
import { modeColumn } from './export-modes.ts';
import { invalidRow } from './row-errors.ts';
import { type NoteRow, storeNotes } from './store-notes.ts';

/** A row of a table, with its place in the file. */
export interface TableRow {
  readonly value: unknown;
  readonly place: Place;
}

/** The numbers of what a file has added. */
export interface ImportedModes {
  readonly modes: number;
  readonly notes: number;
  readonly marks: number;
  /** The number of answers without a probability: picked by hand, they give no shares. */
  readonly byHand: number;
}

/** A row of a table of what was read, checked. */
interface ReadRow extends NoteRow {
  readonly first: string | undefined;
  readonly modes: Readonly<Record<string, boolean>>;
}

/**
 * Adds the tables that `exportNotes` and `exportDefinitions` write, or others like them: modes that are not there, notes that are not there, and marks
 * that differ. What is there already adds nothing, so that an import that was broken off can be repeated. Rows without a probability are taken as picked
 * by hand.
 * @throws TouchstoneError `import-invalid` with the line of a row that cannot be used, `mode-conflict` for a mode with other words in the store.
 */
export async function importModes(
  store: Store,
  {
    notes,
    definitions,
    person,
    blindSaidBy,
  }: {
    readonly notes: AsyncIterable<TableRow>;
    readonly definitions: AsyncIterable<TableRow>;
    readonly person: string;
    /** The person who states that readers saw no verdict of a judge, no score and no note of others. */
    readonly blindSaidBy?: string;
  },
): Promise<ImportedModes> {
  const rows: ReadRow[] = [];
  for await (const { value, place } of notes) rows.push(readNoteRow(value, place));
  const defined = await readDefinitions(definitions);
  const known = new Set(openModes(await readModes(store.documents)).map(({ id }) => id));
  for (const { place, modes } of rows)
    for (const id of Object.keys(modes))
      if (!known.has(id) && defined.get(id)?.state !== 'open')
        throw invalidRow(
          place,
          `the mode ${id} has no definition; it belongs into modes.csv beside the file`,
        );
  const modes = await addModes(store, defined, person);
  const stored = await storeNotes(store, rows, blindSaidBy);
  let marks = 0;
  for (const [place, row] of rows.entries()) {
    const note = stored.notes[place];
    if (note === undefined || Object.keys(row.modes).length === 0) continue;
    const given = { answer: { note }, modes: row.modes, first: row.first };
    marks += (await markModes(store, given, { by: { person: row.reviewer as string } })).length;
  }
  return { modes, notes: stored.added, marks, byHand: stored.byHand };
}

/** A mode as a table describes it. */
interface Definition {
  readonly id: string;
  readonly name: string;
  readonly definition: string;
  readonly includes: string[];
  readonly excludes: string[];
  readonly state: string;
  readonly into: string[];
}

async function readDefinitions(rows: AsyncIterable<TableRow>): Promise<Map<string, Definition>> {
  const found = new Map<string, Definition>();
  for await (const { value, place } of rows) {
    const text = cellsOf(value);
    const id = text('id');
    if (!modeIdSchema.safeParse(id).success)
      throw invalidRow(place, `"${id}" is no id of a mode, such as wrong-date`);
    const definition = text('definition');
    if (definition === '') throw invalidRow(place, `the mode ${id} has no definition`);
    const lines = (name: string) =>
      text(name)
        .split('\n')
        .filter((line) => line !== '');
    const into = text('into')
      .split(/[\s,]+/)
      .filter((each) => each !== '');
    const [includes, excludes] = [lines('includes'), lines('excludes')];
    found.set(id, {
      id,
      name: text('name') || id,
      definition,
      includes,
      excludes,
      state: text('state') || 'open',
      into,
    });
  }
  return found;
}

/** Adds the modes that are not there, then what became of them. Returns their number. */
async function addModes(
  store: Store,
  defined: ReadonlyMap<string, Definition>,
  person: string,
): Promise<number> {
  const { documents } = store;
  const before = (await readModes(documents)).current;
  const by = { by: { person } };
  const fresh = [...defined.values()].filter((mode) => {
    const own = before.get(mode.id);
    if (own !== undefined && own.definition !== mode.definition)
      throw new TouchstoneError(
        'mode-conflict',
        `The mode ${mode.id} has other words in the store than in the file.`,
        {
          remedy: `Make them the same first: \`touchstone modes redefine ${mode.id} --definition "…"\`.`,
        },
      );
    return own === undefined;
  });
  const parts = new Set(fresh.filter(({ state }) => state === 'split').flatMap(({ into }) => into));
  for (const { state: _state, into: _into, ...mode } of fresh.filter(({ id }) => !parts.has(id)))
    await editMode(documents, { type: 'add', ...mode }, by);
  for (const { id, state, into } of fresh.filter((mode) => mode.state === 'split')) {
    const made = into.flatMap((part) => defined.get(part) ?? []);
    if (state === 'split') await editMode(documents, { type: 'split', id, into: made }, by);
  }
  for (const { id, state, into } of fresh) {
    if (state === 'merged') await editMode(documents, { type: 'merge', id, into: into[0] ?? '' }, by);
    if (state === 'retired') await editMode(documents, { type: 'retire', id }, by);
  }
  return fresh.length;
}

function readNoteRow(value: unknown, place: Place): ReadRow {
  const text = cellsOf(value);
  const given = (name: string): string | undefined => text(name) || undefined;
  const caseId = given('case');
  if (caseId === undefined) throw invalidRow(place, 'the column `case` has no question');
  const reviewer = given('reviewer');
  if (reviewer !== undefined && !personSchema.safeParse(reviewer).success)
    throw invalidRow(place, 'the column `reviewer` has no name of a person');
  const modes = marksIn(value, place);
  if (reviewer === undefined && Object.keys(modes).length > 0)
    throw invalidRow(place, 'the column `reviewer` is empty, and modes are marked');
  return {
    place,
    case: caseId,
    target: given('target'),
    attempt: attemptOf(given('attempt') ?? '1', place),
    run: given('run'),
    stratum: given('stratum') ?? 'all',
    probability: probabilityOf(text('probability'), place),
    reviewer,
    at: timeOf(text('at'), place),
    isWrong: yesOrNo(text('anything_wrong'), 'anything_wrong', place) ?? Object.values(modes).includes(true),
    note: text('note'),
    first: given('first'),
    modes,
  };
}

/** Reads the columns of modes. */
function marksIn(value: unknown, place: Place): Record<string, boolean> {
  const text = cellsOf(value);
  const modes: Record<string, boolean> = {};
  for (const name of Object.keys(Object(value)).filter((each) => each.startsWith(modeColumn))) {
    const said = yesOrNo(text(name), name, place);
    if (said !== undefined) modes[name.slice(modeColumn.length)] = said;
  }
  return modes;
}

function attemptOf(text: string, place: Place): number {
  const attempt = Number(text);
  if (Number.isInteger(attempt) && attempt >= 1) return attempt;
  throw invalidRow(place, `"${text}" is no number of an attempt`);
}

function probabilityOf(text: string, place: Place): number | null {
  if (text === '') return null;
  const probability = Number(text);
  if (probability > 0 && probability <= 1) return probability;
  throw invalidRow(place, `the probability ${text} is not above 0 and at most 1`);
}

function timeOf(text: string, place: Place): Date {
  const time = new Date(text === '' ? timeNow() : text);
  if (Number.isNaN(time.getTime()))
    throw invalidRow(place, `"${text}" is no time such as 2026-11-28T10:00:00Z`);
  return time;
}

function yesOrNo(text: string, column: string, place: Place): boolean | undefined {
  if (text === '') return undefined;
  if (/^(?:yes|true|1)$/i.test(text)) return true;
  if (/^(?:no|false|0)$/i.test(text)) return false;
  throw invalidRow(place, `the column \`${column}\` has "${text}", and it takes yes, no or nothing`);
}

/** Returns a reader of the cells of a row, without the apostrophe that keeps a spreadsheet from reading a formula. */
function cellsOf(value: unknown): (name: string) => string {
  const row = Object(value) as Readonly<Record<string, unknown>>;
  return (name) => {
    const cell = row[name];
    const text = typeof cell === 'string' ? cell : cell === undefined || cell === null ? '' : String(cell);
    return text.replace(/^'(?=\s*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20])/u, '').trim();
  };
}
