import { createWeightCounter } from '../../../decide/analysis/case-weights.ts';
import { checkWeights, countCategories } from '../../../decide/analysis/summary/categories.ts';
import { formatPlace, TouchstoneError } from '../../../core/errors.ts';
import { portableGate } from '../../../decide/gate/baselines.ts';
import { createExpectationCounter } from '../../../decide/gate/unread-expectations.ts';
import { createHashSet, type HashSet, hashText } from '../../../core/lib/content-hash.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Case } from '../../../core/schema/case.ts';
import { type Gate, sequentialOf } from '../../../core/schema/gate.ts';
import type { PlannedCase } from '../../../core/schema/result.ts';
import type { Run, RunUser } from '../../../core/schema/run.ts';
import type { Store } from '../../../stores/store.ts';
import type { Evaluation, ResolvedUser } from '../evaluation.ts';
import { neverStopped } from '../run-needs.ts';
import { beginRun, createClaimedRun } from './begin-run.ts';
import { derivedId } from './check-draft.ts';
import type { LoadedCase, LoadNotice } from './load.ts';
import { recordingOf } from './trials-of-case.ts';
import { keepAttachments, type PlanStore, UntakenCounter } from './plan-attachments.ts';
import { selectCases } from './select-cases.ts';

/** The number of cases that go into the store in one write. */
const casesAtOnce = 200;

/** Options of planning. */
export interface PlanNeeds {
  readonly onNotice: (notice: LoadNotice) => void;
  /** The id of the run whose answers are going to be reused. */
  readonly continues?: string;
  /** Collects the claim of the run, which belongs to the caller alone from its beginning. */
  readonly claims: AsyncDisposableStack;
  /** Stops planning when it is aborted. */
  readonly stop: AbortSignal;
}

/**
 * Plans a run: stores the run and all its cases before anything is called. Throws `TouchstoneError` for a dataset that
 * cannot be used, and `run-stopped` when it is stopped before the plan is complete; then no run is left behind.
 */
export async function planRun(
  evaluation: Evaluation,
  store: Store,
  { onNotice, continues, claims, stop }: PlanNeeds,
): Promise<Run> {
  checkSequential(evaluation.gate);
  const gate = portableGate(evaluation.gate, store);
  const recordedAt = await findRecordedTime(evaluation);
  const begun = newRun({ ...evaluation, gate }, recordedAt);
  const run: Run = { ...begun, ...(continues !== undefined && { continues }) };
  const reading = evaluation.readGit?.();
  if (!(await store.exists())) await unlessStopped(rehearse(evaluation, stop), stop);
  claims.use(await createClaimedRun(run, store));
  try {
    run.dataset = {
      sources: [...evaluation.dataset.sources],
      ...(await unlessStopped(freezeCases(run.id, evaluation, { store, onNotice, stop }), stop)),
    };
    checkWeights(run.weights, run.dataset.categories ?? []);
    const git = await reading;
    if (git !== undefined) run.git = git;
    run.status = 'running';
    await store.updateRun(run);
    return run;
  } catch (error) {
    await store.deleteRun(run.id);
    throw error;
  }
}

/** Returns the time of the first answer, when all targets are recordings with times; undefined otherwise. */
async function findRecordedTime({ targets }: Evaluation): Promise<string | undefined> {
  const times = await Promise.all(targets.map(async ({ target }) => await target.recordedAt?.()));
  const known = times.filter((time) => time !== undefined);
  return known.length < times.length ? undefined : known.toSorted()[0];
}

function newRun(evaluation: Evaluation, recordedAt: string | undefined): Run {
  const { dataset, users } = evaluation;
  return beginRun(
    {
      ...evaluation,
      recordedAt,
      dataset: { sources: [...dataset.sources], cases: 0, hash: '' },
      targets: recordTargets(evaluation),
      tools: evaluation.tools?.record,
      ...(users.simulated !== undefined && { user: recordUser(users.simulated) }),
    },
    evaluation,
  );
}

function recordUser({ user: _live, ...user }: ResolvedUser): RunUser {
  return user;
}

/**
 * Plans without a store what can be read more than once: where there is no store yet, none is created for a run that cannot begin.
 * Throws what planning throws.
 */
async function rehearse(evaluation: Evaluation, stop: AbortSignal): Promise<void> {
  if (evaluation.dataset.isReadOnce === true) return;
  const store: PlanStore = {
    addCases: async () => {},
    blobs: { keep: async () => {} },
    findCase: async (_run, id) => {
      for await (const loaded of selectCases(evaluation, () => {}))
        if (loaded.case.id === id) return { place: formatPlace(loaded.place) };
      return undefined;
    },
  };
  const { categories = [] } = await freezeCases('', evaluation, { store, onNotice: () => {}, stop });
  checkWeights(evaluation.weights, categories);
}

async function freezeCases(
  runId: string,
  evaluation: Evaluation,
  { store, onNotice, stop }: Pick<PlanNeeds, 'onNotice' | 'stop'> & { readonly store: PlanStore },
): Promise<Omit<Run['dataset'], 'sources'>> {
  const categories = new Map<string, number>();
  const expected = createExpectationCounter(evaluation.caseChecks?.readsOf);
  const seen = { ids: createHashSet(), contents: createHashSet() };
  const weights = createWeightCounter();
  const untaken = new UntakenCounter(evaluation.targets);
  const kept = new Set<string>();
  let position = 0;
  let duplicates = 0;
  let hash = '';
  let batch: PlannedCase[] = [];
  const flush = async () => {
    if (stop.aborted) throw planningStopped();
    await store.addCases(runId, batch);
    countCategories(
      batch.map(({ case: testCase }) => testCase),
      categories,
    );
    batch = [];
  };
  for await (const loaded of selectCases(evaluation, onNotice)) {
    const { case: testCase, place } = loaded;
    if (!seen.ids.add(hashText(testCase.id))) {
      if (evaluation.skipsDuplicates !== true) await refuseDuplicate(loaded, { runId, batch, store });
      duplicates += 1;
      continue;
    }
    hash = extendPlanHash(hash, loaded, evaluation);
    expected.add(loaded);
    weights.add(testCase);
    untaken.add(testCase);
    await keepAttachments(loaded, { runId, store, kept });
    const planned = {
      position,
      hash: uniqueHash(loaded.hash, seen.contents),
      place: formatPlace(place),
      case: testCase,
    };
    batch.push(planned);
    position += 1;
    if (batch.length === casesAtOnce) await flush();
  }
  await flush();
  untaken.report(onNotice);
  if (duplicates > 0)
    onNotice({ message: `Left out as duplicates: ${duplicates} of ${position + duplicates} rows.` });
  return {
    cases: position,
    hash,
    categories: Array.from(categories, ([category, cases]) => ({ category, cases })),
    ...expected.finish(),
    ...weights.finish(),
    ...(duplicates > 0 && { duplicates }),
  };
}

/**
 * Returns a hash that is unique within a plan: when the same content occurs again under another id, its hash is derived
 * from the number of times that it has occurred.
 */
export function uniqueHash(contentHash: string, contents: HashSet): string {
  return contents.add(contentHash) ? contentHash : uniqueHash(hashText(`${contentHash} again`), contents);
}

/** Throws `case-duplicate` with the places of both cases. */
async function refuseDuplicate(
  { case: { id }, hash, place }: LoadedCase,
  { runId, batch, store }: { runId: string; batch: readonly PlannedCase[]; store: PlanStore },
): Promise<void> {
  const first = batch.find((planned) => planned.case.id === id) ?? (await store.findCase(runId, id));
  const what =
    id === derivedId(hash) ? 'the same question is' : `the id "${shorten(id, 60)}" is taken by the question`;
  throw new TouchstoneError('case-duplicate', `${formatPlace(place)}: ${what} at ${first?.place}`);
}

function extendPlanHash(
  hash: string,
  { hash: caseHash, case: testCase }: LoadedCase,
  { tools }: Pick<Evaluation, 'tools'>,
): string {
  const recording = recordingOf({ tools: tools?.record }, testCase);
  return hashText(`${hash} ${caseHash} ${testCase.id}${namesOf(testCase)}${recording}`);
}

/** Returns the fields by which a case is shown, counted and decided on, which are not part of its content. */
function namesOf({ category, tags, cluster, gate, weight }: Case): string {
  const isPlain = category === undefined && tags.length === 0 && cluster === undefined && gate === undefined;
  const names = isPlain ? '' : ` ${JSON.stringify([category, tags, cluster, gate])}`;
  return weight === undefined ? names : `${names} weight ${weight}`;
}

/**
 * Returns the hash that a plan over the current dataset would have. Throws `run-stopped` when it is stopped meanwhile.
 */
export async function hashPlan(evaluation: Evaluation, stop = neverStopped.stop): Promise<string> {
  return await unlessStopped(hashCases(evaluation, stop), stop);
}

async function hashCases(evaluation: Evaluation, stop: AbortSignal): Promise<string> {
  let hash = '';
  const ids = createHashSet();
  for await (const loaded of selectCases(evaluation, () => {})) {
    if (stop.aborted) throw planningStopped();
    if (evaluation.skipsDuplicates === true && !ids.add(hashText(loaded.case.id))) continue;
    hash = extendPlanHash(hash, loaded, evaluation);
  }
  return hash;
}

/** Returns the error of a run that was stopped before anything was called. */
function planningStopped(): TouchstoneError {
  return new TouchstoneError(
    'run-stopped',
    'Stopped while the dataset was read: nothing was called, and no new run was stored.',
  );
}

/**
 * Resolves to the result of work. Throws as soon as the signal is aborted, even while the work waits, for example for
 * standard input.
 * @param toError - Creates the error that is thrown; `run-stopped` by default.
 */
export async function unlessStopped<Result>(
  work: Promise<Result>,
  stop: AbortSignal,
  toError = planningStopped,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>();
  const onStop = () => stopped.reject(toError());
  if (stop.aborted) onStop();
  stop.addEventListener('abort', onStop, { once: true });
  try {
    return await Promise.race([work, stopped.promise]);
  } finally {
    stop.removeEventListener('abort', onStop);
  }
}

/** Returns the targets of an evaluation as a run records them. */
export function recordTargets({ targets, secrets }: Pick<Evaluation, 'targets' | 'secrets'>): Run['targets'] {
  const recorded = targets.map(({ target: _live, ...target }) => target);
  return secrets === undefined ? recorded : secrets.json(recorded);
}

/** Throws `config-invalid` for a sequential gate without a rule, which has nothing to decide. */
function checkSequential(gate: Gate): void {
  const { failUnder, rules = {}, baseline } = gate;
  if (sequentialOf(gate) === undefined) return;
  if (failUnder !== undefined || baseline !== undefined || Object.keys(rules).length > 0) return;
  throw new TouchstoneError(
    'config-invalid',
    'The gate has no rule, so there is nothing that a sequential run could decide.',
    { remedy: 'Add a rule to `gate.rules`, or set a minimum score: `--fail-under 85`.' },
  );
}
