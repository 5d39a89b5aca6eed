import type { Ledger } from '../../importers/ledger.ts';
import type { Case } from '../../../core/schema/case.ts';
import { streamLines } from '../stream-json.ts';
import { type DatasetExporter, mapCases, metadataOf } from './dataset-exporter.ts';
import { writeMessages } from './write-messages.ts';

const placed = new Set(['id', 'input', 'expected.answer']);

/**
 * Items of a dataset of Langfuse, a body of `POST /api/public/dataset-items` on each line, without the name of the dataset:
 * sending them again changes nothing, as they keep their ids.
 * @see https://langfuse.com/docs/evaluation/experiments/datasets
 */
export const langfuseItems: DatasetExporter = {
  name: 'langfuse',
  title: 'Langfuse',
  write: (cases, ledger) => [
    {
      name: 'dataset-items.jsonl',
      pieces: streamLines(mapCases(cases, (testCase) => itemOf(testCase, ledger))),
    },
  ],
};

function itemOf(testCase: Case, ledger: Ledger): object {
  const { id, input, expected } = testCase;
  ledger.take('question', 'dataset item');
  if (expected.answer !== undefined) ledger.take('expected.answer', 'expectedOutput');
  return {
    id,
    input: typeof input === 'string' ? input : writeMessages(input),
    expectedOutput: expected.answer ?? null,
    metadata: metadataOf(testCase, placed, ledger),
    status: 'ACTIVE',
  };
}
