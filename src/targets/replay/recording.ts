import { formatPlace, TouchstoneError } from '../../errors.ts';
import { TargetFailure, type TargetNeeds, type TargetRequest } from '../target.ts';
import { holdsReply } from './read-recorded-reply.ts';
import type { RecordAliases } from './record-aliases.ts';
import { type RecordedRow, readRecordedRow } from './recorded-row.ts';

/** Recorded answers by case and by question. */
export interface Recording {
  /** The row of a trial. Throws `not-recorded`, or `recording-ambiguous` when its question leads to several. */
  find(request: TargetRequest): RecordedRow;
}

/**
 * Reads all rows of a file. Throws `target-invalid` when two answer the same trial, or when no row holds an answer.
 */
export async function readRecording(
  rows: ReturnType<TargetNeeds['readRows']>,
  { path, aliases }: { readonly path: string; readonly aliases: RecordAliases },
): Promise<Recording> {
  const byId = new Map<string, RecordedRow>();
  const byQuestion = new Map<string, RecordedRow[]>();
  let replies = 0;
  let columns: string[] = [];
  for await (const { value, place } of rows) {
    const row = readRecordedRow(value, place, aliases);
    columns = Object.keys(row.value);
    if (holdsReply(row, aliases)) replies += 1;
    addById(byId, row);
    addByQuestion(byQuestion, row);
  }
  if (replies === 0) throw nothingRecorded(path, columns, aliases);
  return { find: (request) => checkReply(findRow(request, byId, byQuestion), request) };

  function checkReply(row: RecordedRow | undefined, request: TargetRequest): RecordedRow {
    if (row !== undefined && holdsReply(row, aliases)) return row;
    const at = row === undefined ? path : formatPlace(row.place);
    const attempt = request.attempt === 1 ? '' : ` at attempt ${request.attempt}`;
    throw new TargetFailure(
      'not-recorded',
      `${at} holds no answer for the case ${request.caseId}${attempt}.`,
      { latency: null },
    );
  }
}

function addById(byId: Map<string, RecordedRow>, row: RecordedRow): void {
  if (row.id === undefined) return;
  const first = byId.get(trialKey(row.attempt, row.id));
  if (first !== undefined) throw duplicate(`the id "${row.id}"`, first, row);
  byId.set(trialKey(row.attempt, row.id), row);
}

/** Rows with ids of their own may share a question; without ids nothing would tell them apart. */
function addByQuestion(byQuestion: Map<string, RecordedRow[]>, row: RecordedRow): void {
  if (row.question === undefined) return;
  const key = trialKey(row.attempt, row.question);
  const others = byQuestion.get(key) ?? [];
  const first = row.id === undefined ? others.find(({ id }) => id === undefined) : undefined;
  if (first !== undefined) throw duplicate('the same question', first, row);
  byQuestion.set(key, [...others, row]);
}

function findRow(
  { caseId, input, attempt }: TargetRequest,
  byId: ReadonlyMap<string, RecordedRow>,
  byQuestion: ReadonlyMap<string, RecordedRow[]>,
): RecordedRow | undefined {
  const named = byId.get(trialKey(attempt, caseId));
  if (named !== undefined) return named;
  const [row, other] = byQuestion.get(trialKey(attempt, input)) ?? [];
  if (row === undefined || other === undefined) return row;
  throw new TargetFailure(
    'recording-ambiguous',
    `No recorded answer has the id ${caseId}, and two have its question: ${formatPlace(row.place)} and ${formatPlace(other.place)}.`,
    { latency: null },
  );
}

function trialKey(attempt: number, name: string): string {
  return `${attempt} ${name}`;
}

function duplicate(what: string, first: RecordedRow, second: RecordedRow): TouchstoneError {
  const attempt = second.attempt === 1 ? '' : ` and attempt ${second.attempt}`;
  return new TouchstoneError(
    'target-invalid',
    `Two recorded answers have ${what}${attempt}: ${formatPlace(first.place)} and ${formatPlace(second.place)}.`,
    { remedy: 'Remove one of them, or number them with `attempt`.' },
  );
}

function nothingRecorded(path: string, columns: readonly string[], aliases: RecordAliases): TouchstoneError {
  const found = columns.length === 0 ? 'it has no rows' : `its columns are ${columns.join(', ')}`;
  return new TouchstoneError('target-invalid', `${path} holds no recorded answers; ${found}.`, {
    remedy: `Name the column with \`fields: { my_column: answer }\`, or call it one of ${aliases.answer.join(', ')}.`,
  });
}
