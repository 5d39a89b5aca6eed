import { readFile, realpath, rm, writeFile as writePlainly } from 'node:fs/promises';
import path from 'node:path';
import { cutRow, type RowText } from '../../../cases/edits/row-text.ts';
import { findRowFields } from '../../../cases/edits/row-fields.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { randomId } from '../../../core/lib/random-id.ts';
import type { RowEdit, RowView } from '../../../core/schema/api/acting/row.ts';
import { checkDraft, type LoadedCase } from '../../../evaluate/run/prepare/check-draft.ts';
import { loadLint } from '../../config/load-lint.ts';
import { writeFile } from '../write-file.ts';

/** The files of a golden set, and how they are read. */
export interface RowChoices {
  /** The files, relative to the folder. */
  readonly files: readonly string[];
  readonly folder: string;
  /** The config that says what columns mean; by default the one in the folder, if there is one. */
  readonly config?: string;
  readonly format?: string;
  readonly metadata?: readonly string[];
}

/** A row that was read: a case, or what is wrong with it. */
type ReadRow = Pick<LoadedCase, 'place'> & { readonly loaded?: LoadedCase; readonly problem?: string };

/** A row with the file that it is in. */
interface FoundRow {
  readonly row: RowText;
  readonly case: LoadedCase;
  readonly rows: readonly ReadRow[];
  readonly index: number;
  /** The file as it was named, and as it is opened. */
  readonly name: string;
  readonly file: string;
  readonly text: string;
}

/** Reads the row of a case as it is in its file. Throws `case-not-found` and `edit-refused`. */
export async function readRow(
  id: string,
  choices: RowChoices,
): Promise<Omit<RowView, 'hasChanged'> & { readonly hash: string }> {
  const found = await findRow(id, choices);
  const isTable =
    choices.format === undefined ? /\.(?:csv|tsv)$/i.test(found.file) : choices.format === 'csv';
  return {
    id,
    file: found.name,
    line: found.row.line,
    text: found.row.text,
    fields: findRowFields(found.row.text, found.row.before, isTable),
    version: hashText(found.text),
    hash: found.case.hash,
  };
}

/**
 * Replaces the row of a case in its file, and leaves every other byte as it is. Returns the id of the case, which is another one where
 * the file has no ids. Throws `edit-refused` when the file is no longer what was read, when the text is not one question, or when it
 * would change another one.
 */
export async function editRow(id: string, { text, version }: RowEdit, choices: RowChoices): Promise<string> {
  const found = await findRow(id, choices);
  if (hashText(found.text) !== version)
    throw refusal(
      `${found.name} has changed since it was read.`,
      'Open the question again; nothing was written.',
    );
  const edited = found.row.before + text + found.row.after;
  const after = await tryText(edited, found, choices);
  const changed = after[found.index];
  if (changed?.problem !== undefined)
    throw refusal(changed.problem, 'Correct the text; nothing was written.');
  const isSame = (row: ReadRow | undefined, index: number) =>
    index === found.index || keyOf(row) === keyOf(found.rows[index]);
  if (changed?.loaded === undefined || after.length !== found.rows.length || !after.every(isSame))
    throw refusal(
      'The text is not one question, or it changes others.',
      'Correct the text; nothing was written.',
    );
  const newId = changed.loaded.case.id;
  if (after.some(({ loaded }, index) => index !== found.index && loaded?.case.id === newId))
    throw refusal(
      `Another question has the id ${JSON.stringify(newId)}.`,
      'Choose another id; nothing was written.',
    );
  // Nothing may be lost that was written while the text was checked.
  if (hashText(await readText(found.file, found.name)) !== version)
    throw refusal(
      `${found.name} has changed since it was read.`,
      'Open the question again; nothing was written.',
    );
  await writeFile(found.file, [edited]);
  return newId;
}

function keyOf(row: ReadRow | undefined): string {
  return JSON.stringify([row?.loaded?.hash, row?.loaded?.case, row?.problem]);
}

/** Reads a text as if it were the file of a row, from a file next to it: what rows name is relative to their folder. */
async function tryText(text: string, { file, name }: FoundRow, choices: RowChoices): Promise<ReadRow[]> {
  const draft = path.join(path.dirname(file), `.${randomId()}.${path.basename(file)}`);
  try {
    await writePlainly(draft, text, { flag: 'wx', mode: 0o600 });
    const rows = await readRows(draft, choices);
    const own = (message: string) =>
      message.replaceAll(new RegExp(`\\S*${path.basename(draft).replaceAll('.', '\\.')}`, 'g'), name);
    return rows.map((row) => (row.problem === undefined ? row : { ...row, problem: own(row.problem) }));
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    throw refusal(error.message.replaceAll(path.basename(draft), path.basename(name)), error.remedy);
  } finally {
    await rm(draft, { force: true });
  }
}

async function findRow(id: string, choices: RowChoices): Promise<FoundRow> {
  for (const name of choices.files) {
    const rows = await readRows(name, choices);
    const index = rows.findIndex(({ loaded }) => loaded?.case.id === id);
    const found = rows[index]?.loaded;
    if (found === undefined) continue;
    const file = await realpath(path.resolve(choices.folder, name));
    const text = await readText(file, name);
    return { row: cutRow(text, rows, index), case: found, rows, index, name, file, text };
  }
  throw new TouchstoneError(
    'case-not-found',
    `There is no question ${JSON.stringify(id)} in ${choices.files.join(', ')}.`,
    { remedy: 'It may have been edited, or have another id now.' },
  );
}

async function readRows(file: string, { files: _, ...choices }: RowChoices): Promise<ReadRow[]> {
  const { dataset } = await loadLint({ ...choices, files: [file], onNotice: () => {} });
  const rows: ReadRow[] = [];
  for await (const draft of dataset.drafts()) {
    const checked = checkDraft(draft, { isOneOfMany: true });
    const { place } = draft;
    if ('problems' in checked) rows.push({ place, problem: checked.problems[0]?.message ?? '' });
    else rows.push({ place, loaded: checked });
  }
  return rows;
}

/** Reads a file of UTF-8 as it is, with the mark at its beginning. Throws `edit-refused` for other texts. */
async function readText(file: string, name: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await readFile(file));
  } catch (error) {
    throw new TouchstoneError('edit-refused', `${name} is not a text in UTF-8.`, {
      remedy: 'Edit the file with the program that wrote it.',
      cause: error,
    });
  }
}

function refusal(message: string, remedy: string): TouchstoneError {
  return new TouchstoneError('edit-refused', message, { remedy });
}
