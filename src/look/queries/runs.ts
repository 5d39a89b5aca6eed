import { TouchstoneError } from '../../core/errors.ts';
import { vocabularyOf } from '../../core/lib/filter/fields.ts';
import type { FieldValues } from '../../core/lib/filter/filter.ts';
import { compileFilter } from '../../core/lib/filter/match-filter.ts';
import { nearestName } from '../../core/lib/text/nearest-name.ts';
import { parseTexts } from './filters.ts';
import { isEnded } from '../../evaluate/run/prepare/is-ended.ts';
import { isJudgeMissing } from '../../evaluate/run/prepare/resume.ts';
import { hasCorrectionsOfToday, readSummary } from '../../evaluate/run/summarize.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import { toRunHead } from '../../core/schema/api/to-run-head.ts';
import type { RunProgress, RunValues } from '../../core/schema/api/run-row.ts';
import type { Baseline } from '../../core/schema/decision.ts';
import type { Run } from '../../core/schema/run.ts';
import { readRuns, type Store } from '../../stores/store.ts';
import { batchKind } from '../../stores/kinds/batch.ts';
import { baselineKind } from '../../stores/kinds/baseline.ts';
import { withEdits } from '../../stores/kinds/run-edit.ts';

/**
 * Finds the run that a user names, in this order: by its id; as `latest`, or `latest~1` for the run before the latest; by the name of
 * a baseline made from it; by its own name, the newest of those that have it; by the beginning or end of its id. Throws
 * `run-not-found` when no run or several match.
 */
export async function findRun(store: Store, given = 'latest'): Promise<Run> {
  const record = await findRecord(store, given);
  const [run = record] = await withEdits([record], store.documents);
  return run;
}

async function findRecord(store: Store, given: string): Promise<Run> {
  const exact = await store.readRun(given);
  if (exact !== undefined) return exact;
  const isRelative = /^latest(~\d+)?$/.test(given);
  const baseline = isRelative ? undefined : await store.documents.get(baselineKind, [given]);
  if (baseline !== undefined) return (await store.readRun(baseline.run.id)) ?? throwGone(given, baseline);
  const runs = await withEdits(await store.listRuns(), store.documents);
  const [latest] = runs;
  if (latest === undefined) {
    throw new TouchstoneError('run-not-found', 'There are no runs yet.', {
      remedy: 'Start one: `touchstone run`.',
    });
  }
  const whole = async ({ id }: RunHead) => (await store.readRun(id)) ?? throwNotFound(id);
  if (given === 'latest') return await whole(latest);
  const back = /^latest~(\d+)$/.exec(given)?.[1];
  if (back !== undefined) return await whole(runs[Number(back)] ?? throwTooFew(given, runs.length));
  const named = runs.find(({ name }) => name === given);
  return await whole(named ?? findByPart(runs, given));
}

/** Returns the only run whose id begins or ends so. Throws `run-not-found`. */
function findByPart(runs: readonly RunHead[], given: string): RunHead {
  const matches = runs.filter(({ id }) => id.startsWith(given) || id.endsWith(given));
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return match;
  if (match !== undefined) {
    const ids = matches.slice(0, 5).map(({ id }) => id);
    throw new TouchstoneError(
      'run-not-found',
      `"${given}" matches ${matches.length} runs: ${ids.join(', ')}.`,
      {
        remedy: 'Give more of the id.',
      },
    );
  }
  const nearest = nearestName(given, [
    'latest',
    ...runs.flatMap(({ id, name }) => (name === undefined ? [id] : [name, id])),
  ]);
  const hint = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
  return throwNotFound(given, hint);
}

/** Finds several runs that a user names, as `findRun` does. */
export async function findRuns(store: Store, given: readonly string[]): Promise<Run[]> {
  const runs: Run[] = [];
  for (const each of given) runs.push(await findRun(store, each));
  return runs;
}

function throwNotFound(given: string, hint = ''): never {
  throw new TouchstoneError('run-not-found', `There is no run "${given}".${hint}`);
}

function throwGone(name: string, { run }: Baseline): never {
  throw new TouchstoneError(
    'run-not-found',
    `There is no run "${run.id}", which the baseline ${name} was made from.`,
  );
}

function throwTooFew(given: string, count: number): never {
  throw new TouchstoneError('run-not-found', `There is no run ${given}: the store has ${count}.`);
}

/**
 * Finds the newest run that ended early or that still lacks verdicts of its judge. Rescored runs are not considered, since
 * their answers belong to another run. Throws `run-not-found` when there is none.
 */
export async function findUnfinishedRun(store: Store): Promise<Run> {
  let completed: Run | undefined;
  for await (const run of readRuns(store)) {
    if (run.rescoredFrom !== undefined) continue;
    if (run.status === 'interrupted' || run.status === 'running' || isJudgeMissing(run)) return run;
    if (run.status === 'completed') completed ??= run;
  }
  const further =
    completed === undefined
      ? ''
      : `; or ask only what has changed in the dataset since the last run: \`touchstone run --resume ${completed.id}\``;
  throw new TouchstoneError('run-not-found', 'There is no unfinished run to resume.', {
    remedy: `Start one: \`touchstone run\`${further}.`,
  });
}

/** A run and the state of its process. */
export interface RunState {
  readonly run: Run;
  /** True when the process of the run has died: its status is still `running` or `planning`, but no process works on it. */
  readonly isEnded: boolean;
}

/** Lists the newest runs first, with their state. Throws `usage-invalid` for an invalid filter. */
export async function listRunStates(store: Store, query: RunListQuery = {}): Promise<RunState[]> {
  const states: RunState[] = [];
  for (const { run, isEnded: hasEnded } of await listRunHeads(store, query)) {
    const whole = await store.readRun(run.id);
    const { name, note, tags } = run;
    if (whole !== undefined) states.push({ run: { ...whole, name, note, tags }, isEnded: hasEnded });
  }
  return states;
}

/** The head of a run and the state of its process. */
export interface RunHeadState {
  readonly run: RunHead;
  /** The number of its questions that are in batches. */
  readonly inBatches?: number;
  /** True when the process of the run has died; see `RunState`. */
  readonly isEnded: boolean;
}

/** The runs to list. */
export interface RunListQuery {
  /** Filters, such as `dataset=golden* decision=fail branch=main`, all of which must match; all runs by default. */
  readonly where?: readonly string[];
  /** The id of a run; only the runs listed after it, which are older, are listed. */
  readonly before?: string;
  /** The largest number of runs; all by default. */
  readonly limit?: number;
}

/** Lists the heads of runs, the newest first, with their state. Throws `usage-invalid` for an invalid filter. */
export async function listRunHeads(
  store: Store,
  { where = [], before, limit = Number.POSITIVE_INFINITY }: RunListQuery = {},
): Promise<RunHeadState[]> {
  const filter = parseTexts(where, vocabularyOf('run'));
  const matches = compileFilter<RunHead>(filter, (run, { field }) => readHeadField(run, field));
  const listed: RunHeadState[] = [];
  const inBatches = await countInBatches(store);
  for (let last = before; listed.length < limit; ) {
    const heads = await store.listRuns({ before: last, limit: headsAtOnce });
    const named = await withEdits(heads, store.documents);
    for (const head of named.filter(matches).slice(0, limit - listed.length)) {
      const hasEnded = await isEnded(head, store);
      const run = hasEnded ? await withNumbers(head, store) : await withCorrections(head, store);
      listed.push({ run, isEnded: hasEnded, inBatches: inBatches.get(head.id) });
    }
    if (heads.length < headsAtOnce) break;
    last = heads.at(-1)?.id;
  }
  return listed;
}

const headsAtOnce = 500;

/** Counts the requests in batches whose results are not there yet, by run. */
async function countInBatches({ documents }: Pick<Store, 'documents'>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { run_id: run, state, requests } of await documents.heads(batchKind, [
    'run_id',
    'state',
    'requests',
  ]))
    if (state !== 'gathered') counts.set(run, (counts.get(run) ?? 0) + requests);
  return counts;
}

/**
 * Returns the head of a run with the scores that people would give by the certificates of today: a list shows no score that its page
 * does not show, because a certificate has ended or was replaced since. Runs that rest on no certificate cost nothing.
 */
async function withCorrections(head: RunHead, store: Store): Promise<RunHead> {
  const isCorrected = head.headlines?.some(
    ({ corrected, notCorrected }) => corrected !== undefined || notCorrected !== undefined,
  );
  const run = isCorrected === true ? await store.readRun(head.id) : undefined;
  if (run === undefined || (await hasCorrectionsOfToday(run, store))) return head;
  return withLabelOf(head, toRunHead({ ...run, summary: await readSummary(run, store) }));
}

/**
 * Returns the head of a run whose process died before it made a summary, with the numbers that its page computes from its
 * records: a list and a page have one count. Numbers of the last few such runs are remembered, as they take the time of a report.
 */
async function withNumbers(head: RunHead, store: Store): Promise<RunHead> {
  if (head.headlines !== null || head.status !== 'running') return head;
  const { done } = await store.countProgress(head.id);
  const key = `${head.id} ${done}`;
  const known = numbersOfEnded.get(key);
  if (known !== undefined) return withLabelOf(head, known);
  const run = await store.readRun(head.id);
  if (run === undefined) return head;
  const found = toRunHead({ ...run, summary: await readSummary(run, store) });
  const [oldest] = numbersOfEnded.keys();
  if (numbersOfEnded.size >= mostKept && oldest !== undefined) numbersOfEnded.delete(oldest);
  numbersOfEnded.set(key, found);
  return withLabelOf(head, found);
}

/** Returns the head of a run as it is called in a list. */
function withLabelOf({ name, note, tags }: RunHead, head: RunHead): RunHead {
  return { ...head, name, note, tags };
}

const mostKept = 50;
const numbersOfEnded = new Map<string, RunHead>();

/** Lists the datasets, targets and branches of the runs in a store. */
export async function listRunValues(store: Pick<Store, 'listRuns'>): Promise<RunValues> {
  const heads = await store.listRuns();
  const valuesOf = (field: string): string[] =>
    [...new Set(heads.flatMap((head) => readHeadField(head, field).map(String)))].sort();
  return { dataset: valuesOf('dataset'), target: valuesOf('target'), branch: valuesOf('branch') };
}

function readHeadField(run: RunHead, field: string): FieldValues {
  const { id, name, note, tags = {}, status, description, dataset, git, decision, targets } = run;
  const values: Readonly<Record<string, readonly (string | null | undefined)[]>> = {
    id: [id],
    name: [name],
    note: [note],
    tag: Object.entries(tags).flatMap(([key, value]) => [key, `${key}=${value}`]),
    status: [status],
    dataset: dataset.sources,
    target: targets,
    branch: [git?.branch],
    commit: [git?.commit],
    decision: [decision?.outcome],
    description: [description],
  };
  return (values[field] ?? []).filter((value) => value !== null && value !== undefined);
}

/** Returns the progress of a run; undefined for a run that is not under way. */
export async function readProgress(
  { run, isEnded }: RunHeadState,
  store: Pick<Store, 'countProgress'>,
): Promise<RunProgress | undefined> {
  if (run.status !== 'running' || isEnded) return undefined;
  const { done, measured, sum } = await store.countProgress(run.id);
  const planned = run.dataset.cases * run.targetCount * run.attempts;
  return { done, planned, score: measured === 0 ? null : sum / measured };
}

/** Returns the run, with the status `interrupted` when it says `running` but its process has died. */
export function withTrueStatus({ run, isEnded }: { readonly run: Run; readonly isEnded?: boolean }): Run {
  return isEnded === true && run.status === 'running' ? { ...run, status: 'interrupted' } : run;
}

/**
 * Removes runs: all of them or, when a process is working on one of them, none. Throws `run-in-progress` then, and `run-held` for
 * a run under a legal hold.
 */
export async function deleteRuns(ids: readonly string[], store: Store): Promise<void> {
  await using claims = new AsyncDisposableStack();
  for (const id of ids) {
    claims.use(await store.claimRun(id));
    const { holds = [] } = (await store.readRun(id)) ?? {};
    if (holds.length > 0)
      throw new TouchstoneError('run-held', `The run ${id} is under a legal hold: ${holds.join(', ')}.`);
  }
  for (const id of ids) await store.deleteRun(id);
}
