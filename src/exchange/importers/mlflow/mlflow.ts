import { TouchstoneError } from '../../../core/errors.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import type { Importer } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { documentsIn } from '../records/payload.ts';
import {
  nameScores,
  translateAnswer,
  translateCase,
  translateRecords,
} from '../records/translate-records.ts';
import { asArray, asNumber, asObject, asText, type Fields, jsonObject, restOf, textOf } from '../values.ts';
import { type FoundTrace, readTraces } from './read-traces.ts';

const title = 'MLflow';

/**
 * Evaluations of MLflow: the data for `mlflow.genai.evaluate` and the table that it returns (JSON Lines, JSON, CSV), its traces with
 * assessments, and the table of the classic `mlflow.evaluate`.
 * @see https://mlflow.org/docs/latest/genai/eval-monitor/
 */
export const mlflow: Importer = {
  name: 'mlflow',
  title,
  reads: [
    '*/value',
    'assessments.assessment_name',
    'assessments.expectation.value',
    'assessments.feedback.value',
    'assessments.source.source_id',
    'assessments.source.source_type',
    'assessments.valid',
    'execution_duration',
    'execution_duration_ms',
  ],
  detect(content) {
    const found = readTraces(content);
    if (found !== undefined) return describe(found);
    const rows = readDataset(content);
    return rows === undefined ? undefined : describeRows(rows);
  },
  isRecorded(content) {
    return readDataset(content)?.some(({ outputs }) => (outputs ?? null) !== null) ?? true;
  },
  async read(content, ledger) {
    const found = readTraces(content);
    if (found === undefined) {
      const rows = readDataset(content);
      if (rows === undefined) throw notFound(content);
      const read = rows.map((row) => translateDatasetRow(row, ledger));
      return translateRecords(read, { title, found: describeRows(rows), ledger });
    }
    const runs = new Set(found.map(({ run }) => run));
    const trials = found.map((trace) => translateTrace(trace, { isOneRun: runs.size === 1, ledger }));
    return translateRecords(trials, { title, found: describe(found), ledger });
  },
};

function notFound({ name }: ImportContent): TouchstoneError {
  const message = `${name}: it contains no evaluation of MLflow: no table with columns such as \`correctness/value\`, no traces, and no rows of \`inputs\` and \`expectations\`.`;
  return new TouchstoneError('import-invalid', message);
}

function describe(found: readonly FoundTrace[]): string {
  const names = new Set(found.flatMap(({ assessments }) => assessments.map((each) => each.name)));
  return `${formatPlural(found.length, 'trace')} of MLflow, with ${formatPlural(names.size, 'assessment')}`;
}

function describeRows(rows: readonly Fields[]): string {
  return `data for evaluations of MLflow, ${formatPlural(rows.length, 'row')}`;
}

function translateTrace(
  trace: FoundTrace,
  { isOneRun, ledger }: { readonly isOneRun: boolean; readonly ledger: Ledger },
): FoundTrial {
  const expectations = Object.fromEntries(trace.expectations);
  const { expected_response: expected, ...others } = expectations;
  const testCase = translateCase(
    { input: trace.request, expected, metadata: { ...trace.tags, ...others } },
    ledger,
  );
  return {
    caseKey: JSON.stringify([trace.request, expectations]),
    testCase,
    target: isOneRun || trace.run === undefined ? 'mlflow' : `run ${trace.run.slice(0, 8)}`,
    row: rowOf(trace, testCase, ledger),
    ...(trace.error === undefined && { scores: nameScores(scoresOf(trace, ledger), ledger) }),
  };
}

function rowOf(trace: FoundTrace, testCase: ReturnType<typeof translateCase>, ledger: Ledger): Fields {
  const { error, usage, latencyMs, startedAt, traceId, spans, rest } = trace;
  const tools = spans.filter(({ type }) => type === 'TOOL');
  const found = spans
    .filter(({ type }) => type === 'RETRIEVER')
    .flatMap(({ outputs }) => documentsIn(outputs));
  if (spans.length > tools.length + found.length + 1)
    ledger.leaveOut('spans within a trace', {
      note: 'Only tool calls and retrieved documents are taken from them.',
    });
  return translateAnswer(
    {
      output: trace.response,
      error,
      ...(tools.length > 0 && {
        toolCalls: tools.map(
          ({ name, inputs, outputs }) =>
            jsonObject({ name, arguments: asObject(inputs) ?? { value: inputs }, result: outputs }) as never,
        ),
      }),
      documents: found,
      usage,
      latencyMs,
      startedAt,
      source: jsonObject({ traceId, ...rest }),
    },
    testCase,
    ledger,
  );
}

function scoresOf({ assessments }: FoundTrace, ledger: Ledger): (FoundScore & { isByPerson: boolean })[] {
  return assessments.flatMap(({ name, value, error, rationale, source, rest, isReplaced }) => {
    if (isReplaced) {
      ledger.leaveOut(`assessment ${name} that was replaced`, {
        note: 'MLflow marks it as not valid any more.',
      });
      return [];
    }
    const { source_type: type, source_id: by } = source;
    const failure = error === undefined ? undefined : { code: 'scorer-error', reason: error };
    return [
      {
        name,
        ...readValue(value),
        ...(rationale !== undefined && { explanation: rationale }),
        ...(failure !== undefined && { failure }),
        isByPerson: type === 'HUMAN',
        evidence: jsonObject({ source: asText(type), by: asText(by), ...rest }),
      },
    ];
  });
}

/** Returns a value as a score. A list of values is counted by the share of those that hold. */
function readValue(value: unknown): Pick<FoundScore, 'value' | 'passed'> {
  const number = asNumber(value);
  if (number !== undefined || !Array.isArray(value)) return { value };
  const held = asArray(value).map((each) =>
    typeof each === 'string' ? /^(?:yes|true|pass)$/i.test(each) : each,
  );
  const isTruth = held.length > 0 && held.every((each) => typeof each === 'boolean');
  return isTruth ? { value: held.filter(Boolean).length / held.length } : { value: textOf(value) };
}

/** Members of a row that have a place of their own in a question or an answer. */
const placedOfRow = ['inputs', 'expectations', 'outputs', 'tags'];

/**
 * Reads the data of an evaluation, as `mlflow.genai.evaluate` takes it and `mlflow.genai.datasets` stores it: rows with `inputs`, and
 * `expectations` in some of them. Undefined for anything else.
 * @see https://mlflow.org/docs/latest/genai/datasets/
 */
function readDataset(content: ImportContent): Fields[] | undefined {
  const rows = rowsOf(content)?.map((row): Fields => {
    const read = (name: string) => (name in row ? { [name]: readCell(row[name]) } : {});
    return { ...row, ...read('inputs'), ...read('expectations'), ...read('outputs'), ...read('tags') };
  });
  if (rows === undefined || !rows.every(({ inputs }) => asObject(inputs) !== undefined)) return undefined;
  return rows.some(({ expectations }) => asObject(expectations) !== undefined) ? rows : undefined;
}

/** Translates a row to a question, and its outputs, where it has some, to an answer that was never scored. */
function translateDatasetRow(row: Fields, ledger: Ledger): FoundTrial {
  const { inputs, outputs, tags } = row;
  const { expected_response: expected, ...others } = asObject(row.expectations) ?? {};
  const metadata = { ...asObject(tags), ...others };
  const origin = jsonObject(restOf(row, placedOfRow));
  const testCase = translateCase({ input: inputs, expected, metadata, origin }, ledger);
  const isAnswered = outputs !== undefined && outputs !== null;
  return {
    caseKey: JSON.stringify([inputs, row.expectations]),
    testCase,
    name: asText(row.dataset_record_id),
    ...(isAnswered && { row: translateAnswer({ output: outputs, source: {} }, testCase, ledger) }),
  };
}
