import { hashText } from '../../../core/lib/content-hash.ts';
import { findObjections, type RatedTrace } from '../../traces/pick-traces.ts';
import type { FoundDocuments, SourceDocument, TraceText } from './document.ts';

/** The longest text of one tool, document or answer that is asked about, in UTF-16 code units. */
const longestText = 50_000;

/** The fewest letters and digits that a trace must show. */
const fewestLetters = 20;

/**
 * Makes a document of each trace: what its tools returned and its searches found, the answer as its user corrected it, and the
 * answer itself where no user and no judge objected to it. Failed traces, and traces that show almost nothing, are skipped.
 */
export function describeTraces(traces: readonly RatedTrace[]): FoundDocuments {
  const answered = traces.filter(({ facts }) => facts.error === undefined);
  const documents = answered.flatMap((trace) => {
    const texts = textsOf(trace);
    const letters =
      texts
        .map(({ text }) => text)
        .join(' ')
        .match(/[\p{L}\p{N}]/gu) ?? [];
    return letters.length < fewestLetters ? [] : [describeTrace(trace, texts)];
  });
  const notices: string[] = [];
  const leave = (count: number, reason: string) => {
    if (count > 0) notices.push(`${count} of ${traces.length} traces were skipped: ${reason}.`);
  };
  leave(traces.length - answered.length, 'they failed');
  leave(answered.length - documents.length, 'their tools, searches and answers show too little');
  return { documents, notices };
}

function describeTrace({ facts }: RatedTrace, texts: readonly TraceText[]): SourceDocument {
  const { traceId, rootSpanId: spanId, day, question } = facts;
  const text = texts.map((each) => `# ${nameOf(each)}\n${each.text}`).join('\n\n');
  const trace = { traceId, spanId, day, question: cut(question, 2000), texts };
  // The question is shown with each passage, so that a change of it asks again.
  return { id: traceId, place: `trace ${traceId}`, text, hash: hashText(text), trace };
}

function nameOf(text: TraceText): string {
  if (text.type === 'tool') return `Result of ${text.name}`;
  if (text.type === 'document') return `Document ${text.id}`.replaceAll(/\s+/g, ' ');
  return text.type === 'answer' ? 'Answer' : 'Answer as the user corrected it';
}

function textsOf(trace: RatedTrace): TraceText[] {
  const { tools, documents, answer } = trace.facts;
  const correction = trace.feedback.findLast(({ signal, text }) => signal === 'edit' && text !== undefined);
  const texts: TraceText[] = [
    ...tools.map(({ name, spanId, result }): TraceText => {
      return { type: 'tool', name, spanId, text: toText(result) };
    }),
    ...documents.map(({ id, text = '' }): TraceText => ({ type: 'document', id, text })),
  ];
  if (correction?.text !== undefined)
    texts.push({ type: 'correction', feedback: correction.id, text: correction.text });
  else if (findObjections(trace).length === 0) texts.push({ type: 'answer', text: answer ?? '' });
  return texts
    .map((each) => ({ ...each, text: cut(each.text.trim(), longestText) }))
    .filter(({ text }) => text !== '');
}

/** Returns the result of a tool as a text: JSON with a line for each value, so that passages end between them. */
function toText(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result, null, 1) ?? '');
}

function cut(text: string, longest: number): string {
  return text.length <= longest ? text : text.slice(0, longest).toWellFormed();
}
