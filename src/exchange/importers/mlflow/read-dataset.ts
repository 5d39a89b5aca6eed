import type { FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import { readCell, rowsOf } from '../content/rows.ts';
import type { Ledger } from '../ledger.ts';
import { translateAnswer, translateCase } from '../records/translate-records.ts';
import { asObject, asText, type Fields, jsonObject, restOf } from '../values.ts';

/** Members of a row that have a place of their own in a question or an answer. */
const placed = ['inputs', 'expectations', 'outputs', 'tags'];

/**
 * Reads the data of an evaluation, as `mlflow.genai.evaluate` takes it and `mlflow.genai.datasets` stores it: rows with `inputs`, and
 * `expectations` in some of them. Undefined for anything else.
 * @see https://mlflow.org/docs/latest/genai/datasets/
 */
export function readDataset(content: ImportContent): Fields[] | undefined {
  const rows = rowsOf(content)?.map((row): Fields => {
    const read = (name: string) => (name in row ? { [name]: readCell(row[name]) } : {});
    return { ...row, ...read('inputs'), ...read('expectations'), ...read('outputs'), ...read('tags') };
  });
  if (rows === undefined || !rows.every(({ inputs }) => asObject(inputs) !== undefined)) return undefined;
  return rows.some(({ expectations }) => asObject(expectations) !== undefined) ? rows : undefined;
}

/** Translates a row to a question, and its outputs, where it has some, to an answer that was never scored. */
export function translateDatasetRow(row: Fields, ledger: Ledger): FoundTrial {
  const { inputs, outputs, tags } = row;
  const { expected_response: expected, ...others } = asObject(row.expectations) ?? {};
  const metadata = { ...asObject(tags), ...others };
  const origin = jsonObject(restOf(row, placed));
  const testCase = translateCase({ input: inputs, expected, metadata, origin }, ledger);
  const isAnswered = outputs !== undefined && outputs !== null;
  return {
    caseKey: JSON.stringify([inputs, row.expectations]),
    testCase,
    name: asText(row.dataset_record_id),
    ...(isAnswered && { row: translateAnswer({ output: outputs, source: {} }, testCase, ledger) }),
  };
}
