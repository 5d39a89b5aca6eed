import { rankTargets, summarizePair } from '../../decide/analysis/preference/summarize-preferences.ts';
import {
  type AnswerPreference,
  type PreferenceReport,
  preferenceReportVersion,
  type PreferenceRuleRecord,
} from '../../core/schema/api/preference/report.ts';
import type { Contestant } from './compared-targets.ts';
import type { ComparisonPlan } from './read-pairs.ts';

/** The verdicts on the pairs of a plan, in any order. */
export interface FoundPreferences extends Pick<PreferenceReport, 'judging' | 'isStopped' | 'preferences'> {
  readonly plan: Pick<ComparisonPlan, 'planned'>;
  readonly contestants: readonly Contestant[];
}

/** Builds the report of a comparison from its verdicts. */
export function buildPreferenceReport(
  rule: PreferenceRuleRecord,
  { plan, contestants, preferences, judging, isStopped }: FoundPreferences,
): PreferenceReport {
  const ordered = inOrder(preferences, contestants);
  return {
    version: preferenceReportVersion,
    rule,
    pairs: plan.planned.map(({ a, b, pairs, casesOnlyInA, casesOnlyInB }) =>
      summarizePair({
        a: a.name,
        b: b.name,
        preferences: ordered.filter((each) => each.a === a.name && each.b === b.name),
        planned: pairs,
        casesOnlyInA,
        casesOnlyInB,
      }),
    ),
    ...(contestants.length > 2 && { ranking: rankTargets(ordered, rule.seed) }),
    judging,
    isStopped,
    preferences: ordered,
  };
}

/** Puts verdicts in the order of the targets, and otherwise of the cases and attempts, whichever came first. */
function inOrder(
  preferences: readonly AnswerPreference[],
  contestants: readonly Contestant[],
): AnswerPreference[] {
  const places = new Map(contestants.map(({ name }, place) => [name, place]));
  const keyOf = ({ a, b, caseId, caseHash, attempt }: AnswerPreference) =>
    [places.get(a) ?? 0, places.get(b) ?? 0, caseId, caseHash, attempt] as const;
  return preferences.toSorted((one, other) => {
    const [first, second] = [keyOf(one), keyOf(other)];
    const place = first.findIndex((part, index) => part !== second[index]);
    if (place === -1) return 0;
    return (first[place] as string | number) < (second[place] as string | number) ? -1 : 1;
  });
}
