import { hashText } from '../../../../core/lib/content-hash.ts';
import { createDueWork } from '../../../../core/lib/due-work.ts';
import type { SharedRecords } from '../../../../stores/shared/shared-records.ts';
import type { LimitChange } from '../adaptive-limit.ts';
import {
  type AccountDemand,
  type AccountLimits,
  type EndedCall,
  limitBounds,
  Pauses,
  type Quota,
} from '../quota.ts';
import { type AccountGrant, type AccountState, exchange, leave, workerLeaseMs } from './account-state.ts';
import { mostUseful } from './allot.ts';
import { makeUpMs } from './buckets.ts';
import { createNews, datedFrom } from './news.ts';

/** The milliseconds within which news is reported that cannot wait, such as a refusal. Several then go together. */
const soonMs = 20;
/** The milliseconds until the next report before there was one. */
const firstReportMs = 250;
/** The milliseconds after which a report that failed is tried again. */
const afterFaultMs = 1000;

const idle: AccountDemand = { inFlight: 0, waiting: 0, tokens: 0, typicalMs: undefined };

/** A time at which a call may begin, with the tokens that were taken for it. */
interface Slot {
  readonly at: number;
  readonly tokens: number;
}

/** The services that the shared limits of an account use. */
export interface SharedQuotaNeeds {
  readonly records: Pick<SharedRecords, 'change'>;
  /** The key of the account. */
  readonly key: string;
  /** The name of this process among the others. */
  readonly worker: string;
  /** Called when calls may begin that had to wait before. */
  readonly onChange: () => void;
}

/**
 * The limits of an account that several processes share by records of a store, for one of them. It knows from its last
 * report to the record what this process may do. It reports several times in a second while there are calls, and at once
 * when it needs more or is refused. While the store cannot be reached, no call begins that was not promised before.
 */
export class SharedQuota implements Quota {
  readonly #needs: SharedQuotaNeeds;
  /** The name of its record. The key of an account can contain the address of a host that is secret. */
  readonly #record: string;
  readonly #news = createNews();
  readonly #pauses = new Pauses();
  readonly #reports = createDueWork(
    async () => await this.#report(),
    () => this.#demand.waiting > 0,
  );
  #own: AccountLimits = {};
  #demand = idle;
  /** The demand of its last report. */
  #reported = idle;
  #grant: AccountGrant | undefined;
  #grantedAt = 0;
  #slots: Slot[] = [];
  #block = 1;

  constructor(needs: SharedQuotaNeeds) {
    this.#needs = needs;
    this.#record = `account/${hashText(needs.key)}`;
  }

  /** Its share; a process that was held up for too long may have lost it to another. */
  get concurrency(): number {
    const isOver = performance.now() - this.#grantedAt >= workerLeaseMs;
    return this.#grant === undefined || isOver ? 0 : this.#grant.share;
  }

  get limit(): number {
    return this.#grant?.limit ?? limitBounds.initial;
  }

  get change(): LimitChange {
    return this.#grant?.change ?? 'start';
  }

  get isSetting(): boolean {
    return this.#grant?.isSetting ?? false;
  }

  get pausedUntil(): number {
    return this.#pauses.until;
  }

  get pausedMs(): number {
    return this.#pauses.totalMs;
  }

  restrict(limits: AccountLimits): void {
    const names = ['maxConcurrency', 'requestsPerMinute', 'tokensPerMinute'] as const;
    const least = names.map((name) => [
      name,
      Math.min(this.#own[name] ?? Infinity, limits[name] ?? Infinity),
    ]);
    this.#own = Object.fromEntries(least.filter(([, value]) => value !== Infinity));
  }

  waitMs(): number {
    if (this.#grant === undefined) return Infinity;
    if (!this.#grant.isRated) return 0;
    this.#dropLate();
    const [first] = this.#slots;
    return first === undefined ? Infinity : Math.max(0, first.at - performance.now());
  }

  reportedWaitMs(): number {
    return Math.max(0, this.#grantedAt + (this.#grant?.reportedWaitMs ?? 0) - performance.now());
  }

  begin(tokens: number): number {
    const slot = this.#slots.shift();
    const epoch = this.#grant?.epoch ?? 0;
    this.#news.addBegun(epoch, slot === undefined ? 0 : tokens - slot.tokens);
    return epoch;
  }

  end(call: EndedCall): void {
    this.#news.addEnded(call);
    if (call.outcome.type === 'refused') this.#reports.within(soonMs);
  }

  expect(demand: AccountDemand): void {
    this.#demand = demand;
    const { inFlight, waiting } = demand;
    if (inFlight + waiting === 0 && !this.#news.isPending()) return;
    const isLow = this.#grant?.isRated === true && this.#slots.length <= this.#block / 2;
    const isShort = isLow && this.#grant?.isPromised !== true;
    const isMore = inFlight + waiting > mostUseful(this.#reported.inFlight + this.#reported.waiting);
    const isNeeded = (isShort && this.#wanted() > 0) || isMore || (this.concurrency === 0 && waiting > 0);
    if (this.#grant === undefined && waiting > 0) this.#reports.within(0);
    else this.#reports.within(isNeeded ? soonMs : this.#reportEveryMs);
  }

  /** Reports what has not been reported yet, and takes this process out of the account. */
  async close(): Promise<void> {
    await this.#reports.stop();
    if (this.#grant === undefined) return;
    this.#demand = idle;
    await this.#report();
    const { records, worker } = this.#needs;
    await records
      .change<AccountState, void>(this.#record, (before) => ({
        value: leave(before, worker),
        result: undefined,
      }))
      // Where the store cannot be reached, the record of this process runs out.
      .catch(() => {});
  }

  get #reportEveryMs(): number {
    return this.#grant?.reportEveryMs ?? firstReportMs;
  }

  /** Forgets the times that have passed: to use them later would let more calls through at once than the rate. */
  #dropLate(): void {
    const oldest = performance.now() - makeUpMs;
    while (this.#slots[0] !== undefined && this.#slots[0].at < oldest) this.#slots.shift();
  }

  /** Returns the number of calls that can begin within the next second, as far as this process knows. */
  #wanted(): number {
    const { inFlight, waiting, typicalMs } = this.#demand;
    const free = Math.max(0, (this.#grant?.share ?? limitBounds.initial) - inFlight);
    // The calls in flight that end within a second make room for others.
    const ending = typicalMs === undefined ? inFlight : Math.ceil((inFlight * 1000) / Math.max(1, typicalMs));
    return Math.max(0, Math.min(waiting, free + ending) - this.#slots.length);
  }

  async #report(): Promise<void> {
    this.#dropLate();
    const { records, worker } = this.#needs;
    const news = this.#news.take();
    const { tokens } = this.#demand;
    this.#reported = this.#demand;
    const report = { worker, own: this.#own, ...this.#demand, wanted: this.#wanted(), ...news };
    try {
      let at = 0;
      const grant = await records.change<AccountState, AccountGrant>(this.#record, (before, now) => {
        at = performance.now();
        const samples = datedFrom(news.samples, at);
        const { state, grant: next } = exchange(before, { ...report, samples }, now);
        return { value: state, result: next };
      });
      this.#adopt(grant, { at, tokens });
    } catch {
      // The run learns of it by its next write to the store. Until the store is back, no call begins.
      this.#news.putBack(news);
      this.#reports.within(afterFaultMs);
    }
  }

  #adopt(grant: AccountGrant, { at, tokens }: Slot): void {
    this.#grant = grant;
    this.#grantedAt = at;
    if (grant.pausedForMs > 0) {
      this.#pauses.add(grant.pausedForMs, at);
      this.#slots = [];
    }
    if (grant.slots.length > 0) this.#block = grant.slots.length;
    this.#slots.push(...grant.slots.map((each) => ({ at: at + each, tokens })));
    this.#needs.onChange();
    const { inFlight, waiting } = this.#demand;
    if (grant.pausedForMs > 0) this.#reports.within(Math.min(grant.pausedForMs, this.#reportEveryMs));
    else if (grant.share === 0 && waiting > 0) this.#reports.within(2 * soonMs);
    else if (inFlight + waiting > 0 || grant.share > 0 || this.#news.isPending())
      this.#reports.within(this.#reportEveryMs);
  }
}
