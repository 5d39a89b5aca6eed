import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import { toJson } from '../../../evaluate/targets/reply/to-json.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { ImportContent } from '../content/content.ts';
import type { Importer } from '../importer.ts';
import type { Ledger } from '../ledger.ts';
import { isEmpty, sumOf } from '../records/payload.ts';
import { mergeRows, numberOf, rowsIn } from '../content/rows.ts';
import {
  nameScores,
  translateAnswer,
  translateCase,
  translateRecords,
} from '../records/translate-records.ts';
import {
  asArray,
  asObject,
  asText,
  type Fields,
  jsonObject,
  objectsIn,
  restOf,
  textOf,
  filled,
} from '../values.ts';

/**
 * Exports of Braintrust: rows of a dataset, and the events of an experiment, of which those without a parent are trials.
 * @see https://www.braintrust.dev/docs/reference/api
 */
export const braintrust: Importer = {
  name: 'braintrust',
  title: 'Braintrust',
  reads: [
    '.metrics.start',
    '.metrics.end',
    '.metrics.completion_tokens',
    '.metrics.prompt_tokens',
    '.output',
    'scores.*',
  ],
  detect(content) {
    const rows = sortRows(eventsIn(content));
    return rows === undefined ? undefined : `an export of Braintrust with ${count(rows)}`;
  },
  isRecorded(content) {
    const rows = sortRows(eventsIn(content));
    return rows !== undefined && rows.roots.length + rows.spans.length > 0;
  },
  async read(content, ledger) {
    const rows = sortRows(eventsIn(content));
    if (rows === undefined) {
      throw new TouchstoneError('import-invalid', `${content.name}: there is nothing of Braintrust in it.`);
    }
    return translateRecords(collect(rows, ledger), { title: 'Braintrust', found: count(rows), ledger });
  },
};

/** Returns the rows of an export; the interface returns the rows of an experiment as `events`. */
function eventsIn(content: ImportContent): readonly Fields[] {
  const { events } = asObject(content.form === 'json' ? content.value : undefined) ?? {};
  return Array.isArray(events) ? objectsIn(events) : (rowsIn(content) ?? []);
}

/** The rows of an export by their kind. */
interface BraintrustRows {
  readonly items: readonly Fields[];
  /** Events without a parent: each is an answer. */
  readonly roots: readonly Fields[];
  /** All other events. */
  readonly spans: readonly Fields[];
}

function sortRows(rows: readonly Fields[]): BraintrustRows | undefined {
  const sorted: Record<keyof BraintrustRows, Fields[]> = { items: [], roots: [], spans: [] };
  for (const row of rows) {
    const kind = kindOf(row);
    if (kind !== undefined) sorted[kind].push(isTableRow(row) ? withMembers(row) : row);
  }
  const [items, roots, spans] = [mergeRows(sorted.items), mergeRows(sorted.roots), mergeRows(sorted.spans)];
  return items.length + roots.length + spans.length === 0 ? undefined : { items, roots, spans };
}

/** Returns the kind of a row, which is known by the members that only rows of one kind have. */
function kindOf(row: Fields): keyof BraintrustRows | undefined {
  if (!('input' in row && 'expected' in row && 'id' in row)) return undefined;
  if (isTableRow(row)) return 'roots';
  if ('_xact_id' in row && 'dataset_id' in row) return 'items';
  if (!('span_attributes' in row) || !('root_span_id' in row)) return undefined;
  const isRoot = row.is_root ?? (row.span_id === row.root_span_id || asArray(row.span_parents).length === 0);
  return isRoot === true ? 'roots' : 'spans';
}

/** The table of an experiment has a column for each score, and the members of objects in columns of their own. */
function isTableRow(row: Fields): boolean {
  return 'output' in row && Object.keys(row).some((name) => /^(?:scores|metrics)\../.test(name));
}

function withMembers(row: Fields): Fields {
  const membersOf = (part: string) =>
    Object.fromEntries(
      Object.entries(row)
        .filter(([name]) => name.startsWith(`${part}.`))
        .map(([name, value]) => [name.slice(part.length + 1), value]),
    );
  return { ...row, scores: membersOf('scores'), metrics: membersOf('metrics') };
}

function count({ items, roots, spans }: BraintrustRows): string {
  return [
    ...(items.length > 0 ? [formatPlural(items.length, 'row of a dataset', 'rows of a dataset')] : []),
    ...(roots.length > 0 ? [`an experiment with ${formatPlural(roots.length, 'attempt')}`] : []),
    ...(spans.length > 0
      ? [`${formatPlural(spans.length, 'span')} below them, ${spans.filter(isScore).length} of scorers`]
      : []),
  ].join(', ');
}

function collect({ items, roots, spans }: BraintrustRows, ledger: Ledger): FoundTrial[] {
  const below = Map.groupBy(spans, ({ root_span_id: id }) => String(id));
  const known = new Map(items.map((item) => [keyOf(item), item]));
  const answers = roots.map((root) =>
    translateRoot(root, below.get(String(root.root_span_id)) ?? [], ledger),
  );
  const asked = new Set(answers.map(({ caseKey }) => caseKey));
  const unasked = [...known].filter(([key]) => !asked.has(key));
  return [
    ...answers.map((answer) => ({ ...answer, name: asText(known.get(answer.caseKey)?.id) ?? answer.name })),
    ...unasked.map(([key, item]) => ({
      caseKey: key,
      name: asText(item.id),
      testCase: caseOf(item, ledger),
    })),
  ];
}

/** Returns the identity of a case: its content, since the trials of one input are its attempts. */
function keyOf({ input, expected }: Fields): string {
  return hashContent(toJson({ input: input ?? null, expected: isEmpty(expected) ? null : expected }));
}

function caseOf({ input, expected, metadata, tags }: Fields, ledger: Ledger) {
  return translateCase({ input, expected, metadata, tags }, ledger);
}

function translateRoot(root: Fields, spans: readonly Fields[], ledger: Ledger): FoundTrial {
  const testCase = caseOf(root, ledger);
  const error = errorOf(root.error);
  const scores = nameScores(scoresOf(root, spans), ledger);
  if (error !== undefined) noteScoresOnError(scores.length, ledger);
  noteSpans(spans, ledger);
  return {
    caseKey: keyOf(root),
    name: asText(root.dataset_record_id) ?? asText(root.id),
    testCase,
    target: asText(root.experiment_name) ?? asText(root.experiment_id) ?? 'braintrust',
    row: translateAnswer(answerOf(root, spans, error), testCase, ledger),
    ...(error === undefined && scores.length > 0 && { scores }),
  };
}

function answerOf(root: Fields, spans: readonly Fields[], error: string | undefined) {
  const metrics = asObject(root.metrics) ?? {};
  const models = belowTasks(spans)
    .filter((span) => typeOf(span) === 'llm')
    .map((span) => asObject(span.metrics) ?? {});
  const total = (name: string) =>
    numberOf(metrics[name]) ?? sumOf(models.map((each) => numberOf(each[name])));
  const calls = belowTasks(spans)
    .filter((span) => typeOf(span) === 'tool')
    .toSorted(byStart)
    .map(toCall);
  const duration = (numberOf(metrics.end) ?? Number.NaN) - (numberOf(metrics.start) ?? Number.NaN);
  return {
    output: root.output,
    error,
    toolCalls: filled(calls),
    usage: jsonObject({
      inputTokens: total('prompt_tokens'),
      outputTokens: total('completion_tokens'),
      cachedTokens: total('prompt_cached_tokens'),
      reasoningTokens: total('completion_reasoning_tokens'),
    }),
    cost: total('estimated_cost'),
    ...(duration >= 0 && { latencyMs: duration * 1000 }),
    startedAt: root.created ?? metrics.start,
    source: jsonObject({
      id: root.id,
      rootSpanId: asText(root.root_span_id),
      experiment: asText(root.experiment_id),
      created: asText(root.created),
      ...restOf(root, translated),
      ...(spans.length > 0 && { spans: spans.map((span) => restOf(span, translatedOfSpan)) }),
    }),
  };
}

/** The members of a span below an answer that have a place of their own. */
const translatedOfSpan = ['input', 'output', 'expected', 'scores', 'root_span_id', 'span_parents'];

/** The members of a span that have a place of their own in the case or the answer. */
const translated = [
  'id input output expected metadata tags scores error root_span_id experiment_id experiment_name',
  'created dataset_record_id',
].flatMap((names) => names.split(' '));

/** Returns the spans that are not of a scorer: what a judge asks and calls is not the target's. */
function belowTasks(spans: readonly Fields[]): Fields[] {
  const children = new Map<unknown, Fields[]>();
  for (const span of spans) {
    for (const parent of asArray(span.span_parents))
      if (children.get(parent)?.push(span) === undefined) children.set(parent, [span]);
  }
  const ofScorers = new Set(spans.filter(isScore));
  // A set yields what is added to it while it is read.
  for (const span of ofScorers) {
    for (const child of children.get(asText(span.span_id)) ?? []) ofScorers.add(child);
  }
  return spans.filter((span) => !ofScorers.has(span));
}

/** Returns the scores of a trial. Those that are null were not given; the span of the scorer says why. */
function scoresOf(root: Fields, spans: readonly Fields[]): FoundScore[] {
  const scores = asObject(root.scores) ?? {};
  const scorers = new Map(spans.filter(isScore).map((span) => [nameOf(span), span]));
  const names = [...new Set([...Object.keys(scores), ...scorers.keys()])];
  return names.map((name): FoundScore => {
    const scorer = scorers.get(name);
    const own = asObject(scorer?.scores)?.[name];
    const value = numberOf(scores[name] ?? own) ?? null;
    const reason = errorOf(scorer?.error);
    const { rationale, choice } = asObject(scorer?.metadata) ?? {};
    return {
      name,
      value,
      explanation: asText(rationale),
      ...(value === null && reason !== undefined && { failure: { code: 'scorer-error', reason } }),
      evidence: jsonObject({ choice: choice ?? undefined }),
    };
  });
}

function noteScoresOnError(number: number, ledger: Ledger): void {
  for (let index = 0; index < number; index += 1) {
    ledger.leaveOut('score of an attempt without an answer', { note: 'It is about no answer.' });
  }
}

function noteSpans(spans: readonly Fields[], ledger: Ledger): void {
  const own = new Set(belowTasks(spans));
  for (const span of spans) {
    const type = typeOf(span) ?? 'unknown';
    if (!own.has(span) && !isScore(span)) {
      ledger.leaveOut(`span ${type} of a scorer`, {
        note: 'It is of what graded the answer, not of the target.',
      });
      continue;
    }
    if (['score', 'tool', 'llm', 'task'].includes(type)) ledger.take(`span ${type}`, 'part of the answer');
    else {
      ledger.leaveOut(`span ${type}`, {
        note: 'Only tasks, tools, models and scorers say something of the answer; other spans are not stored.',
      });
    }
  }
}

function isScore(span: Fields): boolean {
  return typeOf(span) === 'score';
}

function typeOf(span: Fields): string | undefined {
  return asText(asObject(span.span_attributes)?.type);
}

function nameOf(span: Fields): string {
  return asText(asObject(span.span_attributes)?.name) ?? 'score';
}

function byStart(a: Fields, b: Fields): number {
  return (numberOf(asObject(a.metrics)?.start) ?? 0) - (numberOf(asObject(b.metrics)?.start) ?? 0);
}

function toCall(span: Fields): ToolCall {
  const error = errorOf(span.error);
  return jsonObject({
    name: nameOf(span),
    ...(isEmpty(span.input) ? {} : { arguments: span.input }),
    ...(error === undefined ? { result: span.output ?? undefined } : { error }),
  }) as unknown as ToolCall;
}

function errorOf(error: unknown): string | undefined {
  if (isEmpty(error)) return undefined;
  return asText(asObject(error)?.message) ?? textOf(error);
}
