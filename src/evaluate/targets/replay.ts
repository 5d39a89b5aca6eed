import { closeSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { z } from 'zod';
import { attachmentKinds } from '../../core/schema/message.ts';
import { formatPlace, TouchstoneError } from '../../core/errors.ts';
import { packNumbers, unpackNumbers } from '../../core/lib/json/pack-numbers.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { nearestName, renameRemedy } from '../../core/lib/text/nearest-name.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { createResource } from '../../core/lib/resource.ts';
import { holdsReply, readRecordedReply } from './replay/read-recorded-reply.ts';
import { readRecordings } from './replay/read-recordings.ts';
import { type RecordAliases, recordParts, verdictColumns, withColumns } from './replay/record-aliases.ts';
import { readRecordedRow, type RecordedRow } from './replay/recorded-row.ts';
import { RecordingIndex } from './replay/recording-index.ts';
import {
  abortedFailure,
  defineTarget,
  type Target,
  TargetFailure,
  type TargetNeeds,
  type TargetRequest,
} from './target.ts';

const options = () =>
  z.strictObject({
    path: z
      .string()
      .min(1)
      .describe(
        'A data file with answers, in any format that datasets come in; relative to the config file.',
      ),
    fields: z
      .record(z.string().min(1), z.enum(recordParts))
      .default({})
      .describe('Names of your columns and what they contain: `{ my_column: answer }`.'),
    target: z
      .string()
      .min(1)
      .optional()
      .describe('The target whose answers are read, in an exported run of several targets.'),
    recorded: z
      .array(z.string().min(1))
      .default([...verdictColumns])
      .describe('Columns to record with the answer, such as a reward, for the metric `recorded-score`.'),
  });

/**
 * Previously recorded answers as a target: nothing is called. A row is found by the id of the case, else by its
 * question; a case without a recorded answer is not measured.
 */
export const replay = defineTarget({
  name: 'replay',
  version: 1,
  summary: 'Answers recorded in a file; nothing is called.',
  words: 'recorded answers, existing answers, logs, traces, offline, no calls, transcripts, CSV with answers',
  example: { path: 'answers.jsonl' },
  options,
  create: ({ path, fields, target, recorded }, { readRows }): Target => {
    const aliases = withColumns(fields);
    const recording = createResource(
      async () => await readRecording(readRows(path), { path, aliases, target }),
      (read) => read.close(),
    );
    return {
      holdsConversation: true,
      // Its bot was asked before, with whatever the questions have.
      takes: attachmentKinds,
      open: async () => void (await recording.get()),
      recordedAt: async () => (await recording.get()).recordedAt,
      call: async (request, { signal }) => {
        if (signal.aborted) throw abortedFailure(signal);
        return readRecordedReply((await recording.get()).find(request), { aliases, recorded });
      },
      close: recording.close,
    };
  },
});

/** Recorded answers, found by case or by question. */
interface Recording {
  /** Returns the row of a trial. Throws `not-recorded`, or `recording-ambiguous` when its question matches several. */
  find(request: TargetRequest): RecordedRow;
  /** The time of the first answer, ISO 8601; undefined unless every row states one. */
  readonly recordedAt: string | undefined;
  close(): void;
}

/** The file to read and the names of its columns. */
interface RecordingOptions {
  readonly path: string;
  readonly aliases: RecordAliases;
  /** The target whose answers are read from an exported run of several targets. */
  readonly target?: string;
}

/**
 * Reads all rows of a file. Throws `target-invalid` when two answer the same trial, when no row contains an answer, and
 * when the answers are of several targets and none is chosen.
 */
async function readRecording(
  rows: ReturnType<TargetNeeds['readRows']>,
  { path, aliases, target }: RecordingOptions,
): Promise<Recording> {
  const index = new RecordingIndex();
  const spool = createRowSpool();
  const targets = new Set<string>();
  let columns: string[] = [];
  let replies = 0;
  const times = createFirstTime();
  for await (const read of readRecordings(rows, { aliases })) {
    const row = readRecordedRow(read, aliases);
    columns = Object.keys(row.value);
    if (!holdsReply(row.value, aliases)) continue;
    replies += 1;
    if (row.target !== undefined) targets.add(row.target);
    if (target !== undefined && row.target !== undefined && row.target !== target) continue;
    times.add(row.startedAt);
    index.add(row, spool.put(row));
  }
  if (target === undefined && targets.size > 1) throw severalTargets(path, [...targets]);
  if (replies === 0) throw nothingRecorded(path, { columns, aliases });
  return {
    find: (request) => findRow(request, { index, spool, path }),
    recordedAt: times.first(),
    close: () => spool.close(),
  };
}

/** Creates a search for the first of many times; there is none when one of them is unknown. */
function createFirstTime() {
  let first: string | undefined;
  let isKnown = true;
  return {
    add: (time: string | undefined): void => {
      if (time === undefined) isKnown = false;
      else if (first === undefined || time < first) first = time;
    },
    first: (): string | undefined => (isKnown ? first : undefined),
  };
}

/** A store of rows that are written once and read one by one, with a limit on the memory it takes. */
interface RowSpool {
  /** Stores a row and returns the handle to read it by. */
  put(row: object): number;
  get(handle: number): object;
  /** Removes all rows. */
  close(): void;
}

/**
 * Creates an empty spool. Its file, if one becomes necessary, is readable by its owner alone and has no name where the
 * system allows that.
 */
export function createRowSpool(): RowSpool {
  const rows: (Buffer | Stored)[] = [];
  const withLongNumbers = new Set<number>();
  let total = 0;
  let file: SpoolFile | undefined;
  return {
    put: (row) => {
      const packed = packNumbers(row);
      if (packed !== row) withLongNumbers.add(rows.length);
      const bytes = serialize(packed);
      total += bytes.length;
      rows.push(total <= maxBytesInMemory ? bytes : (file ??= createFile()).write(bytes));
      return rows.length - 1;
    },
    get: (handle) => {
      const row = rows[handle];
      if (row === undefined) throw new RangeError(`There is no row ${handle}.`);
      const read: unknown = deserialize(Buffer.isBuffer(row) ? row : (file as SpoolFile).read(row));
      return (withLongNumbers.has(handle) ? unpackNumbers(read) : read) as object;
    },
    close: () => {
      file?.close();
      rows.length = 0;
    },
  };
}

/** The most bytes kept in memory; further rows go to a file. */
const maxBytesInMemory = 8 * 2 ** 20;

/** The position of a row in the file. */
interface Stored {
  readonly offset: number;
  readonly length: number;
}

interface SpoolFile {
  write(bytes: Buffer): Stored;
  read(stored: Stored): Buffer;
  close(): void;
}

function createFile(): SpoolFile {
  const name = path.join(tmpdir(), `touchstone-${randomId()}`);
  const descriptor = openSync(name, 'wx+', 0o600);
  const isNameless = process.platform !== 'win32';
  if (isNameless) unlinkSync(name);
  let end = 0;
  return {
    write: (bytes) => {
      writeSync(descriptor, bytes, 0, bytes.length, end);
      end += bytes.length;
      return { offset: end - bytes.length, length: bytes.length };
    },
    read: ({ offset, length }) => {
      const bytes = Buffer.alloc(length);
      readSync(descriptor, bytes, 0, length, offset);
      return bytes;
    },
    close: () => {
      closeSync(descriptor);
      if (!isNameless) unlinkSync(name);
    },
  };
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
  throw new TargetFailure('not-recorded', `${path} has no answer for the question ${caseId}${at}.`, {
    latency: null,
  });
}

function nothingRecorded(
  path: string,
  { columns, aliases }: { readonly columns: readonly string[]; readonly aliases: RecordAliases },
): TouchstoneError {
  const found = columns.length === 0 ? 'it has no rows' : `its columns are ${columns.join(', ')}`;
  const slip = columns.find((name) => nearestName(name, ['answer'], 2) !== undefined);
  return new TouchstoneError('target-invalid', `${displayPath(path)} has no recorded answers; ${found}.`, {
    remedy: slip === undefined ? nameColumns(path, aliases) : renameRemedy(slip, 'answer'),
  });
}

/** Says what to call the column of the answers, and what to write where in a config to keep its name. */
function nameColumns(path: string, { answer }: RecordAliases): string {
  const file = JSON.stringify(displayPath(path));
  const setting = `dataset: { path: ${file}, fields: { my_column: recorded.answer } }`;
  return (
    `Call the column of the answers one of ${answer.join(', ')}. Or keep its name: write \`${setting}\` to touchstone.config.yaml ` +
    'and add `--config .`; in a `replay` target of a config, write `fields: { my_column: answer }`.'
  );
}

function severalTargets(path: string, targets: readonly string[]): TouchstoneError {
  return new TouchstoneError(
    'target-invalid',
    `${path} has the answers of ${targets.length} targets: ${targets.join(', ')}.`,
    { remedy: `Choose one: \`target: ${targets[0]}\`.` },
  );
}
