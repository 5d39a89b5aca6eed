import { requireWhole } from '../../decide/analysis/summary/check-totals.ts';
import {
  type Judge,
  type JudgeAnswer,
  type JudgementCache,
  type JudgeQuestion,
  notAskedCode,
} from '../../evaluate/judges/judge.ts';
import { createStoredJudge, recordJudge } from '../../evaluate/judges/stored-judge.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { askPreference } from './ask-preference.ts';
import { newestOf, pickContestants } from './compared-targets.ts';
import type { PreferenceRules } from './prefer.ts';
import { planComparison } from './read-pairs.ts';

/** The consumption of a comparison of answers in pairs, before anything is asked. */
export interface PreferencePlan {
  readonly targets: readonly string[];
  /** Pairs of answers, and how many of them need no judge: the same text twice, or not two answers. */
  readonly pairs: number;
  readonly identical: number;
  readonly withoutAnswer: number;
  /** Questions to the models of the judge whose answers are not stored yet, and those whose answers are. */
  readonly questions: number;
  readonly stored: number;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** US dollars; null when the price of a model is unknown. */
  readonly cost: number | null;
}

/**
 * Plans a comparison of answers: counts the questions that a judge would be asked, and estimates what they cost. Nothing is asked
 * and nothing is stored. Throws `usage-invalid` for fewer than two targets, and the errors of `requireWhole`.
 */
export async function planPreferences(
  runs: readonly Run[],
  rules: PreferenceRules,
  store: Store,
): Promise<PreferencePlan> {
  for (const run of runs) await requireWhole(run, store);
  const contestants = pickContestants(runs, rules.targets);
  const askedIn = rules.reusesJudgements ? undefined : newestOf(contestants).id;
  const comparison = await planComparison(contestants, store);
  // Each judge of a panel by itself: the answers of some of them may be stored.
  const probes = (rules.judge.members ?? [rules.judge]).map((judge) =>
    createProbe(judge, { store, askedIn }),
  );
  const counts = { pairs: 0, identical: 0, withoutAnswer: 0 };
  for await (const pair of comparison.read()) {
    counts.pairs += 1;
    const [first, ...others] = probes;
    const outcome = await first?.probe(pair, rules);
    if (outcome === 'identical') counts.identical += 1;
    else if (outcome === 'without-answer') counts.withoutAnswer += 1;
    else for (const other of others) await other.probe(pair, rules);
  }
  const sums = probes.map(({ sum }) => sum());
  const add = (pick: (each: (typeof sums)[number]) => number) =>
    sums.reduce((total, each) => total + pick(each), 0);
  const isPriced = sums.every(({ cost }) => cost !== null);
  return {
    targets: contestants.map(({ name }) => name),
    ...counts,
    questions: add(({ questions }) => questions),
    stored: add(({ stored }) => stored),
    calls: add(({ calls }) => calls),
    inputTokens: add(({ inputTokens }) => inputTokens),
    outputTokens: add(({ outputTokens }) => outputTokens),
    cost: isPriced ? add(({ cost }) => cost ?? 0) : null,
  };
}

type Pair = Parameters<typeof askPreference>[0];

/** Creates what finds out, for one judge, which questions have no stored answer, and adds up what these would take. */
function createProbe(
  judge: Judge,
  { store, askedIn }: { readonly store: Store; readonly askedIn: string | undefined },
) {
  const stored = createStoredJudge(recordJudge(judge));
  const sum = {
    questions: 0,
    stored: 0,
    calls: 0,
    inputTokens: 0,
    outputTokens: 0,
    cost: 0 as number | null,
  };
  const missing: JudgeQuestion[] = [];
  const probing: Judge = {
    ...stored,
    ask: async (question, context) => {
      const answer: JudgeAnswer<(typeof question)['shape']> = await stored.ask(question, context);
      if (answer.status === 'failed' && answer.code === notAskedCode) missing.push(question);
      else sum.stored += 1;
      return answer;
    },
  };
  const judgements: JudgementCache = {
    findOrAsk: async (key, ask) => (await store.findJudgement(key, askedIn)) ?? (await ask()),
    keep: () => Promise.reject(new Error('a plan has no judgements to keep')),
  };
  return {
    sum: () => sum,
    probe: async (
      pair: Pair,
      rules: PreferenceRules,
    ): Promise<'identical' | 'without-answer' | 'compared'> => {
      missing.length = 0;
      const context = { signal: new AbortController().signal, judgements };
      const { outcome } = await askPreference(pair, { ...rules, judge: probing }, context);
      for (const question of missing) {
        const { calls, inputTokens, outputTokens, cost } = await judge.estimate([question]);
        sum.questions += 1;
        sum.calls += calls;
        sum.inputTokens += inputTokens;
        sum.outputTokens += outputTokens;
        sum.cost = cost === undefined || sum.cost === null ? null : sum.cost + cost;
      }
      if (outcome.status === 'identical') return 'identical';
      const isWithout = outcome.status === 'not-measured' && outcome.code.startsWith('trial-');
      return isWithout ? 'without-answer' : 'compared';
    },
  };
}
