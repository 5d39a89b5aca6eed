import type { FailureKind, Run, RunStop } from '../../../../core/schema/run.ts';
import { recordsOfRun, type SharedRecords } from '../../../../stores/shared/shared-records.ts';
import {
  addPrice,
  type BudgetBook,
  committedCost,
  countCalling,
  hasRoom,
  newBook,
  nextCost,
  type Spending,
  type UnderWay,
} from '../budget-book.ts';
import {
  addOutcome,
  breakerLimits,
  type BreakerState,
  closedBreaker,
  kindsOf,
  type TrialFailure,
} from '../circuit-breaker.ts';
import type { LateAnswers } from '../run-limits.ts';

/** A process that works on a run. Its trials count as under way until `until`, unless it reports again. */
interface WorkerState extends UnderWay {
  readonly until: number;
  /** The repeats that it may still make. */
  readonly repeats: number;
}

/** The state of the limits of a run. Times are milliseconds on the clock of the store. */
export interface RunState {
  readonly book: BudgetBook;
  /** The number of repeats that were made. */
  readonly repeats: number;
  readonly late: LateAnswers;
  readonly breakers: Readonly<Record<string, BreakerState>>;
  /** The reasons why the whole run stopped. */
  readonly stops: readonly RunStop[];
  readonly workers: Readonly<Record<string, WorkerState>>;
}

/** The rules of a run, which all of its processes have. */
export interface RunRules {
  readonly maxCost: number;
  readonly maxRunRetries: number;
  readonly areJudged: boolean;
  /** The settings of the breakers, by target. */
  readonly breakers: Readonly<Record<string, Pick<Run['settings'], 'concurrency' | 'stopAfterFailures'>>>;
}

/** The events of a process since its last report. */
export interface RunNews {
  readonly spent: Spending;
  /** The costs of trials by target, as far as they are known. */
  readonly prices: readonly (readonly [target: string, cost: number])[];
  /** The costs of judging trials. */
  readonly judging: number;
  /** The number of trials that were judged. */
  readonly judged: number;
  /** The repeats that were made. */
  readonly repeats: number;
  /** The outcomes of trials by target, in order: why a trial failed, or null for one that did not. */
  readonly outcomes: readonly (readonly [target: string, failure: TrialFailure | null])[];
  readonly stops: readonly RunStop[];
  readonly late: LateAnswers;
}

/** The report of a process on a run, which asks for trials and repeats. */
export interface RunReport {
  readonly worker: string;
  readonly rules: RunRules;
  readonly news: RunNews;
  /** Its trials under way and those that it may still begin, by target, and those that wait to be judged. */
  readonly underWay: UnderWay;
  /** The repeats that it may still make. */
  readonly repeats: number;
  /** The number of trials that it wants to begin, by target. */
  readonly wanted: Readonly<Record<string, number>>;
  readonly wantedRepeats: number;
}

/** The answer to a report. */
export interface RunGrant {
  /** The number of further trials that may begin, by target. */
  readonly trials: Readonly<Record<string, number>>;
  readonly repeats: number;
  readonly spent: Spending;
  readonly late: LateAnswers;
  /** The likely cost of one more trial, for each target for which there is no money left. */
  readonly tooDear: Readonly<Record<string, number>>;
  /** The targets that failed too often. */
  readonly open: Readonly<Record<string, { readonly failures: FailureKind[]; readonly inARow: number }>>;
  /** The targets that have answered a process. */
  readonly answering: readonly string[];
  readonly stops: readonly RunStop[];
}

/** The time, in milliseconds, after which a process that no longer reports counts as gone. */
const workerLeaseMs = 5000;

/** Takes the report of a process into the state of a run, and decides what that process may do. */
export function exchange(
  before: RunState | undefined,
  report: RunReport,
  now: number,
): { readonly state: RunState; readonly grant: RunGrant } {
  const known = before ?? newState;
  const { worker, rules, news } = report;
  const workers = livingWorkers(known.workers, now);
  const mine = { until: now + workerLeaseMs, ...report.underWay, repeats: report.repeats };
  const all = { ...workers, [worker]: mine };
  const book = learnPrices(known.book, news);
  const breakers = learnOutcomes(known.breakers, report, Object.keys(all).length);
  const stops = [...known.stops, ...news.stops.filter((stop) => !isKnown(known.stops, stop))];
  const made = known.repeats + news.repeats;
  const late = joinLate(known.late, news.late);
  const admitted = stops.length > 0 ? nothing(mine) : admit(book, all, report);
  const inHand = Object.values(all).reduce((sum, each) => sum + each.repeats, 0);
  const repeats = Math.max(0, Math.min(report.wantedRepeats, rules.maxRunRetries - made - inHand));
  const next = { ...admitted.mine, repeats: mine.repeats + repeats };
  return {
    state: {
      book,
      repeats: made,
      late,
      breakers,
      stops,
      workers: { ...all, [worker]: next },
    },
    grant: {
      trials: admitted.trials,
      tooDear: admitted.tooDear,
      repeats,
      spent: book.spent,
      late,
      open: openBreakers(breakers),
      answering: Object.keys(breakers).filter((target) => breakers[target]?.hasAnswered === true),
      stops,
    },
  };
}

/** Returns the state without a process that ends. */
export function leave(state: RunState | undefined, worker: string): RunState | undefined {
  if (state === undefined) return undefined;
  const { [worker]: _gone, ...workers } = state.workers;
  return { ...state, workers };
}

const newState: RunState = {
  book: newBook,
  repeats: 0,
  late: { answers: 0, cost: 0 },
  breakers: {},
  stops: [],
  workers: {},
};

function livingWorkers(workers: RunState['workers'], now: number): RunState['workers'] {
  // A time too far ahead is one from before the clock was set back.
  const living = Object.entries(workers).filter(
    ([, { until }]) => until > now && until <= now + workerLeaseMs,
  );
  return Object.fromEntries(living);
}

/** Returns the late answers of two. */
export function joinLate(one: LateAnswers, other: LateAnswers): LateAnswers {
  return { answers: one.answers + other.answers, cost: one.cost + other.cost };
}

function isKnown(stops: readonly RunStop[], { reason }: RunStop): boolean {
  return stops.some((stop) => stop.reason === reason);
}

function learnPrices(book: BudgetBook, { spent, prices, judging, judged }: RunNews): BudgetBook {
  let next: BudgetBook = {
    ...book,
    spent: {
      targets: book.spent.targets + spent.targets,
      judges: book.spent.judges + spent.judges,
      users: book.spent.users + spent.users,
    },
    judging: book.judging + judging,
    judged: book.judged + judged,
  };
  for (const [target, cost] of prices) next = addPrice(next, target, cost);
  return next;
}

function learnOutcomes(
  before: RunState['breakers'],
  { news, rules }: RunReport,
  processes: number,
): RunState['breakers'] {
  const breakers = { ...before };
  for (const [target, failure] of news.outcomes) {
    const settings = rules.breakers[target];
    if (settings === undefined) continue;
    const limits = breakerLimits(settings, processes);
    breakers[target] = addOutcome(breakers[target] ?? closedBreaker, failure ?? undefined, limits);
  }
  return breakers;
}

function openBreakers(breakers: RunState['breakers']): RunGrant['open'] {
  const open = Object.entries(breakers).filter(([, { isOpen }]) => isOpen);
  return Object.fromEntries(
    open.map(([target, state]) => [target, { failures: kindsOf(state), inARow: state.inARow }]),
  );
}

interface Admitted {
  readonly mine: WorkerState;
  readonly trials: Record<string, number>;
  readonly tooDear: Record<string, number>;
}

function nothing(mine: WorkerState): Admitted {
  return { mine, trials: {}, tooDear: {} };
}

/**
 * Admits trials of a process as the budget of one process does, over what all have under way. Near the limit each process gets a
 * part of what is left, so that none keeps it all in hand.
 */
function admit(
  book: BudgetBook,
  workers: RunState['workers'],
  { worker, wanted, rules: { maxCost, areJudged } }: RunReport,
): Admitted {
  const admitted = nothing({ ...(workers[worker] as WorkerState) });
  let { mine } = admitted;
  const { trials, tooDear } = admitted;
  for (const [target, count] of Object.entries(wanted)) {
    const all = () => joinUnderWay(Object.values({ ...workers, [worker]: mine }));
    const left = (maxCost - committedCost(book, all())) / Math.max(nextCost(book, target), 1e-12);
    const most = Math.max(1, Math.floor(left / (2 * Object.keys(workers).length)));
    let granted = 0;
    while (granted < Math.min(count, most) && hasRoom(book, all(), { target, maxCost, areJudged })) {
      granted += 1;
      mine = { ...mine, calling: { ...mine.calling, [target]: (mine.calling[target] ?? 0) + 1 } };
    }
    if (granted > 0) trials[target] = granted;
    const { calling, waiting } = all();
    if (granted === 0 && countCalling(calling) + waiting === 0) tooDear[target] = nextCost(book, target);
  }
  return { mine, trials, tooDear };
}

function joinUnderWay(all: readonly UnderWay[]): UnderWay {
  const calling: Record<string, number> = {};
  for (const each of all)
    for (const [target, count] of Object.entries(each.calling))
      calling[target] = (calling[target] ?? 0) + count;
  return { calling, waiting: all.reduce((sum, { waiting }) => sum + waiting, 0) };
}

/** Returns the name of the record of a run's limits. */
export function recordOf(runId: string): string {
  return `${recordsOfRun(runId)}limits`;
}

/** Removes what is known of the limits of a run, before it begins or continues. */
export async function resetSharedLimits(
  records: Pick<SharedRecords, 'remove'>,
  runId: string,
): Promise<void> {
  await records.remove(recordOf(runId));
}
