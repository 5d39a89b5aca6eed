import { mergeRows } from '../content/rows.ts';
import { asArray, asObject, asText, type Fields, objectsIn } from '../values.ts';

/** The rows of an export of Langfuse by their kind, each with its names in camel case. */
export interface LangfuseRows {
  readonly items: readonly Fields[];
  readonly runItems: readonly Fields[];
  readonly traces: readonly Fields[];
  readonly observations: readonly Fields[];
  readonly scores: readonly Fields[];
}

/** Sorts the rows of an export; undefined when none of them is of Langfuse. Rows of another kind are skipped. */
export function sortRows(allRows: readonly Fields[]): LangfuseRows | undefined {
  const sorted: Record<keyof LangfuseRows, Fields[]> = {
    items: [],
    runItems: [],
    traces: [],
    observations: [],
    scores: [],
  };
  for (const row of allRows.map(camelCase)) {
    const kind = kindOf(row);
    if (kind === undefined) continue;
    sorted[kind].push(kind === 'scores' ? withSubject(row) : row);
    // What is in a trace is of it, also where it does not say so.
    const inside = (each: Fields) => ({ ...(kind === 'traces' && { traceId: row.id }), ...camelCase(each) });
    for (const score of objectsIn(row.scores)) sorted.scores.push(withSubject(inside(score)));
    for (const each of objectsIn(row.observations)) sorted.observations.push(inside(each));
    for (const each of objectsIn(row.datasetRunItems)) sorted.runItems.push(camelCase(each));
  }
  const rows = {
    items: mergeRows(sorted.items),
    runItems: mergeRows(sorted.runItems),
    traces: mergeRows(sorted.traces),
    observations: mergeRows(sorted.observations),
    scores: mergeRows(sorted.scores),
  };
  return Object.values(rows).some((each) => each.length > 0) ? rows : undefined;
}

/** The kinds of observations. */
const observationTypes = new Set([
  'SPAN',
  'GENERATION',
  'EVENT',
  'AGENT',
  'TOOL',
  'CHAIN',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
]);

/** Returns the kind of a row, which is known by the members that only rows of one kind have. */
function kindOf(row: Fields): keyof LangfuseRows | undefined {
  const has = (...names: readonly string[]) => names.every((name) => name in row);
  const hasOne = (...names: readonly string[]) => names.some((name) => name in row);
  if (has('datasetItemId', 'traceId')) return 'runItems';
  if (has('dataType', 'name', 'source') && hasOne('traceId', 'subject', 'sessionId')) return 'scores';
  const isActive = row.status === 'ACTIVE' || row.status === 'ARCHIVED';
  if (has('expectedOutput', 'input', 'status') && (isActive || hasOne('datasetId', 'datasetName')))
    return 'items';
  if (has('traceId') && observationTypes.has(String(row.type))) return 'observations';
  const isTrace = hasOne('htmlPath', 'bookmarked') || has('public', 'release');
  return isTrace && has('id', 'timestamp', 'input', 'output') ? 'traces' : undefined;
}

/** The names of scores in version 3 of the interface, which name what they are about in one member. */
const subjects: Readonly<Record<string, string>> = {
  trace: 'traceId',
  observation: 'observationId',
  session: 'sessionId',
  dataset_run: 'datasetRunId',
  datasetRun: 'datasetRunId',
};

function withSubject(score: Fields): Fields {
  const subject = asObject(score.subject);
  if (subject === undefined) return score;
  const kind = String(subject.kind ?? '').toLowerCase();
  const name = Object.hasOwn(subjects, kind) ? subjects[kind] : undefined;
  const traceId = asText(subject.traceId) ?? asText(score.traceId);
  return {
    ...score,
    ...(traceId !== undefined && { traceId }),
    ...(name !== undefined && { [name]: subject.id }),
  };
}

/** The members of all kinds of rows. Any other member of a trace is a score, whose name is left as it is. */
const knownNames = new Set(
  `id timestamp name projectId userId release version environment bookmarked public sessionId tags input
  output metadata latency usage inputCost outputCost totalCost level errorCount warningCount
  defaultCount debugCount observationCount inputTokens outputTokens totalTokens comments htmlPath
  observations scores createdAt updatedAt isDeleted eventTs traceId type datasetId datasetName
  datasetItemId datasetRunId datasetRunName runName expectedOutput status sourceTraceId
  sourceObservationId validFrom validTo htmlSourcePath mediaReferences observationId dataType
  stringValue longStringValue value source comment configId queueId authorUserId authorUserName subject
  parentObservationId startTime endTime completionStartTime statusMessage model modelId modelParameters
  providedModelName internalModelId usageDetails costDetails providedUsageDetails providedCostDetails
  promptId promptName promptVersion traceName traceTags toolCalls toolDefinitions calculatedTotalCost
  datasetRunItems unit`.split(/\s+/),
);

function camelCase(row: Fields): Fields {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const camel = name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
      return [knownNames.has(camel) ? camel : name, value];
    }),
  );
}

/** Returns the names of the columns of traces that are scores: each of their cells is a list or empty. */
export function scoreColumns(traces: readonly Fields[]): string[] {
  const names = [...new Set(traces.flatMap((trace) => Object.keys(trace)))];
  return names.filter((name) => {
    if (knownNames.has(name)) return false;
    const values = traces.map((trace) => trace[name] ?? null).filter((value) => value !== null);
    return (
      values.length > 0 && values.every((value) => Array.isArray(value) && asArray(value).every(isScalar))
    );
  });
}

function isScalar(value: unknown): boolean {
  return value === null || ['number', 'string', 'boolean'].includes(typeof value);
}
