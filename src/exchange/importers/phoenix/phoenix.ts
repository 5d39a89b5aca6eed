import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import type { Importer, JsonObject } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { isEmpty } from '../records/payload.ts';
import { mergeRows, numberOf, rowsIn } from '../content/rows.ts';
import {
  nameScores,
  translateAnswer,
  translateCase,
  translateRecords,
} from '../records/translate-records.ts';
import { asObject, asText, type Fields, jsonObject, objectsIn, restOf } from '../values.ts';

/**
 * Exports of Phoenix: the examples of a dataset, and the runs of an experiment with their annotations.
 * @see https://arize.com/docs/phoenix/sdk-api-reference/rest-api
 */
export const phoenix: Importer = {
  name: 'phoenix',
  title: 'Phoenix',
  reads: [
    'annotations.annotator_kind',
    'annotations.name',
    'annotations.score',
    'completion_token_count',
    'prompt_token_count',
    'output',
    'repetition_number',
  ],
  detect(content) {
    const rows = sortRows(content);
    return rows === undefined ? undefined : `an export of Phoenix with ${count(rows)}`;
  },
  isRecorded(content) {
    return (sortRows(content)?.runs.length ?? 0) > 0;
  },
  async read(content, ledger) {
    const rows = sortRows(content);
    if (rows === undefined) {
      throw new TouchstoneError('import-invalid', `${content.name}: there is nothing of Phoenix in it.`);
    }
    return translateRecords(collect(rows, ledger), { title: 'Phoenix', found: count(rows), ledger });
  },
};

/** The rows of an export by their kind. */
interface PhoenixRows {
  readonly examples: readonly Fields[];
  readonly runs: readonly Fields[];
}

function sortRows(content: ImportContent): PhoenixRows | undefined {
  const rows = (rowsIn(content) ?? []).flatMap((row) => {
    const data = asObject(row.data) ?? row;
    return Array.isArray(data.examples)
      ? objectsIn(data.examples).map((each) => ({ ...each, node_id: each.node_id ?? each.id }))
      : [row];
  });
  const runs = rows
    .map((row) => ('dataset_example_id' in row ? { ...row, example_id: row.dataset_example_id } : row))
    .filter((row) => 'example_id' in row && 'repetition_number' in row)
    .map((row) => ('annotations' in row ? row : { ...row, annotations: annotationsIn(row) }));
  const examples = mergeRows([
    ...rows.filter((row) => 'node_id' in row && 'input' in row && 'output' in row),
    ...rows.map(exampleIn).filter((example) => example !== undefined),
  ]);
  return runs.length + examples.length === 0 ? undefined : { examples, runs: mergeRuns(runs) };
}

/** Merges the runs that several files of a folder contain: those with the same trace, example and repetition. */
function mergeRuns(runs: readonly Fields[]): Fields[] {
  const keyed = runs.map((run, index) => {
    const { trace_id: trace, example_id: example, repetition_number: repetition } = run;
    return {
      ...run,
      key: isEmpty(trace) ? index : JSON.stringify([trace, String(example), String(repetition)]),
    };
  });
  return mergeRows(keyed, 'key');
}

/** The columns of an annotation in the table of an experiment, behind `annotation_NAME`. */
const columns = /^annotation_(.+)_(label|score|explanation|annotator_kind|trace_id|error|metadata)$/;

/** Returns the annotations of a row of the table of an experiment, which has columns for each name. */
function annotationsIn(row: Fields): Fields[] {
  const found = new Map<string, Record<string, unknown>>();
  for (const [column, value] of Object.entries(row)) {
    const [, name, part] = columns.exec(column) ?? [];
    if (name === undefined || part === undefined || value === null) continue;
    const annotation = found.get(name) ?? { name };
    found.set(name, annotation);
    annotation[part] = value;
  }
  return [...found.values()];
}

/** Returns the example of a row of the table of a dataset, which has columns for each member; undefined for another row. */
function exampleIn(row: Fields): Fields | undefined {
  const membersOf = (part: string): (readonly [string, unknown])[] =>
    Object.entries(row).flatMap(([column, value]) =>
      (column.startsWith(`${part}_`) || column.startsWith(`${part}.`)) && value !== null
        ? [[column.slice(part.length + 1), value] as const]
        : [],
    );
  const input = membersOf('input');
  const id = row.example_id ?? row.node_id;
  const isExample = id !== undefined && !('repetition_number' in row) && input.length > 0;
  if (!isExample) return undefined;
  return {
    id,
    input: Object.fromEntries(input),
    output: Object.fromEntries(membersOf('output')),
    metadata: Object.fromEntries(membersOf('metadata')),
  };
}

function count({ examples, runs }: PhoenixRows): string {
  return [
    ...(examples.length > 0 ? [formatPlural(examples.length, 'example')] : []),
    ...(runs.length > 0 ? [formatPlural(runs.length, 'run')] : []),
  ].join(', ');
}

function collect({ examples, runs }: PhoenixRows, ledger: Ledger): FoundTrial[] {
  const known = new Map(examples.map((example) => [String(example.id), example]));
  const answers = runs.map((run) => translateRun(run, known.get(String(run.example_id)), ledger));
  const asked = new Set(answers.map(({ caseKey }) => caseKey));
  const unasked = examples.filter(({ id }) => !asked.has(String(id)));
  return [
    ...answers,
    ...unasked.map((example) => ({
      caseKey: String(example.id),
      name: asText(example.id),
      testCase: caseOf(example, ledger),
    })),
  ];
}

function caseOf({ id, input, output, metadata }: Fields, ledger: Ledger): JsonObject {
  return translateCase({ input, expected: output, metadata, origin: { exampleId: String(id) } }, ledger);
}

function translateRun(run: Fields, example: Fields | undefined, ledger: Ledger): FoundTrial {
  const id = String(run.example_id);
  const testCase = caseOf(
    example ?? { id, input: run.input, output: run.reference_output, metadata: run.metadata },
    ledger,
  );
  const error = asText(run.error);
  const annotations = objectsIn(run.annotations);
  const scores = nameScores(annotations.map(translateAnnotation), ledger);
  if (error !== undefined && scores.length > 0) {
    for (const _ of annotations) {
      ledger.leaveOut('annotation of a run that failed', { note: 'It is about no answer.' });
    }
  }
  const order = numberOf(run.repetition_number);
  return {
    caseKey: id,
    name: id,
    testCase,
    target: asText(run.experiment_name) ?? asText(run.experiment_id) ?? 'phoenix',
    row: translateAnswer(answerOf(run, error), testCase, ledger),
    order,
    ...(error === undefined && scores.length > 0 && { scores }),
  };
}

/** The members of a run that have a place of their own in the case or the answer. */
const translated = ['input', 'output', 'reference_output', 'error', 'start_time', 'latency_ms'];

function answerOf(run: Fields, error: string | undefined) {
  const duration = Date.parse(String(run.end_time)) - Date.parse(String(run.start_time));
  const latency = numberOf(run.latency_ms) ?? (duration >= 0 ? duration : undefined);
  return {
    output: run.output,
    error,
    usage: jsonObject({
      inputTokens: numberOf(run.prompt_token_count),
      outputTokens: numberOf(run.completion_token_count),
    }),
    latencyMs: latency,
    startedAt: run.start_time,
    source: jsonObject({
      id: asText(run.id),
      exampleId: run.example_id,
      repetition: run.repetition_number,
      traceId: asText(run.trace_id),
      ...restOf(run, ['id', 'example_id', 'repetition_number', 'trace_id', 'annotations', ...translated]),
    }),
  };
}

/** Translates what an evaluator or a person said of a run. Both a score and a label may be there, or an error. */
function translateAnnotation(annotation: Fields): FoundScore & { isByPerson?: boolean } {
  const { name, annotator_kind: kind, label, score, explanation, error } = annotation;
  const value = numberOf(score) ?? (isEmpty(label) ? null : label);
  const reason = asText(error);
  return {
    name: asText(name) ?? 'annotation',
    value,
    ...(kind === 'HUMAN' && { isByPerson: true }),
    ...(numberOf(score) !== undefined && asText(label) !== undefined && { label: asText(label) }),
    explanation: asText(explanation),
    ...(reason !== undefined && { failure: { code: 'evaluator-error', reason } }),
    evidence: jsonObject({
      label: asText(label),
      kind: asText(kind),
      traceId: asText(annotation.trace_id),
      ...restOf(annotation, ['name', 'annotator_kind', 'label', 'score', 'explanation', 'error', 'trace_id']),
    }),
  };
}
