import { z } from 'zod';
import { attachmentKinds } from '../../core/schema/message.ts';
import { formatPlace, TouchstoneError } from '../../core/errors.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { nearestName, renameRemedy } from '../../core/lib/text/nearest-name.ts';
import { createResource } from '../../core/lib/resource.ts';
import { holdsReply, readRecordedReply } from './replay/read-recorded-reply.ts';
import { readRecordings } from './replay/read-recordings.ts';
import { type RecordAliases, recordParts, verdictColumns, withColumns } from './replay/record-aliases.ts';
import { readRecordedRow, type RecordedRow } from './replay/recorded-row.ts';
import { RecordingIndex } from './replay/recording-index.ts';
import { createRowSpool, type RowSpool } from './replay/row-spool.ts';
import {
  abortedFailure,
  defineTarget,
  type Target,
  TargetFailure,
  type TargetNeeds,
  type TargetRequest,
} from './target.ts';
import { nonEmpty } from '../../core/schema/json.ts';

const options = () =>
  z.strictObject({
    path: nonEmpty().describe(
      'A data file with answers, in any format that datasets come in; relative to the config file.',
    ),
    fields: z
      .record(nonEmpty(), z.enum(recordParts))
      .default({})
      .describe('Names of your columns and what they contain: `{ my_column: answer }`.'),
    target: nonEmpty()
      .optional()
      .describe('The target whose answers are read, in an exported run of several targets.'),
    recorded: z
      .array(nonEmpty())
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
