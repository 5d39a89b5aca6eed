import type { Run } from '../../core/schema/run.ts';
import type { ScoresOfDay } from '../../core/schema/watch/watch-record.ts';
import type { WatchRule } from '../../core/schema/watch/watch-setting.ts';
import type { GateRule } from '../../core/schema/gate.ts';
import { gateRuleSchema } from '../../core/schema/gate.ts';
import type { Store } from '../../stores/store.ts';
import { correctValue } from '../gate/corrected-score.ts';
import { findUncertified } from '../gate/certified-judges.ts';
import { subjectOf } from '../gate/phrases.ts';
import { createReading } from '../gate/reading.ts';
import { thresholdOf } from './next-state.ts';

/** The findings of a run about a rule of a watch. */
export interface RuleReading {
  readonly scores: ScoresOfDay;
  /** The reason why the rule cannot be read at all; undefined where it can. */
  readonly problem: string | undefined;
  /** The share as people would give it, by the certificate of the judge; undefined where there is none. */
  readonly corrected: number | undefined;
  /** The reason why no alarm may rest on the judge; undefined when one may. */
  readonly uncertified: string | undefined;
  /** The advice on the judge without a certificate. */
  readonly advice: string | undefined;
}

/**
 * Reads the scores of the rules of a watch from a run, turned so that high ones are good, and what is known of the judges behind
 * them. Throws `store-damaged`.
 */
export async function readDay(
  run: Run,
  store: Store,
  { rules, target }: { readonly rules: Readonly<Record<string, WatchRule>>; readonly target: string },
): Promise<Map<string, RuleReading>> {
  const asGate: Record<string, GateRule> = Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => [name, gateRuleSchema.parse(rule)]),
  );
  const judges = await findUncertified({ ...run, gate: { ...run.gate, rules: asGate } }, store);
  const found = new Map<string, RuleReading>();
  for (const [name, rule] of Object.entries(rules)) {
    const { scores, problem } = await readScores(run, store, rule);
    const view = measureOf(rule);
    const point =
      view === undefined
        ? undefined
        : await correctValue(run, store, { target, measure: view, category: undefined });
    const advice = judges.all.find((judge) => judge.rules.includes(name))?.message;
    const uncertified = judges.reasonAgainst({ name, target });
    const corrected = point?.corrected?.value ?? undefined;
    found.set(name, { scores, problem, corrected, uncertified, advice });
  }
  return found;
}

function measureOf(rule: WatchRule) {
  if (rule.type === 'metric') return { type: 'metric', name: rule.metric } as const;
  return rule.type === 'score' ? ({ type: 'score', name: 'score' } as const) : undefined;
}

/**
 * Finds the first answers of a run that are worse than a rule asks for, as their places in the plan. Throws `store-damaged`.
 */
export async function findBad(
  run: Run,
  store: Store,
  { rule, most }: { readonly rule: WatchRule; readonly most: number },
): Promise<number[]> {
  const reading = readingOf(run, rule);
  const bad: number[] = [];
  if ('reason' in reading) return bad;
  for await (const some of store.readOutcomes(run.id))
    for (const outcome of some) {
      const number = reading.read(outcome);
      if (number.status !== 'measured' || turned(rule, number.value) >= thresholdOf(rule)) continue;
      if (bad.push(outcome.trial.ordinal) === most) return bad;
    }
  return bad;
}

function readingOf(
  run: Run,
  rule: WatchRule,
): ReturnType<typeof createReading> | { readonly reason: string } {
  const subject = subjectOf(gateRuleSchema.parse(rule));
  return subject === undefined ? { reason: 'it reads no answers' } : createReading(run, subject);
}

/** Turns the score of a share that is to stay low. */
function turned(rule: WatchRule, value: number): number {
  return rule.type === 'metric' && rule.atMost !== undefined ? 1 - value : value;
}

async function readScores(
  run: Run,
  store: Store,
  rule: WatchRule,
): Promise<Pick<RuleReading, 'scores' | 'problem'>> {
  const reading = readingOf(run, rule);
  const scores: ScoresOfDay = { scores: [], missing: 0 };
  if ('reason' in reading) return { scores, problem: reading.reason };
  for await (const some of store.readOutcomes(run.id)) {
    for (const outcome of some) {
      const number = reading.read(outcome);
      if (number.status === 'missing') scores.missing += 1;
      if (number.status === 'measured') scores.scores.push(turned(rule, number.value));
    }
  }
  if (reading.unit() !== undefined || scores.scores.some((score) => score < 0 || score > 1))
    return {
      scores: { scores: [], missing: 0 },
      problem: 'it is about a quantity, which has no bounds: watch a share',
    };
  const isEmpty = scores.scores.length + scores.missing === 0;
  return {
    scores,
    problem: isEmpty
      ? 'it applies to no answer: live traces have no expectations, so watch a metric that needs none'
      : undefined,
  };
}
