import type { Ledger } from '../../importers/ledger.ts';
import type { Case } from '../../../core/schema/case.ts';
import { streamLines } from '../stream-json.ts';
import { type DatasetExporter, mapCases, metadataOf } from './dataset-exporter.ts';
import { writeMessages } from './write-messages.ts';

const placed = new Set(['input', 'expected.answer', 'tags']);

/**
 * Examples of a dataset of LangSmith, one on each line: `inputs` with a question or messages, `outputs` with the answer. Their ids
 * are those that LangSmith gives; ours are in the metadata.
 * @see https://docs.langchain.com/langsmith/manage-datasets
 */
export const langsmithExamples: DatasetExporter = {
  name: 'langsmith',
  title: 'LangSmith',
  write: (cases, ledger) => [
    {
      name: 'examples.jsonl',
      pieces: streamLines(mapCases(cases, (testCase) => exampleOf(testCase, ledger))),
    },
  ],
};

function exampleOf(testCase: Case, ledger: Ledger): object {
  const { input, expected, tags } = testCase;
  ledger.take('question', 'example');
  if (expected.answer !== undefined) ledger.take('expected.answer', 'outputs.answer');
  for (const _ of tags) ledger.take('tag', 'split');
  return {
    inputs: typeof input === 'string' ? { question: input } : { messages: writeMessages(input) },
    outputs: expected.answer === undefined ? null : { answer: expected.answer },
    metadata: {
      ...metadataOf(testCase, placed, ledger),
      ...(tags.length > 0 && { dataset_split: tags }),
    },
  };
}
