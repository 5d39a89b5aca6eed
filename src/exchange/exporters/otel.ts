import type { Ledger } from '../importers/ledger.ts';
import { encodeRecords, encodeSpans } from '../telemetry/encode-spans.ts';
import { placeOfRun } from '../telemetry/span.ts';
import { evaluationEvents, trialSpans } from '../telemetry/trial-spans.ts';
import { noteOwnParts, noteUnasked, wasAsked } from './common-parts.ts';
import type { Exporter, ExportInput } from './exporter.ts';
import { streamLines } from './stream-json.ts';

/**
 * Evaluation results as log records of OpenTelemetry, after the spans that they are about: JSON Lines of OTLP, as its file
 * exporter writes them.
 * @see https://opentelemetry.io/docs/specs/semconv/gen-ai/gen-ai-events/
 */
export const otel: Exporter = {
  name: 'otel',
  title: 'OpenTelemetry',
  writes: 'spans, and evaluation results as log records (OTLP in JSON Lines)',
  write: (input, ledger) => [
    { name: `${input.run.id}.otlp.jsonl`, pieces: streamLines(writeTrials(input, ledger)) },
  ],
};

/** The text of a run is the user's own; its secrets were removed before it was stored. */
const asItIs = (text: string): string => text;

async function* writeTrials({ run, results }: ExportInput, ledger: Ledger): AsyncGenerator<object> {
  noteOwnParts(run, ledger);
  // Every trial is a trace of its own, so that a reader finds its results without the results of others.
  const place = { ...placeOfRun(run, Date.parse(run.createdAt)), isApart: true };
  for await (const result of results()) {
    if (!wasAsked(result)) {
      noteUnasked(ledger, result);
      continue;
    }
    ledger.take('answer', 'spans of a trace');
    const needs = { run, place, withContent: true };
    const [first, ...others] = trialSpans(result, needs);
    if (first === undefined) continue;
    const id = { 'gen_ai.response.id': result.trial.key };
    const root = { ...first, attributes: { ...first.attributes, ...id }, events: [] };
    yield encodeSpans([root, ...others], asItIs);
    const events = evaluationEvents(result, { timeMs: first.endMs, run, withContent: true });
    if (events.length === 0) continue;
    const { traceId, spanId } = first;
    const records = events.map((event) => {
      const isMeasured = event.attributes['gen_ai.evaluation.score.value'] !== undefined;
      if (isMeasured) ledger.take('verdict', 'evaluation result');
      else ledger.take('verdict that was not measured', 'evaluation result with an error and no value');
      return { traceId, spanId, event: { ...event, attributes: { ...event.attributes, ...id } } };
    });
    for (const verdict of Object.values(result.verdicts)) {
      if (verdict.status === 'not-applicable')
        ledger.leaveOut('verdict that does not apply', { note: 'The conventions have no word for it.' });
    }
    yield encodeRecords(records, asItIs);
  }
}
