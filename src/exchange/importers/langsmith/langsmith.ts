import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { setMember } from '../../../core/lib/objects.ts';
import { formatPlural } from '../../../look/report/format.ts';
import { toJson } from '../../../evaluate/targets/reply/to-json.ts';
import type { FoundTrial } from '../collect-trials.ts';
import type { Importer, JsonObject } from '../importer.ts';
import { findExpectedAnswer } from '../questions.ts';
import type { Ledger } from '../ledger.ts';
import { isEmpty } from '../records/payload.ts';
import { mergeRows, readCell, rowsIn } from '../content/rows.ts';
import { translateAnswer, translateCase, translateRecords } from '../records/translate-records.ts';
import { asObject, asText, type Fields, jsonObject } from '../values.ts';
import { readAnswerOf, sessionOf, translateFeedback, treesOf } from './translate-run.ts';

/**
 * Exports of LangSmith: examples of a dataset, the table of an experiment, runs and feedback.
 * @see https://docs.langchain.com/langsmith/export-traces
 */
export const langsmith: Importer = {
  name: 'langsmith',
  title: 'LangSmith',
  reads: ['comment', 'key', 'score'],
  detect(content) {
    const rows = rowsIn(content);
    const found = rows === undefined ? undefined : sortRows(rows);
    return found === undefined ? undefined : `an export of LangSmith with ${count(found)}`;
  },
  isRecorded(content) {
    const { examples: _examples, ...recorded } = sortRows(rowsIn(content) ?? []) ?? { examples: [] };
    return Object.values(recorded).some((rows) => rows.length > 0);
  },
  async read(content, ledger) {
    const rows = rowsIn(content) ?? [];
    const found = sortRows(rows) ?? sortRows(content.form === 'csv' ? rows.map(exampleOfColumns) : []);
    if (found === undefined) {
      throw new TouchstoneError('import-invalid', `${content.name}: there is nothing of LangSmith in it.`);
    }
    return translateRecords(collect(found, ledger), { title: 'LangSmith', found: count(found), ledger });
  },
};

function count({ examples, results, runs, feedback }: LangSmithRows): string {
  const cases = new Set(results.map(({ example_id: id }) => id)).size;
  const repetitions = cases === 0 ? 0 : Math.ceil(results.length / cases);
  return [
    ...(examples.length > 0 ? [formatPlural(new Set(examples.map(keyOf)).size, 'example')] : []),
    ...(results.length > 0
      ? [
          `an experiment with ${formatPlural(results.length, 'row')} of ${formatPlural(cases, 'question')} × ${formatPlural(repetitions, 'repetition')}`,
        ]
      : []),
    ...(runs.length > 0 ? [formatPlural(runs.length, 'run')] : []),
    ...(feedback.length > 0 ? [formatPlural(feedback.length, 'feedback', 'feedbacks')] : []),
  ].join(', ');
}

/** Joins examples, rows of experiments, runs and feedback into trials. */
function collect(rows: LangSmithRows, ledger: Ledger): FoundTrial[] {
  const { roots, below } = treesOf(rows.runs);
  const examples = new Map(rows.examples.map((example) => [keyOf(example), example]));
  const byId = new Map(rows.examples.map((example) => [String(example.id), example]));
  const results = new Map(rows.results.map((row) => [String(row.id), row]));
  const known = new Set([...roots.map(({ id }) => String(id)), ...results.keys()]);
  const unseen = [...new Set(rows.feedback.map(({ run_id: id }) => String(id)))].filter(
    (id) => !known.has(id),
  );
  for (const _ of unseen) noteUnseen(ledger);
  const feedback = Map.groupBy(rows.feedback, ({ run_id: id }) => String(id));
  const answers = [
    ...roots.map((root) => ({ ...results.get(String(root.id)), ...root })),
    ...rows.results.filter(({ id }) => !below.has(String(id))),
    ...unseen.map((id) => ({ id, isUnseen: true })),
  ].map((run: Fields) => {
    const exampleId = asText(run.reference_example_id) ?? asText(run.example_id);
    const example = exampleId === undefined ? undefined : byId.get(exampleId);
    return translateRun(run, {
      example: example ?? { id: exampleId, inputs: run.inputs, outputs: run.reference },
      below: below.get(String(run.id)) ?? [],
      feedback: feedback.get(String(run.id)) ?? [],
      ledger,
    });
  });
  const asked = new Set(answers.map(({ caseKey }) => caseKey));
  const unasked = [...examples].filter(([key]) => !asked.has(key));
  return [
    ...answers,
    ...unasked.map(([key, example]) => ({
      caseKey: key,
      name: asText(example.id),
      testCase: caseOf(example, ledger),
    })),
  ];
}

function noteUnseen(ledger: Ledger): void {
  ledger.approximate('run that is named by feedback only', {
    became: 'answer without a text',
    note: 'Its question and its answer are not in the file. Export the runs, too, and import the folder.',
  });
}

/** Returns the identity of an example: its content, since exports of datasets leave out the ids. */
function keyOf({ inputs, outputs }: Fields): string {
  return hashContent(toJson({ inputs: inputs ?? {}, outputs: isEmpty(outputs) ? null : outputs }));
}

/** Everything that a run is joined with. */
interface RunContext {
  readonly example: Fields;
  readonly below: readonly Fields[];
  readonly feedback: readonly Fields[];
  readonly ledger: Ledger;
}

function translateRun(run: Fields, { example, below, feedback, ledger }: RunContext): FoundTrial {
  const exampleId = asText(example.id);
  const testCase = caseOf(exampleId === undefined ? { ...example, runId: run.id } : example, ledger);
  const answer = readAnswerOf(run, below, ledger);
  const columns = asObject(run.feedback);
  const scores = translateFeedback(feedback, columns, ledger);
  const isScored = answer.error === undefined && scores.length > 0;
  if (answer.error !== undefined) noteFeedbackOnError(scores.length, ledger);
  return {
    caseKey: exampleId === undefined ? `run ${String(run.id)}` : keyOf(example),
    name: exampleId ?? asText(run.id),
    testCase,
    target: sessionOf(run) ?? 'langsmith',
    row: translateAnswer(answer, testCase, ledger),
    ...(isScored && { scores }),
  };
}

function noteFeedbackOnError(number: number, ledger: Ledger): void {
  for (let index = 0; index < number; index += 1) {
    ledger.leaveOut('feedback on a run that failed', {
      note: 'LangSmith also runs evaluators where the target failed: such feedback is about no answer.',
    });
  }
}

function caseOf(
  { id, inputs, outputs, metadata, dataset_id: dataset, attachments, runId }: Fields,
  ledger: Ledger,
): JsonObject {
  const { dataset_split: splits, ...others } = asObject(metadata) ?? {};
  if (splits !== undefined) ledger.take('dataset_split', 'tags');
  if (!isEmpty(attachments)) {
    ledger.leaveOut('attachments of an example', { note: 'Files are not in the export.' });
  }
  return translateCase(
    {
      input: inputs,
      expected: outputs,
      metadata: others,
      tags: splits,
      origin: jsonObject({ exampleId: asText(id), dataset: asText(dataset), runId: asText(runId) }),
    },
    ledger,
  );
}

/** The rows of an export of LangSmith by their kind. */
interface LangSmithRows {
  readonly examples: readonly Fields[];
  /** Rows of an experiment, with the parts of their columns apart. */
  readonly results: readonly Fields[];
  readonly runs: readonly Fields[];
  readonly feedback: readonly Fields[];
}

/** Sorts the rows of an export; undefined when none of them is of LangSmith. */
function sortRows(allRows: readonly Fields[]): LangSmithRows | undefined {
  const sorted: Record<keyof LangSmithRows, Fields[]> = { examples: [], results: [], runs: [], feedback: [] };
  for (const row of allRows) {
    const kind = kindOf(row);
    if (kind !== undefined) sorted[kind].push(kind === 'results' ? unflatten(row) : row);
  }
  const rows = {
    examples: mergeRows(sorted.examples),
    results: mergeRows(sorted.results),
    runs: mergeRows(sorted.runs),
    feedback: mergeRows(sorted.feedback),
  };
  return Object.values(rows).some((each) => each.length > 0) ? rows : undefined;
}

/** Returns the kind of a row, which is known by the members that only rows of one kind have. */
function kindOf(row: Fields): keyof LangSmithRows | undefined {
  if ('run_type' in row && ('trace_id' in row || 'dotted_order' in row)) return 'runs';
  if ('run_id' in row && 'key' in row && 'score' in row) return 'feedback';
  const names = Object.keys(row);
  const hasPart = (part: string) => names.some((name) => name.startsWith(`${part}.`));
  if (hasPart('inputs') && (hasPart('outputs') || hasPart('reference') || hasPart('feedback')))
    return 'results';
  return isExample(row) ? 'examples' : undefined;
}

/**
 * Returns the example of a row of a table with a column for each member, as the pages of LangSmith write a dataset: nothing in
 * it says which columns are outputs, so those that are named as an answer are, and the others are inputs.
 */
function exampleOfColumns({ id, metadata, ...members }: Fields): Fields {
  const isGiven = (prefix: string) => (name: string) => name.startsWith(prefix);
  const names = Object.keys(members);
  const answers = names.filter(isGiven('output'));
  const outputs = answers.length > 0 ? answers : [findExpectedAnswer(members) ?? ''];
  const pick = (isOutput: boolean) =>
    Object.fromEntries(
      names.filter((name) => outputs.includes(name) === isOutput).map((name) => [name, members[name]]),
    );
  return { id, metadata, inputs: pick(false), outputs: pick(true) };
}

/** An example has inputs, and outputs that may be empty, each an object. What has expectations too is of MLflow: its outputs are answers. */
function isExample(row: Fields): boolean {
  if (asObject(row.inputs) === undefined || !('outputs' in row) || 'expectations' in row) return false;
  return asObject(row.outputs) !== undefined || isEmpty(row.outputs);
}

/** The parts that the columns of an experiment are flattened to. */
const parts = new Set(['inputs', 'outputs', 'reference', 'feedback']);

/** Restores the parts of a row whose columns are flattened with dots. A column of deeper members keeps their dots. */
function unflatten(row: Fields): Fields {
  const result: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row)) {
    const dot = name.indexOf('.');
    const part = name.slice(0, dot);
    if (dot === -1 || !parts.has(part)) setMember(result, name, value);
    else {
      const members = asObject(result[part]) ?? {};
      // The tables of pandas have lists and objects as Python writes them.
      const isWritten = typeof value === 'string' && /^[[{]/.test(value);
      setMember(members, name.slice(dot + 1), isWritten ? readCell(value) : value);
      result[part] = members;
    }
  }
  return result;
}
