import type { AnswerPreference } from '../../schema/api/preference/report.ts';
import type { PreferenceCases, PreferenceChoice } from '../../schema/api/preference/view.ts';

/** The tests of whether a number of a comparison counts a verdict. */
const tests: Readonly<Record<PreferenceChoice, (outcome: AnswerPreference['outcome']) => boolean>> = {
  wins: (outcome) => outcome.status === 'decided' && outcome.winner === 'a',
  losses: (outcome) => outcome.status === 'decided' && outcome.winner === 'b',
  ties: (outcome) =>
    outcome.status === 'identical' || (outcome.status === 'decided' && outcome.winner === 'tie'),
  flips: (outcome) => outcome.status === 'decided' && !outcome.isConsistent,
  'not-measured': (outcome) => outcome.status === 'not-measured',
  measured: (outcome) => outcome.status !== 'not-measured',
};

/** A number of a comparison of two targets, by their names. */
export interface CountedPreferences {
  readonly pair: { readonly a: string; readonly b: string } | undefined;
  readonly choice: PreferenceChoice;
  /** The most verdicts to list. */
  readonly limit: number;
}

/** Lists the verdicts on single answers behind a number of a comparison, with their count; none for a pair that is not there. */
export function listCounted(
  preferences: readonly AnswerPreference[],
  { pair, choice, limit }: CountedPreferences,
): PreferenceCases {
  const rows = preferences.filter(
    ({ a, b, outcome }) => a === pair?.a && b === pair.b && tests[choice](outcome),
  );
  return { rows: rows.slice(0, limit).map(withShortReasons), count: rows.length };
}

/** The longest reason in a list, in UTF-16 code units. */
const longestReason = 400;

/** Returns a verdict whose reasons are short enough for a list. */
export function withShortReasons(preference: AnswerPreference): AnswerPreference {
  const { outcome } = preference;
  if (outcome.status !== 'decided') return preference;
  const shorten = (text: string) => (text.length > longestReason ? `${text.slice(0, longestReason)}…` : text);
  return { ...preference, outcome: { ...outcome, reasons: outcome.reasons.map(shorten) } };
}
