import type { Ledger } from '../importers/ledger.ts';
import type { Exporter, ExportInput } from './exporter.ts';
import { scoreRows } from './score-rows.ts';
import { streamLines } from './stream-json.ts';

/**
 * Feedback for runs of LangSmith, one body of its interface on each line. Nothing is sent.
 * @see https://api.smith.langchain.com/redoc#tag/feedback/operation/create_feedback_api_v1_feedback_post
 */
export const langsmith: Exporter = {
  name: 'langsmith',
  title: 'LangSmith',
  writes: 'feedback for its runs, each line a body for POST /feedback',
  write: (input, ledger) => [
    { name: `${input.run.id}.langsmith-feedback.jsonl`, pieces: streamLines(writeFeedback(input, ledger)) },
  ],
};

async function* writeFeedback(input: ExportInput, ledger: Ledger): AsyncGenerator<object> {
  const needs = {
    tool: 'langsmith',
    subject: 'run of LangSmith',
    subjectOf: ({ runId }: Readonly<Record<string, unknown>>) =>
      typeof runId === 'string' && uuid.test(runId) ? runId : undefined,
  };
  for await (const { id, subject, name, value, passed, comment, metadata } of scoreRows(
    input,
    needs,
    ledger,
  )) {
    yield {
      id: toUuid(id),
      run_id: subject,
      key: name,
      score: value,
      comment,
      feedback_source: { type: 'api', metadata: { ...metadata, ...(passed !== null && { passed }) } },
    };
  }
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns 32 hexadecimal digits in the form of a UUID. */
export function toUuid(digits: string): string {
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}
