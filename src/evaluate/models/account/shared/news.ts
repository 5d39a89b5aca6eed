import { type EndedCall, signOf } from '../quota.ts';
import { type Allowances as ReportedAllowances, readAllowances } from '../read-allowances.ts';
import type { AccountReport } from './account-state.ts';
import type { Sample } from './outage.ts';

/** The outcome of a call, with the time at which it was sent, on the clock of this process. */
type SentSample = Omit<Sample, 'agoMs'> & { readonly sentAt: number };

/** The part of a report about calls that have begun or ended since the last one. */
interface News extends Pick<AccountReport, 'begun' | 'moreTokens' | 'reported'> {
  readonly samples: readonly SentSample[];
}

/** Returns outcomes as they are reported now. */
export function datedFrom(samples: readonly SentSample[], now: number): Sample[] {
  return samples.map(({ sentAt, ...sample }) => ({ ...sample, agoMs: now - sentAt }));
}

/** Creates an empty collection of news. */
export function createNews() {
  let begun = new Map<number, number>();
  let samples: SentSample[] = [];
  let moreTokens = 0;
  let reported: ReportedAllowances = {};
  const addBegun = (epoch: number, calls: number) => begun.set(epoch, (begun.get(epoch) ?? 0) + calls);
  return {
    isPending: (): boolean => samples.length > 0 || begun.size > 0,
    /** Adds a call that begins, with the tokens that it needs beyond those that were taken for it. */
    addBegun: (epoch: number, more: number): void => {
      addBegun(epoch, 1);
      moreTokens += more;
    },
    addEnded: (call: EndedCall): void => {
      const { outcome, tokens } = call;
      const sentAt = performance.now() - outcome.latencyMs;
      samples.push({ ...signOf(call), retryAfterMs: outcome.retryAfterMs ?? 0, sentAt });
      moreTokens += (outcome.tokens ?? tokens) - tokens;
      if (outcome.headers !== undefined) reported = { ...reported, ...readAllowances(outcome.headers) };
    },
    /** Returns all news, and forgets them. */
    take: (): News => {
      const taken = { begun, samples, moreTokens, reported };
      [begun, samples, moreTokens, reported] = [new Map(), [], 0, {}];
      return taken;
    },
    /** Adds news that could not be reported, before all others. */
    putBack: (news: News): void => {
      for (const [epoch, calls] of news.begun) addBegun(epoch, calls);
      samples = [...news.samples, ...samples];
      moreTokens += news.moreTokens;
      reported = { ...news.reported, ...reported };
    },
  };
}
