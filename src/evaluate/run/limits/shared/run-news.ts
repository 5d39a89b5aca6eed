import type { Judgement } from '../../../../core/schema/judgement.ts';
import type { RunStop } from '../../../../core/schema/run.ts';
import type { Trial } from '../../../../core/schema/trial.ts';
import { createSpendingTally, priceOf } from '../budget.ts';
import type { Spending } from '../budget-book.ts';
import { failureOf } from '../circuit-breaker.ts';
import { joinLate, type RunNews } from './run-state.ts';

const noSpending: Spending = { targets: 0, judges: 0, users: 0 };

/** Creates an empty collection of the events that a process has not reported yet. */
export function createRunNews() {
  const tally = createSpendingTally();
  let reported = noSpending;
  let news = emptyNews();
  const isPending = (): boolean =>
    difference(tally.read(), reported).some((amount) => amount > 0) ||
    news.judged +
      news.repeats +
      news.late.answers +
      news.outcomes.length +
      news.stops.length +
      news.prices.length >
      0;
  return {
    isPending,
    addTrial: (trial: Trial): void => {
      tally.addTrial(trial);
      const price = priceOf(trial);
      if (price !== undefined) news.prices.push([trial.target, price]);
    },
    addOutcome: (trial: Trial): void => {
      const failure = failureOf(trial);
      const said = failure && { code: failure.code, message: failure.message };
      // Nothing before an answer counts any more.
      if (said === undefined) news.outcomes = news.outcomes.filter(([target]) => target !== trial.target);
      news.outcomes.push([trial.target, said ?? null]);
    },
    addJudgements: (judgements: readonly Judgement[]): void => {
      news.judging += tally.addJudgements(judgements);
    },
    addJudged: (trials: number): void => {
      news.judged += trials;
    },
    addRepeat: (): void => {
      news.repeats += 1;
    },
    addLate: (cost: number): void => {
      news.late = joinLate(news.late, { answers: 1, cost });
    },
    late: () => news.late,
    addStop: (stop: RunStop): void => {
      news.stops.push(stop);
    },
    /** Returns what this process has spent. */
    spent: tally.read,
    /** Returns what this process has spent and not reported. */
    unreported: (): Spending => toSpending(difference(tally.read(), reported)),
    /** Returns all news, and forgets them. */
    take: (): RunNews => {
      const spent = toSpending(difference(tally.read(), reported));
      const taken = { ...news, spent };
      reported = tally.read();
      news = emptyNews();
      return taken;
    },
    /** Adds news that could not be reported, before all others. */
    putBack: ({ spent, ...earlier }: RunNews): void => {
      const { targets, judges, users } = reported;
      reported = toSpending([targets - spent.targets, judges - spent.judges, users - spent.users]);
      news = {
        judging: earlier.judging + news.judging,
        judged: earlier.judged + news.judged,
        repeats: earlier.repeats + news.repeats,
        late: joinLate(earlier.late, news.late),
        prices: [...earlier.prices, ...news.prices],
        outcomes: [...earlier.outcomes, ...news.outcomes],
        stops: [...earlier.stops, ...news.stops],
      };
    },
  };
}

function emptyNews() {
  return {
    judging: 0,
    judged: 0,
    repeats: 0,
    late: { answers: 0, cost: 0 },
    prices: [] as RunNews['prices'][number][],
    outcomes: [] as RunNews['outcomes'][number][],
    stops: [] as RunStop[],
  };
}

function difference(now: Spending, before: Spending): number[] {
  return [now.targets - before.targets, now.judges - before.judges, now.users - before.users];
}

function toSpending([targets = 0, judges = 0, users = 0]: readonly number[]): Spending {
  return { targets, judges, users };
}
