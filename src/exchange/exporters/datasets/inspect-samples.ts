import type { Ledger } from '../../importers/ledger.ts';
import type { Case } from '../../../core/schema/case.ts';
import { streamLines } from '../stream-json.ts';
import { type DatasetExporter, mapCases, metadataOf } from './dataset-exporter.ts';
import { writeMessages } from './write-messages.ts';

const placed = new Set(['id', 'input', 'expected.answer']);

/**
 * Samples of Inspect, one on each line, for `json_dataset`.
 * @see https://inspect.aisi.org.uk/datasets.html
 */
export const inspectSamples: DatasetExporter = {
  name: 'inspect',
  title: 'Inspect',
  write: (cases, ledger) => [
    {
      name: 'samples.jsonl',
      pieces: streamLines(mapCases(cases, (testCase) => sampleOf(testCase, ledger))),
    },
  ],
};

function sampleOf(testCase: Case, ledger: Ledger): object {
  const { id, input, expected } = testCase;
  ledger.take('question', 'sample');
  if (expected.answer !== undefined) ledger.take('expected.answer', 'target');
  return {
    id,
    input: typeof input === 'string' ? input : writeMessages(input),
    target: expected.answer ?? '',
    metadata: metadataOf(testCase, placed, ledger),
  };
}
