import type { ToolCall } from '../../../core/schema/message.ts';
import type { FoundScore } from '../collect-trials.ts';
import type { Ledger } from '../ledger.ts';
import { documentsIn, isEmpty, readAnswer, sumOf } from '../records/payload.ts';
import { numberOf } from '../content/rows.ts';
import { type FoundAnswer, nameScores } from '../records/translate-records.ts';
import { asObject, asText, type Fields, jsonObject, restOf, filled } from '../values.ts';

/** Reads the answer of a run: its outputs, and of the runs below it the tool calls, documents and usage. */
export function readAnswerOf(run: Fields, below: readonly Fields[], ledger: Ledger): FoundAnswer {
  const ofType = (type: string) => below.filter(({ run_type: own }) => own === type);
  for (const { run_type: type } of below) {
    if (['tool', 'retriever', 'llm'].includes(String(type)))
      ledger.take(`run ${String(type)}`, 'part of the answer');
    else {
      ledger.leaveOut(`run ${String(type)} within another`, {
        note: 'Only tools, retrievers and models say something of the answer; the tree of other work is not stored.',
      });
    }
  }
  const tools = ofType('tool').map(toCall);
  const error = asText(run.error);
  return {
    output: run.outputs,
    error,
    isUnseen: run.isUnseen === true,
    toolCalls: filled(tools),
    documents: ofType('retriever').flatMap(({ outputs }) => documentsIn(outputs)),
    usage: usageOf(run, ofType('llm')),
    cost: numberOf(run.total_cost),
    latencyMs: latencyOf(run),
    startedAt: run.start_time ?? run.created_at,
    source: jsonObject({
      runId: run.id,
      exampleId: run.reference_example_id ?? run.example_id ?? undefined,
      session: asText(run.session_name) ?? asText(run.session_id),
      traceId: asText(run.trace_id),
      ...restOf(run, translated),
    }),
  };
}

/** The members of a run that have a place of their own in the case or the answer, or are of what ran below it. */
const translated = [
  'id inputs outputs error trace_id isUnseen session_id session_name tags reference',
  'reference_example_id example_id child_runs child_run_ids events serialized feedback',
  'feedback_stats start_time created_at inputs_preview outputs_preview metadata',
].flatMap((names) => names.split(' '));

function toCall({ name, inputs, outputs, error }: Fields): ToolCall {
  const said = asText(error);
  return jsonObject({
    name: asText(name) ?? 'unknown',
    ...(isEmpty(inputs) ? {} : { arguments: inputs }),
    ...(said !== undefined ? { error: said } : isEmpty(outputs) ? {} : { result: readAnswer(outputs).value }),
  }) as unknown as ToolCall;
}

function usageOf(run: Fields, models: readonly Fields[]): Fields | undefined {
  const total = (name: string) => numberOf(run[name]) ?? sumOf(models.map((model) => numberOf(model[name])));
  const usage = jsonObject({ inputTokens: total('prompt_tokens'), outputTokens: total('completion_tokens') });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

function latencyOf(run: Fields): number | undefined {
  const seconds = numberOf(run.execution_time);
  if (seconds !== undefined) return seconds * 1000;
  const duration = Date.parse(String(run.end_time)) - Date.parse(String(run.start_time));
  return Number.isFinite(duration) && duration >= 0 ? duration : undefined;
}

/** Returns the name of the experiment or project of a run. */
export function sessionOf(run: Fields): string | undefined {
  const metadata = asObject(asObject(run.extra)?.metadata);
  return asText(run.session_name) ?? asText(metadata?.experiment) ?? asText(run.session_id);
}

/** Returns the runs that are a whole conversation, and all below each by its id. */
export function treesOf(runs: readonly Fields[]): { roots: Fields[]; below: Map<string, Fields[]> } {
  const roots = runs.filter(({ parent_run_id: parent }) => asText(parent) === undefined);
  const byTrace = Map.groupBy(runs, (run) => String(run.trace_id ?? run.id));
  const below = new Map(
    roots.map((root) => {
      const trace = byTrace.get(String(root.trace_id ?? root.id)) ?? [];
      return [String(root.id), trace.filter((run) => run !== root).toSorted(byOrder)];
    }),
  );
  return { roots, below };
}

function byOrder(a: Fields, b: Fields): number {
  return String(a.dotted_order ?? a.start_time).localeCompare(String(b.dotted_order ?? b.start_time));
}

/** Translates the feedback on a run; the feedback in an experiment's columns where no row of feedback has the same key. */
export function translateFeedback(
  rows: readonly Fields[],
  columns: Fields | undefined,
  ledger: Ledger,
): FoundScore[] {
  const keys = new Set(rows.map(({ key }) => key));
  const others = Object.entries(columns ?? {}).filter(([key]) => !keys.has(key));
  return nameScores(
    [
      ...rows.map((row) => translateRow(row, ledger)),
      ...others.map(([name, value]) => ({ name, value: valueOf(value) })),
    ],
    ledger,
  );
}

function translateRow(row: Fields, ledger: Ledger): FoundScore & { isByPerson?: boolean } {
  const { key, score, value, comment, correction, feedback_source: source } = row;
  const measured = valueOf(score);
  const label = measured === null ? undefined : asText(value);
  const { type, user_name: author } = asObject(source) ?? {};
  if (correction !== undefined && correction !== null) ledger.keep('correction of a person', correction);
  return {
    name: asText(key) ?? 'feedback',
    value: measured ?? valueOf(value),
    explanation: asText(comment),
    ...(type === 'app' && { isByPerson: true }),
    evidence: jsonObject({
      id: asText(row.id),
      label,
      source: asText(type),
      author: asText(author),
      correction: correction ?? undefined,
      ...restOf(row, ['id', 'key', 'score', 'value', 'comment', 'correction', 'feedback_source', 'run_id']),
    }),
  };
}

/** Returns a number or a truth value, also one that is a text in a table; null for an empty cell. */
function valueOf(cell: unknown): unknown {
  if (cell === undefined || cell === null || cell === '') return null;
  if (cell === 'True' || cell === 'true') return true;
  if (cell === 'False' || cell === 'false') return false;
  return numberOf(cell) ?? cell;
}
