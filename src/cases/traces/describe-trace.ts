import { TouchstoneError } from '../../core/errors.ts';
import type { Feedback } from '../../core/schema/feedback/feedback.ts';
import { type KeptProposal, stateOf } from '../../core/schema/proposal/kept-proposal.ts';
import type {
  DescribedTrace,
  LaterResult,
  TraceProposal,
  TraceList,
  TraceRow,
} from '../../core/schema/trace/described-trace.ts';
import type { StoredSpan, StoredTrace } from '../../core/schema/trace/stored-trace.ts';
import { firstUnits } from '../../core/lib/text/terminal-text.ts';
import type { Store } from '../../stores/store.ts';
import { readFacts } from './trace-facts.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { matchFeedback, readFeedbackOf } from '../../stores/feedback/feedback-records.ts';
import { listTraces, readTrace } from '../../stores/traces/trace-records.ts';

/** The most runs that are looked at for a case, the newest first. */
const mostRuns = 50;

/** The most trials of one run that are listed. */
const mostTrials = 50;

/**
 * Reads a trace with everything that is known of it: its answer, its feedback, the proposals made of it, and how runs did on their
 * cases. Throws `trace-not-found`.
 */
export async function describeTrace(store: Store, id: string): Promise<DescribedTrace> {
  const trace = await findTrace(store, id);
  const { head, spans } = trace;
  await matchFeedback(store, new Date().toISOString());
  const feedback = await readFeedbackOf(store.documents, head.traceId);
  const proposals: TraceProposal[] = [];
  for await (const kept of store.documents.list(proposalKind, { where: { trace_id: head.traceId } }))
    proposals.push(await describeProposal(store, kept));
  return {
    ...head,
    ...describeFacts(trace),
    steps: spans.map(toStep),
    feedback: feedback.map(toReaction),
    proposals,
  };
}

type Facts = 'question' | 'answer' | 'tools' | 'cost' | 'tokens' | 'latencyMs' | 'error' | 'evaluations';

/** The longest text of a list, in UTF-16 code units. */
const longestText = 160;

/** The most traces, of the newest, in which a text is looked for. */
const mostSearched = 2_000;

/**
 * Lists the newest traces with their answers, what users said of them, and how many cases were proposed of each; with a text, of the newest
 * {@link mostSearched} those that have it in their question, answer or error, or in what users did.
 */
export async function listTraceRows(store: Store, limit: number, text = ''): Promise<TraceList> {
  const wanted = text.trim().toLowerCase();
  await matchFeedback(store, new Date().toISOString());
  const rows: TraceRow[] = [];
  const searched = wanted === '' ? limit : mostSearched;
  for (const { traceId } of await Array.fromAsync(store.documents.list(traceKind, { limit: searched }))) {
    if (rows.length >= limit) break;
    const trace = await readTrace(store, traceId);
    // It may have been removed since it was listed.
    if (trace === undefined || !(wanted === '' || hasText(trace, wanted))) continue;
    rows.push(await toTraceRow(store, trace));
  }
  return { traces: rows, count: await store.documents.count(traceKind) };
}

/** Returns whether the question, the answer, the error or a tool of a trace has a text, in small letters. */
function hasText(trace: StoredTrace, wanted: string): boolean {
  const { question, answer, error, tools } = describeFacts(trace);
  return [question, answer, error, ...tools].some((one) => one?.toLowerCase().includes(wanted) === true);
}

async function toTraceRow(store: Store, trace: StoredTrace): Promise<TraceRow> {
  const { traceId, startedAt, receivedAt } = trace.head;
  const { question, answer, error, cost, latencyMs } = describeFacts(trace);
  const short = (text: string | null) => (text === null ? null : firstUnits(text, longestText));
  const reactions = (await readFeedbackOf(store.documents, traceId)).map(toReaction);
  return {
    traceId,
    at: startedAt ?? receivedAt,
    question: short(question),
    answer: short(answer),
    error: short(error),
    cost,
    latencyMs,
    reactions: reactions.map(({ signal, value }) =>
      value === undefined ? signal : `${signal} ${String(value)}`,
    ),
    proposals: (await Array.fromAsync(store.documents.list(proposalKind, { where: { trace_id: traceId } })))
      .length,
  };
}

/** Describes the answer in a trace; everything is unknown of a trace without one. */
function describeFacts(trace: StoredTrace): Pick<DescribedTrace, Facts> {
  const facts = readFacts(trace);
  if (facts === undefined) {
    const unknown = { question: null, answer: null, cost: null, tokens: null, latencyMs: null, error: null };
    return { ...unknown, tools: [], evaluations: {} };
  }
  const { answer, cost, tokens, latencyMs, error = null, evaluations } = facts;
  return {
    question: facts.input === null ? null : facts.question,
    answer,
    tools: facts.tools.map(({ name }) => name),
    cost,
    tokens,
    latencyMs,
    error,
    evaluations,
  };
}

function toStep({ spanId, name, ...span }: StoredSpan): DescribedTrace['steps'][number] {
  const { parentId, startMs, endMs, error } = span;
  return {
    spanId,
    parentId: parentId ?? null,
    name,
    startMs: startMs ?? null,
    endMs: endMs ?? null,
    error: error ?? null,
  };
}

function toReaction({ id, at, signal, value, text }: Feedback): DescribedTrace['feedback'][number] {
  return { id, at, signal, value, text };
}

async function findTrace(store: Store, id: string): Promise<StoredTrace> {
  const exact = id === '' ? undefined : await readTrace(store, id);
  if (exact !== undefined) return exact;
  const [only, ...others] = id === '' ? [] : await listTraces(store.documents, { idPrefix: id, limit: 10 });
  const found = only !== undefined && others.length === 0 ? await readTrace(store, only.traceId) : undefined;
  if (found !== undefined) return found;
  const what = only === undefined ? `There is no trace "${id}".` : `"${id}" matches several traces.`;
  throw new TouchstoneError('trace-not-found', what);
}

async function describeProposal(store: Store, kept: KeptProposal): Promise<TraceProposal> {
  const { proposal, exports } = kept;
  const caseId = exports.at(-1)?.caseId ?? null;
  const results = caseId === null ? [] : await findResults(store, caseId, proposal.id);
  return { id: proposal.id, dataset: proposal.dataset, state: stateOf(kept), caseId, results };
}

/** Finds the results of runs on a case, the newest first, each target and attempt. */
async function findResults(store: Store, caseId: string, proposal: string): Promise<LaterResult[]> {
  const results: LaterResult[] = [];
  for (const { id: run, createdAt } of await store.listRuns({ limit: mostRuns })) {
    const found = await store.findCase(run, caseId);
    const origin = found?.case.metadata['origin'] as { readonly proposal?: unknown } | undefined;
    if (origin?.proposal !== proposal) continue;
    const { rows } = await store.selectTrials(run, {
      where: [{ field: 'id', operator: '=', values: [caseId] }],
      limit: mostTrials,
    });
    for (const { caseId: id, ordinal, target, attempt, status, total, passed } of rows)
      if (id === caseId)
        results.push({ run, createdAt, ordinal, target, attempt, status, score: total, passed });
  }
  return results;
}
