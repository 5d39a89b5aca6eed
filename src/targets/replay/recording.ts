import { formatPlace, TouchstoneError } from '../../errors.ts';
import { TargetFailure, type TargetNeeds, type TargetRequest } from '../target.ts';
import { holdsReply } from './holds-reply.ts';
import type { RecordAliases } from './record-aliases.ts';
import { readRecordings } from './read-recordings.ts';
import { type RecordedRow, readRecordedRow } from './recorded-row.ts';
import { RecordingIndex } from './recording-index.ts';
import { createRowSpool, type RowSpool } from './row-spool.ts';

/** Recorded answers, found by case and by question. */
export interface Recording {
  /** The row of a trial. Throws `not-recorded`, or `recording-ambiguous` when its question leads to several. */
  find(request: TargetRequest): RecordedRow;
  close(): void;
}

/** Whose answers are read, and where they stand. */
export interface RecordingOptions {
  readonly path: string;
  readonly aliases: RecordAliases;
  /** In an exported run of several targets, the one that is meant. */
  readonly target?: string | undefined;
}

/**
 * Reads all rows of a file. Throws `target-invalid` when two answer the same trial, when no row holds an answer, and when
 * the answers are of several targets and nothing says whose are meant.
 */
export async function readRecording(
  rows: ReturnType<TargetNeeds['readRows']>,
  { path, aliases, target }: RecordingOptions,
): Promise<Recording> {
  const index = new RecordingIndex();
  const spool = createRowSpool();
  const targets = new Set<string>();
  let columns: string[] = [];
  let replies = 0;
  for await (const read of readRecordings(rows, { aliases })) {
    const row = readRecordedRow(read, aliases);
    columns = Object.keys(row.value);
    if (!holdsReply(row.value, aliases)) continue;
    replies += 1;
    if (row.target !== undefined) targets.add(row.target);
    if (target === undefined || row.target === undefined || row.target === target)
      index.add(row, spool.put(row));
  }
  if (target === undefined && targets.size > 1) throw severalTargets(path, [...targets]);
  if (replies === 0) throw nothingRecorded(path, { columns, aliases });
  return { find: (request) => findRow(request, { index, spool, path }), close: () => spool.close() };
}

function findRow(
  request: TargetRequest,
  { index, spool, path }: { readonly index: RecordingIndex; readonly spool: RowSpool; readonly path: string },
): RecordedRow {
  const { caseId, attempt } = request;
  const [entry, other] = index.find(request);
  if (entry !== undefined && other !== undefined) {
    throw new TargetFailure(
      'recording-ambiguous',
      `No recorded answer has the id ${caseId}, and two have its question: ${formatPlace(entry.place)} and ${formatPlace(other.place)}.`,
      { latency: null },
    );
  }
  if (entry !== undefined) return spool.get(entry.handle) as RecordedRow;
  const at = attempt === 1 ? '' : ` at attempt ${attempt}`;
  throw new TargetFailure('not-recorded', `${path} holds no answer for the case ${caseId}${at}.`, {
    latency: null,
  });
}

function nothingRecorded(
  path: string,
  { columns, aliases }: { readonly columns: readonly string[]; readonly aliases: RecordAliases },
): TouchstoneError {
  const found = columns.length === 0 ? 'it has no rows' : `its columns are ${columns.join(', ')}`;
  return new TouchstoneError('target-invalid', `${path} holds no recorded answers; ${found}.`, {
    remedy: `Name the column with \`fields: { my_column: answer }\`, or call it one of ${aliases.answer.join(', ')}.`,
  });
}

function severalTargets(path: string, targets: readonly string[]): TouchstoneError {
  return new TouchstoneError(
    'target-invalid',
    `${path} holds the answers of ${targets.length} targets: ${targets.join(', ')}.`,
    { remedy: `Say whose are meant: \`target: ${targets[0]}\`.` },
  );
}
