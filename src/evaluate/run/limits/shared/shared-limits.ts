import { randomUUID } from 'node:crypto';
import { createDueWork } from '../../../../core/lib/due-work.ts';
import { onAbort } from '../../../../core/lib/waiting.ts';
import type { SharedRecords } from '../../../../stores/shared/shared-records.ts';
import type { Budget } from '../budget.ts';
import { type Spending, sumOf, tolerance } from '../budget-book.ts';
import type { LateAnswers, LimitsFactory, LimitsNeeds, RunLimits } from '../run-limits.ts';
import { createRunNews } from './run-news.ts';
import { createSharedBreakers } from './shared-breakers.ts';
import { exchange, joinLate, leave, recordOf, type RunGrant, type RunState } from './run-state.ts';

/** The milliseconds between the reports of a process that works on a run. */
const reportEveryMs = 1000;
/** The milliseconds within which a process reports when it waits for the answer. Several requests then go together. */
const soonMs = 5;
const afterFaultMs = 1000;
/** The repeats that a process takes in advance. */
const repeatBlock = 4;

/** The records that processes share, and how this one uses them. */
interface Sharing {
  readonly records: Pick<SharedRecords, 'change'>;
  /** The name of this process, which no other one has; a random one by default. */
  readonly worker?: string;
  /** Returns whether a fault of the records may pass, so that they are tried again; true by default. */
  readonly mayPass?: (error: unknown) => boolean;
}

/**
 * Creates limits of runs that hold over all processes with the same records: what one of them may begin is decided by what all
 * have spent and have under way. A process takes a few trials in advance, and returns those that it does not need.
 */
export function createSharedLimits({
  records,
  worker = randomUUID(),
  mayPass = () => true,
}: Sharing): LimitsFactory {
  return (needs) => new SharedLimits({ records, worker, mayPass }, needs);
}

class SharedLimits implements RunLimits {
  readonly budget: Budget;
  readonly #sharing: Required<Sharing>;
  readonly #needs: LimitsNeeds;
  readonly #maxCost: number;
  readonly #news = createRunNews();
  readonly #reports = createDueWork(async () => await this.#report());
  readonly #breakers = createSharedBreakers({
    addOutcome: (trial) => this.#news.addOutcome(trial),
    report: (isSoon) => this.#reports.within(isSoon ? soonMs : reportEveryMs),
    tell: async () => await this.#nextAnswer(),
  });
  readonly createBreaker = this.#breakers.create;
  /** The trials under way, and those that may still begin, by target. */
  readonly #calling = new Map<string, number>();
  readonly #inHand = new Map<string, number>();
  /** The trials that wait for their admission. */
  readonly #asking = new Map<string, number>();
  #waitingForJudge = 0;
  #repeatsInHand = 0;
  #askingRepeats = 0;
  #grant: RunGrant | undefined;
  #answered = Promise.withResolvers<void>();

  constructor(sharing: Required<Sharing>, needs: LimitsNeeds) {
    this.#sharing = sharing;
    this.#needs = needs;
    this.#maxCost = needs.settings.maxCost ?? Infinity;
    this.budget = this.#createBudget();
    onAbort(needs.stop, () => this.#wakeAll());
    this.#reports.within(0);
  }

  readonly takeRepeat = async (): Promise<boolean> => {
    if (this.#needs.settings.maxRunRetries === undefined) return true;
    return this.#useRepeat() || (await this.#askForRepeat());
  };

  readonly addLate = (cost: number = 0): void => {
    this.#news.addLate(cost);
    this.#reports.within(reportEveryMs);
  };

  late(): LateAnswers {
    return joinLate(this.#grant?.late ?? { answers: 0, cost: 0 }, this.#news.late());
  }

  announce(stop: Parameters<RunLimits['announce']>[0]): void {
    // A target that failed is known from its failures.
    if (stop.target !== undefined) return;
    this.#news.addStop(stop);
    this.#reports.within(soonMs);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#reports.stop();
    this.#inHand.clear();
    this.#repeatsInHand = 0;
    await this.#report();
    const { records, worker } = this.#sharing;
    const value = (before: RunState | undefined) => leave(before, worker);
    await records
      .change<RunState, void>(this.#record, (before) => ({ value: value(before), result: undefined }))
      // Where the store cannot be reached, the record of this process runs out.
      .catch(() => {});
  }

  get #record(): string {
    return recordOf(this.#needs.runId);
  }

  #createBudget(): Budget {
    const { stop } = this.#needs;
    return {
      admit: async (target) => {
        while (!stop.aborted && !this.#breakers.isOpen(target)) {
          if (this.#breakers.mustWait(target, this.#calling.get(target) ?? 0)) await this.#breakers.changed();
          else if (this.#maxCost === Infinity || this.#useTrial(target)) {
            add(this.#calling, target, 1);
            return true;
          } else {
            const next = this.#grant?.tooDear[target];
            if (next !== undefined) return this.#refuse(next);
            await this.#ask(this.#asking, target);
          }
        }
        return false;
      },
      settle: (trial) => {
        add(this.#calling, trial.target, -1);
        this.#breakers.goOn();
        this.#news.addTrial(trial);
        this.#waitingForJudge += 1;
        this.#reports.within(this.#isAsking() ? soonMs : reportEveryMs);
      },
      withdraw: (target) => {
        add(this.#calling, target, -1);
        this.#breakers.goOn();
        this.#reports.within(reportEveryMs);
      },
      addKept: (trial) => {
        this.#news.addTrial(trial);
        this.#reports.within(reportEveryMs);
      },
      addWaiting: () => void (this.#waitingForJudge += 1),
      addJudgements: (judgements) => {
        this.#news.addJudgements(judgements);
        this.#checkSpent();
        this.#reports.within(reportEveryMs);
      },
      addScored: (count) => {
        this.#news.addJudged(count);
        this.#waitingForJudge = Math.max(0, this.#waitingForJudge - count);
        this.#reports.within(this.#isAsking() ? soonMs : reportEveryMs);
      },
      spent: () => this.#spent(),
    };
  }

  /** Returns what all processes have spent, as far as they have reported it. */
  #spent(): Spending {
    const [own, all] = [this.#news.unreported(), this.#grant?.spent];
    return {
      targets: own.targets + (all?.targets ?? 0),
      judges: own.judges + (all?.judges ?? 0),
      users: own.users + (all?.users ?? 0),
    };
  }

  #checkSpent(): void {
    const spent = sumOf(this.#spent());
    if (spent > this.#maxCost + tolerance && !this.#needs.stop.aborted) this.#needs.onSpent(spent, 0);
  }

  #refuse(next: number): false {
    this.#needs.onSpent(sumOf(this.#spent()), next);
    return false;
  }

  #useTrial(target: string): boolean {
    const inHand = this.#inHand.get(target) ?? 0;
    if (inHand === 0) return false;
    add(this.#inHand, target, -1);
    // Further ones are asked for before the last one is used.
    if (inHand <= 1 + (this.#calling.get(target) ?? 0) / 4) this.#reports.within(soonMs);
    return true;
  }

  #useRepeat(): boolean {
    if (this.#repeatsInHand === 0) return false;
    this.#repeatsInHand -= 1;
    this.#news.addRepeat();
    return true;
  }

  async #askForRepeat(): Promise<boolean> {
    this.#askingRepeats += 1;
    try {
      await this.#nextAnswer();
    } finally {
      this.#askingRepeats -= 1;
    }
    return this.#useRepeat();
  }

  /** Waits for the answer to the next report, which asks for one more. */
  async #ask(asking: Map<string, number>, target: string): Promise<void> {
    add(asking, target, 1);
    try {
      await this.#nextAnswer();
    } finally {
      add(asking, target, -1);
    }
  }

  async #nextAnswer(): Promise<void> {
    this.#reports.within(soonMs);
    if (!this.#needs.stop.aborted) await this.#answered.promise;
  }

  #isAsking(): boolean {
    return this.#askingRepeats > 0 || this.#asking.values().some((count) => count > 0);
  }

  #wakeAll(): void {
    this.#answered.resolve();
    this.#answered = Promise.withResolvers();
    this.#breakers.goOn();
  }

  async #report(): Promise<void> {
    const report = this.#writeReport();
    const answered = this.#answered;
    // What is asked for from now on is part of the next report.
    this.#answered = Promise.withResolvers();
    try {
      const grant = await this.#sharing.records.change<RunState, RunGrant>(this.#record, (before, now) => {
        const { state, grant: next } = exchange(before, report, now);
        return { value: state, result: next };
      });
      this.#adopt(grant);
      answered.resolve();
    } catch (error) {
      // Until the store is back, nothing begins.
      this.#news.putBack(report.news);
      this.#reports.within(afterFaultMs);
      this.#answered.promise.then(answered.resolve, answered.reject);
      // This wakes all who wait for an answer, the ones of this report included.
      if (!this.#sharing.mayPass(error)) this.#needs.onFault(error);
    }
  }

  #writeReport() {
    const calling = new Map(this.#calling);
    const wanted: Record<string, number> = {};
    const targets = new Set([...this.#calling.keys(), ...this.#asking.keys(), ...this.#inHand.keys()]);
    for (const target of targets) {
      const [inFlight, asking] = [this.#calling.get(target) ?? 0, this.#asking.get(target) ?? 0];
      const useful = asking > 0 || inFlight > 0 ? asking + Math.ceil(inFlight / 2) : 0;
      // Those that are not needed any more are returned.
      this.#inHand.set(target, Math.min(this.#inHand.get(target) ?? 0, useful));
      const inHand = this.#inHand.get(target) ?? 0;
      add(calling, target, inHand);
      if (this.#maxCost !== Infinity && useful > inHand) wanted[target] = useful - inHand;
    }
    const { settings, areJudged } = this.#needs;
    return {
      worker: this.#sharing.worker,
      rules: {
        // JSON has no Infinity.
        maxCost: this.#maxCost,
        maxRunRetries: settings.maxRunRetries ?? Infinity,
        areJudged,
        breakers: this.#breakers.rules(),
      },
      news: this.#news.take(),
      underWay: { calling: Object.fromEntries(calling), waiting: this.#waitingForJudge },
      repeats: this.#repeatsInHand,
      wanted,
      wantedRepeats: this.#askingRepeats > 0 ? this.#askingRepeats + repeatBlock : 0,
    };
  }

  #adopt(grant: RunGrant): void {
    this.#grant = grant;
    for (const [target, count] of Object.entries(grant.trials)) add(this.#inHand, target, count);
    this.#repeatsInHand += grant.repeats;
    this.#breakers.adopt(grant);
    for (const stop of grant.stops) this.#needs.onStop(stop);
    this.#checkSpent();
    if (this.#needs.stop.aborted) this.#inHand.clear();
    // A run that waits for others must learn that they have stopped it, or returned what it needs.
    this.#reports.within(reportEveryMs);
  }
}

function add(counts: Map<string, number>, target: string, count: number): void {
  counts.set(target, (counts.get(target) ?? 0) + count);
}
