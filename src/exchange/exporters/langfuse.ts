import type { Ledger } from '../importers/ledger.ts';
import type { Exporter, ExportInput } from './exporter.ts';
import { scoreRows } from './score-rows.ts';
import { streamLines } from './stream-json.ts';

/**
 * Scores for traces of Langfuse, one body of its interface on each line. Nothing is sent.
 * @see https://api.reference.langfuse.com/#tag/score/post/api/public/scores
 */
export const langfuse: Exporter = {
  name: 'langfuse',
  title: 'Langfuse',
  writes: 'scores for its traces, each line a body for POST /api/public/scores',
  write: (input, ledger) => [
    { name: `${input.run.id}.langfuse-scores.jsonl`, pieces: streamLines(writeScores(input, ledger)) },
  ],
};

async function* writeScores(input: ExportInput, ledger: Ledger): AsyncGenerator<object> {
  const needs = {
    tool: 'langfuse',
    subject: 'trace of Langfuse',
    subjectOf: ({ traceId }: Readonly<Record<string, unknown>>) =>
      typeof traceId === 'string' ? traceId : undefined,
  };
  for await (const { id, subject, name, value, passed, comment, metadata } of scoreRows(
    input,
    needs,
    ledger,
  )) {
    yield {
      id,
      traceId: subject,
      name,
      value,
      dataType: 'NUMERIC',
      comment,
      metadata: { ...metadata, ...(passed !== null && { passed }) },
    };
  }
}
