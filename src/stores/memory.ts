import { z } from 'zod';
import { TouchstoneError } from '../core/errors.ts';
import { copyJson } from '../core/lib/json/copy-json.ts';
import { toRunHead } from '../core/schema/api/run-head.ts';
import type { Baseline } from '../core/schema/decision.ts';
import type { Run } from '../core/schema/run.ts';
import {
  addScoresOfTrial,
  addTrialsTo,
  casesOf,
  findDone,
  type KeptRun,
  newRun,
  readersOf,
  resultsOf,
  textsOfRuns,
} from './kept-run.ts';
import { createMemoryJudgements } from './memory-judgements.ts';
import { createMemoryCertificates } from './certificates/memory-certificates.ts';
import { createMemoryFeedback, findAnswersIn } from './feedback/memory-feedback.ts';
import type { PeopleStores } from './people-stores.ts';
import { createMemoryProposals } from './proposals/memory-proposals.ts';
import { createMemoryReviews } from './reviews/memory-reviews.ts';
import { createMemoryAccounts } from './accounts/memory-accounts.ts';
import { createMemoryShared } from './shared/memory-shared.ts';
import { recordsOfRun, type SharedRecords } from './shared/shared-records.ts';
import { createMemoryTexts, type MemoryTexts } from './texts/memory-texts.ts';
import { createMemoryTraces } from './traces/memory-traces.ts';
import { runNotFound, trialsAreShared } from './refusals.ts';
import { type Claim, defineStore, type QuestionHolder, type RunChoice, type Store } from './store.ts';

/** The address of every store in memory. */
export const memoryAddress = 'memory';

/** The store in memory as a config names it: every opening creates an empty one. */
export const memoryStore = defineStore({
  name: 'memory',
  version: 1,
  summary: 'Runs in memory, which end with the process: for tests, and for runs that need not be kept.',
  options: () => z.strictObject({}),
  create: () => createMemoryStore(),
});

/** Creates a store in memory, which ends with the process: for tests, and for runs that need not be kept. */
export function createMemoryStore(): Store {
  const runs = new Map<string, KeptRun>();
  const claimed = new Set<string>();
  const judgements = createMemoryJudgements();
  const people = createPeople(runs);
  const shared = createMemoryShared();
  const { texts, countWrites: countErased } = createMemoryTexts({
    ...people.texts,
    ...textsOfRuns(runs),
    judgement: judgements.texts,
  });

  const find = (runId: string) => findIn(runs, runId);
  const findOwner = (runId: string) => ownerOf(find(runId), runId);

  const store: Omit<Store, 'readVersion'> = {
    ...people.stores,
    shared,
    texts,
    accounts: createMemoryAccounts(),
    address: memoryAddress,
    exists: async () => true,
    createRun: async (run, { trialsOf } = {}) => {
      runs.set(run.id, newRun(run, trialsOf === undefined ? undefined : find(trialsOf)));
    },
    updateRun: async (run) => {
      find(run.id).run = copyJson(run);
    },
    readRun: async (runId) => copyJson(runs.get(runId)?.run),
    listRuns: async (choice) => {
      const all = Array.from(runs.values(), ({ run }) => run);
      all.sort((a, b) => compareText(b.createdAt, a.createdAt) || compareText(b.id, a.id));
      return copyJson(chooseRuns(all, choice).map(toRunHead));
    },
    claimRun: async (runId, part = '') => claim({ runId: find(runId).run.id, part }, claimed),
    isClaimed: async (runId, part = '') => claimed.has(claimName({ runId: find(runId).run.id, part })),
    ...removalMethods(runs, { judgements, shared }),
    addCases: async (runId, cases) => {
      const kept = findOwner(runId).cases;
      for (const planned of copyJson(cases)) kept.set(planned.position, planned);
    },
    readCases: async function* (runId, positions) {
      const { cases } = find(runId);
      const wanted = positions?.flatMap((position) => cases.get(position) ?? []);
      yield* copyJson(wanted ?? casesOf(cases));
    },
    findCase: async (runId, caseId) =>
      copyJson(casesOf(find(runId).cases).find((planned) => planned.case.id === caseId)),
    readCaseNames: async function* (runId) {
      yield casesOf(find(runId).cases).map(({ case: { id, category, cluster } }) => ({
        id,
        category,
        cluster,
      }));
    },
    addTrials: async (runId, trials, writing) => {
      const kept = findOwner(runId);
      const sharing = [...runs.values()].filter((other) => other.trials === kept.trials);
      return addTrialsTo(kept, trials, { sharing, ...writing });
    },
    findDone: async (runId, specs) => findDone(find(runId), specs),
    addScores: async (runId, scored) => {
      const kept = find(runId);
      for (const row of scored) addScoresOfTrial(kept, row);
      for (const id of judgements.usedBy(scored)) kept.judgements.add(id);
    },
    ...readersOf(find),
    ...baselineMethods(),
    ...judgementMethods(runs, judgements),
    readWhole: async function* (runId) {
      const kept = find(runId);
      for (const planned of copyJson(casesOf(kept.cases))) yield { type: 'case', case: planned };
      for (const judgement of judgements.read(kept.judgements)) yield { type: 'judgement', judgement };
      for (const result of resultsOf(kept)) yield { type: 'result', result };
    },
    close: async () => {},
  };
  return countWrites(store, () => `${people.countWrites()} ${countErased()}`);
}

/** Returns the store with a version: the number of its writes, and those of the writes of labels, certificates and feedback. */
function countWrites(store: Omit<Store, 'readVersion'>, countOtherWrites: () => string): Store {
  let writes = 0;
  const counted = Object.entries(store).map(([name, method]: [string, unknown]) => {
    if (typeof method !== 'function' || !/^(create|update|delete|shrink|add|set)[A-Z]/.test(name))
      return [name, method];
    return [name, (...args: unknown[]) => ((writes += 1), Reflect.apply(method, store, args))];
  });
  return { ...Object.fromEntries(counted), readVersion: async () => `${writes} ${countOtherWrites()}` };
}

/** Creates the parts of a store that belong to no run. `countWrites` returns a text that changes with every write. */
function createPeople(runs: ReadonlyMap<string, KeptRun>): {
  readonly stores: PeopleStores;
  readonly texts: Omit<MemoryTexts, 'case' | 'trial' | 'scores' | 'judgement'>;
  readonly countWrites: () => string;
} {
  const all = () => Array.from(runs.values(), (kept) => ({ run: kept.run, results: () => resultsOf(kept) }));
  const labels = createMemoryReviews();
  const certified = createMemoryCertificates();
  const proposed = createMemoryProposals();
  const recorded = createMemoryTraces();
  const said = createMemoryFeedback((query) => findAnswersIn(all(), query), recorded.findTrace);
  return {
    stores: {
      reviews: labels.reviews,
      certificates: certified.certificates,
      feedback: said.feedback,
      proposals: proposed.proposals,
      traces: recorded.traces,
    },
    texts: { ...labels.texts, ...said.texts, ...proposed.texts, ...certified.texts },
    countWrites: () =>
      [labels, certified, said, proposed, recorded].map((each) => each.countWrites()).join(' '),
  };
}

function removalMethods(
  runs: Map<string, KeptRun>,
  {
    judgements,
    shared,
  }: { readonly judgements: ReturnType<typeof createMemoryJudgements>; readonly shared: SharedRecords },
): Pick<Store, 'deleteRun' | 'shrinkRun'> {
  return {
    deleteRun: async (runId) => {
      findIn(runs, runId);
      runs.delete(runId);
      judgements.release(runId);
      for (const { name } of await shared.list(recordsOfRun(runId))) await shared.remove(name);
    },
    shrinkRun: async (runId, most) => {
      const kept = findIn(runs, runId);
      const isShared = Array.from(runs.values()).some((each) => each !== kept && each.trials === kept.trials);
      for (const rows of [kept.scores, kept.judgements, ...(isShared ? [] : [kept.trials, kept.cases])]) {
        const keys = [...rows.keys()].slice(0, most);
        for (const key of keys) (rows as Map<unknown, unknown>).delete(key);
        if (keys.length > 0) return keys.length;
      }
      return 0;
    },
  };
}

type JudgementMethods =
  | 'findJudgement'
  | 'addJudgements'
  | 'eraseJudgements'
  | 'readJudgements'
  | 'takeQuestions'
  | 'releaseQuestions';

function judgementMethods(
  runs: ReadonlyMap<string, KeptRun>,
  judgements: ReturnType<typeof createMemoryJudgements>,
): Pick<Store, JudgementMethods> {
  const find = (runId: string) => findIn(runs, runId);
  return {
    findJudgement: async (key, askedIn) => judgements.find(key, askedIn),
    addJudgements: async (runId, added) => {
      const kept = runId === null ? undefined : find(runId);
      judgements.add(added);
      for (const { id } of added) kept?.judgements.add(id);
    },
    eraseJudgements: async (askedIn, most) => {
      const used = new Set(Array.from(runs.values(), (kept) => [...kept.judgements]).flat());
      return judgements.erase(askedIn, used, most);
    },
    readJudgements: async function* (runId, ids) {
      const kept = find(runId).judgements;
      yield* judgements.read(ids === undefined ? kept : ids.filter((id) => kept.has(id)));
    },
    takeQuestions: async (runId, keys, part = '') =>
      judgements.take({ runId: find(runId).run.id, part }, keys),
    releaseQuestions: async (runId, keys, part) => judgements.release(find(runId).run.id, { keys, part }),
  };
}

type BaselineMethods = 'setBaseline' | 'readBaseline' | 'listBaselines' | 'deleteBaseline';

function baselineMethods(): Pick<Store, BaselineMethods> {
  const baselines = new Map<string, Baseline>();
  return {
    setBaseline: async (baseline) => {
      baselines.set(baseline.name, copyJson(baseline));
    },
    readBaseline: async (name) => copyJson(baselines.get(name)),
    listBaselines: async () => [...baselines.keys()].sort(),
    deleteBaseline: async (name) => baselines.delete(name),
  };
}

function findIn(runs: ReadonlyMap<string, KeptRun>, runId: string): KeptRun {
  const kept = runs.get(runId);
  if (kept === undefined) throw runNotFound(runId);
  return kept;
}

/** Returns the run for cases or trials to be added. Throws `run-not-resumable` when it shares those of another run. */
function ownerOf(kept: KeptRun, runId: string): KeptRun {
  if (kept.isSharing) throw trialsAreShared(runId);
  return kept;
}

function chooseRuns(
  runs: readonly Run[],
  { limit, before, status, continues }: RunChoice = {},
): readonly Run[] {
  const from = before === undefined ? 0 : runs.findIndex(({ id }) => id === before) + 1;
  const isWanted = (run: Run) =>
    (status === undefined || run.status === status) &&
    (continues === undefined || run.continues === continues);
  return from === 0 && before !== undefined ? [] : runs.slice(from).filter(isWanted).slice(0, limit);
}

function claimName({ runId, part }: QuestionHolder): string {
  return JSON.stringify([runId, part]);
}

function claim(what: QuestionHolder, claimed: Set<string>): Claim {
  const name = claimName(what);
  if (claimed.has(name))
    throw new TouchstoneError('run-in-progress', `Run ${what.runId} is being worked on already.`);
  claimed.add(name);
  let isMine = true;
  return {
    lost: new AbortController().signal,
    [Symbol.asyncDispose]: async () => {
      if (isMine) claimed.delete(name);
      isMine = false;
    },
  };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
