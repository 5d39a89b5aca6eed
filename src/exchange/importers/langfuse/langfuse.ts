import { hashContent } from '../../../core/lib/content-hash.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { FoundTrial } from '../collect-trials.ts';
import type { Importer, JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { readQuestion } from '../records/payload.ts';
import { rowsIn } from '../content/rows.ts';
import { translateAnswer, translateCase, translateRecords } from '../records/translate-records.ts';
import { asText, type Fields, jsonObject, restOf } from '../values.ts';
import { type LangfuseRows, scoreColumns, sortRows } from './sort-rows.ts';
import { translateColumns, translateScores } from './translate-scores.ts';
import { namesOf, readAnswerOf, tracesOfRoots } from './translate-trace.ts';

/**
 * Exports of Langfuse: dataset items, traces with their observations and scores, and items of dataset runs, as its interface,
 * its pages and its blob storage write them.
 * @see https://langfuse.com/docs/api-and-data-platform/features/export-from-ui
 */
export const langfuse: Importer = {
  name: 'langfuse',
  title: 'Langfuse',
  reads: [
    'status',
    'id',
    'name',
    'level',
    'type',
    'authorUserName',
    'dataType',
    'data_type',
    'observations.output',
    'observations.usageDetails.input',
    'observations.usageDetails.output',
  ],
  detect(content) {
    const rows = rowsIn(content);
    const found = rows === undefined ? undefined : sortRows(rows);
    return found === undefined ? undefined : `an export of Langfuse with ${count(found)}`;
  },
  isRecorded(content) {
    const { items: _items, ...recorded } = sortRows(rowsIn(content) ?? []) ?? { items: [] };
    return Object.values(recorded).some((rows) => rows.length > 0);
  },
  async read(content, ledger) {
    const found = sortRows(rowsIn(content) ?? []);
    if (found === undefined) {
      throw new TouchstoneError('import-invalid', `${content.name}: there is nothing of Langfuse in it.`);
    }
    const trials = collect(found, ledger);
    if (trials.length === 0) {
      const message = `${content.name}: ${count(found)}, but neither a question nor a score of an answer.`;
      throw new TouchstoneError('import-invalid', message, {
        remedy: 'Export the dataset items and the traces as well, and import the folder with all files.',
      });
    }
    return translateRecords(trials, { title: 'Langfuse', found: count(found), ledger });
  },
};

function count({ items, traces, observations, scores, runItems }: LangfuseRows): string {
  return [
    [items.length, 'dataset item'] as const,
    [traces.length, 'trace'] as const,
    [observations.length, 'observation'] as const,
    [scores.length, 'score'] as const,
    [runItems.length, 'item of a dataset run'] as const,
  ]
    .filter(([number]) => number > 0)
    .map(([number, noun]) =>
      noun.startsWith('item of') && number > 1
        ? `${number} items of dataset runs`
        : formatPlural(number, noun),
    )
    .join(', ');
}

/** Joins items, traces and scores into trials. An item without a trace is a case that was not asked. */
function collect(rows: LangfuseRows, ledger: Ledger): FoundTrial[] {
  const items = rows.items.filter(isActive(ledger));
  const roots = tracesOfRoots(rows.traces, rows.observations);
  const scored = scoresByTrace(rows.scores, ledger);
  const context = {
    scored,
    ledger,
    hasScores: rows.scores.length > 0,
    columns: scoreColumns(rows.traces),
    items: new Map(items.map((item) => [String(item.id), item])),
    runItems: new Map(rows.runItems.map((each) => [String(each.traceId), each])),
    observations: Map.groupBy(rows.observations, ({ traceId }) => String(traceId)),
  };
  const known = new Set([...rows.traces, ...roots].map(({ id }) => String(id)));
  const unseen = [...scored.keys()].filter((id) => !known.has(id));
  const traces = [...rows.traces, ...roots, ...unseen.map((id) => ({ id, isUnseen: true }))];
  noteUnseen(unseen.length, ledger);
  const answered = traces.map((trace) => translateTrace(trace, context));
  const keys = new Set(answered.map(({ caseKey }) => caseKey));
  const unasked = items.filter(({ id }) => !keys.has(itemKey(id)));
  return [
    ...answered,
    ...unasked.map((item) => ({
      caseKey: itemKey(item.id),
      name: asText(item.id),
      testCase: caseOfItem(item, ledger),
    })),
  ];
}

function isActive(ledger: Ledger): (item: Fields) => boolean {
  return ({ status }) => {
    if (status !== 'ARCHIVED') return true;
    ledger.leaveOut('archived dataset item', { note: 'Langfuse keeps it out of its runs.' });
    return false;
  };
}

function noteUnseen(number: number, ledger: Ledger): void {
  for (let index = 0; index < number; index += 1) {
    ledger.approximate('trace that is named by a score only', {
      became: 'answer without a text',
      note: 'Its question and its answer are not in the file. Export the traces, too, and import the folder.',
    });
  }
}

/** Everything that traces are joined with, by the ids of the traces or of their own. */
interface TraceContext {
  readonly items: ReadonlyMap<string, Fields>;
  readonly runItems: ReadonlyMap<string, Fields>;
  readonly observations: ReadonlyMap<string, readonly Fields[]>;
  readonly scored: ReadonlyMap<string, readonly Fields[]>;
  readonly hasScores: boolean;
  /** The columns of traces that are scores. */
  readonly columns: readonly string[];
  readonly ledger: Ledger;
}

function translateTrace(trace: Fields, context: TraceContext): FoundTrial {
  const { ledger } = context;
  const id = String(trace.id);
  const runItem = context.runItems.get(id);
  const item = runItem === undefined ? undefined : context.items.get(String(runItem.datasetItemId));
  const observations = context.observations.get(id) ?? [];
  const testCase = item === undefined ? caseOfTrace(trace, ledger) : caseOfItem(item, ledger);
  if (runItem !== undefined) ledger.take('item of a dataset run', 'join of question and answer');
  const answer = readAnswerOf(trace, observations, ledger);
  const scores = context.hasScores
    ? translateScores(context.scored.get(id) ?? [], namesOf(observations), ledger)
    : translateColumns(trace, context.columns, ledger);
  noteRest(trace, ledger);
  return {
    caseKey: item === undefined ? `trace ${id}` : itemKey(item.id),
    name: asText(item?.id) ?? id,
    testCase,
    target: runOf(runItem ?? {}) ?? 'langfuse',
    row: translateAnswer(answer, testCase, ledger),
    ...(answer.error === undefined && scores.length > 0 && { scores }),
  };
}

/** Returns the name of a dataset run. */
function runOf(runItem: Fields): string | undefined {
  return asText(runItem.datasetRunName) ?? asText(runItem.runName) ?? asText(runItem.datasetRunId);
}

function itemKey(id: unknown): string {
  return `item ${String(id)}`;
}

function caseOfItem(item: Fields, ledger: Ledger): JsonObject {
  const { input, expectedOutput, metadata } = item;
  if (item.mediaReferences !== undefined && item.mediaReferences !== null) {
    ledger.leaveOut('media of a dataset item', {
      note: 'Files are not in the export; only their names are.',
    });
  }
  return translateCase(
    {
      input,
      expected: expectedOutput,
      metadata,
      origin: jsonObject({
        langfuseTrace: asText(item.sourceTraceId),
        dataset: asText(item.datasetName),
        ...restOf(
          {
            langfuseItem: restOf(item, [
              'status',
              'id',
              'input',
              'expectedOutput',
              'metadata',
              'sourceTraceId',
              'datasetName',
            ]),
          },
          [],
        ),
      }),
    },
    ledger,
  );
}

/** A question that is asked in several traces is a case of each of them; they are not independent. */
function caseOfTrace({ id, input, metadata, tags }: Fields, ledger: Ledger): JsonObject {
  const question = readQuestion(input).value;
  const cluster = question === undefined ? undefined : `question ${hashContent({ question }).slice(0, 12)}`;
  return translateCase({ input, metadata, tags, cluster, origin: { langfuseTrace: String(id) } }, ledger);
}

/** Groups scores by their trace. Scores of a session or of a whole run are about no single answer. */
function scoresByTrace(scores: readonly Fields[], ledger: Ledger): Map<string, Fields[]> {
  const groups = new Map<string, Fields[]>();
  for (const score of scores) {
    const id = asText(score.traceId);
    if (id === undefined) {
      ledger.leaveOut(`score ${String(score.name)} of a session or of a whole run`, {
        note: 'It is not about one answer.',
      });
    } else groups.set(id, [...(groups.get(id) ?? []), score]);
  }
  return groups;
}

/** The members of a trace that nothing reads. */
function noteRest(trace: Fields, ledger: Ledger): void {
  const kept = ['name', 'sessionId', 'userId', 'release', 'version', 'environment'];
  for (const name of kept)
    if (asText(trace[name]) !== undefined) ledger.keep(`${name} of a trace`, trace[name]);
  if (Array.isArray(trace.comments) && trace.comments.length > 0) {
    ledger.leaveOut('comments on a trace', { note: 'They are remarks of people without a score.' });
  }
}
