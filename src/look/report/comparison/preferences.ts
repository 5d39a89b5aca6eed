import type { JudgeOnPairs, PeoplePreferenceReport } from '../../../core/schema/api/preference/people.ts';
import type {
  PreferenceReport,
  TargetPreference,
  AnswerPreference,
} from '../../../core/schema/api/preference/report.ts';
import type { PreferenceCases, PreferenceChoice } from '../../../core/schema/api/preference/view.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import {
  formatConfidence,
  formatCount,
  formatInterval,
  formatMoney,
  formatPercent,
  formatPlural,
} from '../format.ts';
import { joinPhrases, type Phrase, quote } from '../phrase.ts';

/** The verdict on two targets in words: a headline and sentences below it. */
export interface PreferencePhrases {
  readonly outcome: Phrase;
  readonly sentences: readonly Phrase[];
  /** Sentences on what may limit the verdict. */
  readonly cautions: readonly Phrase[];
}

/** Describes the verdict on two targets, with what was not measured and what the position and the length did. */
export function describePreference(pair: TargetPreference): PreferencePhrases {
  return {
    outcome: outcomeOf(pair),
    sentences: [winSentence(pair), ...lengthSentence(pair)],
    cautions: [...coverageSentences(pair), ...positionSentence(pair)],
  };
}

function outcomeOf({ verdict, a, b }: TargetPreference): Phrase {
  const [first, second] = verdict === 'b-better' ? [quote(b), quote(a)] : [quote(a), quote(b)];
  if (verdict === 'not-enough-data') return ['Not enough data: ', first, ' against ', second];
  if (verdict === 'no-visible-difference') return ['No visible difference: ', first, ' against ', second];
  return [first, ' is preferred to ', second];
}

function winSentence({ a, wins, ties, losses, identical, winRate, measured }: TargetPreference): Phrase {
  if (measured === 0) return ['No pair of answers was compared.'];
  const interval = formatInterval({ ...winRate, n: measured });
  const rate = [formatPercent(winRate.value), interval].filter((part) => part !== '').join(' ');
  const same = identical === 0 ? '' : ` (${formatCount(identical)} of them the same text, not asked)`;
  const clusters = winRate.clusters === undefined ? '' : ` in ${formatCount(winRate.clusters)} clusters`;
  const results = `${formatPlural(wins, 'win')}, ${formatPlural(ties, 'tie')}${same}, ${formatPlural(losses, 'loss', 'losses')}`;
  return [quote(a), ` wins ${rate} of ${formatPlural(measured, 'pair')} of answers${clusters}: ${results}.`];
}

function lengthSentence({ a, lengthControlled, measured }: TargetPreference): Phrase[] {
  if (measured === 0) return [];
  const { value, lower, upper, reason, caution } = lengthControlled;
  if (value === null) return [[`At equal lengths: not known, since ${reason ?? 'there are no verdicts'}.`]];
  const interval = lower === null || upper === null ? '' : ` [${points(lower)}, ${points(upper)}]`;
  const note = caution === undefined ? '' : `; ${caution}`;
  return [['At equal lengths ', quote(a), ` wins ${formatPercent(value)}${interval}${note}.`]];
}

function points(share: number): string {
  return formatPercent(share).replace(' %', '');
}

function coverageSentences(pair: TargetPreference): Phrase[] {
  const { planned, measured, notMeasured, casesOnlyInA, casesOnlyInB, a, b } = pair;
  const reasons = notMeasured.map(
    ({ code, pairs, reason }): Phrase => [`${formatCount(pairs)} `, quote(code), ` (${reason})`],
  );
  const alone = (count: number, target: string): Phrase[] =>
    count === 0 ? [] : [[`${formatPlural(count, 'question')} of `, quote(target), ' alone, not compared.']];
  const lead = `${formatCount(measured)} of ${formatPlural(planned, 'pair')} measured; not measured: `;
  return [
    ...(reasons.length === 0 ? [] : [[lead, ...joinPhrases(reasons, '; '), '.']]),
    ...alone(casesOnlyInA, a),
    ...alone(casesOnlyInB, b),
  ];
}

function positionSentence({ position }: TargetPreference): Phrase[] {
  const { swapped, consistent, toFirst, toSecond, pValue } = position;
  const leaning = `${formatCount(toFirst)} for the first answer, ${formatCount(toSecond)} for the second${pValue === null ? '' : ` (sign test, p = ${pValue.toFixed(3)})`}`;
  if (swapped > 0) {
    const same = `Position: the same result in both orders for ${formatCount(consistent)} of ${formatPlural(swapped, 'pair')}`;
    return [[consistent === swapped ? `${same}.` : `${same}; the others count as ties: ${leaning}.`]];
  }
  return toFirst + toSecond === 0 ? [] : [[`Position: ${leaning}.`]];
}

/** Describes how the answers were judged, at what cost, and the method. */
export function describeJudging({ rule, judging, isStopped, pairs }: PreferenceReport): Phrase[] {
  const { judge, order } = rule;
  const calls =
    judging.calls === 0
      ? 'no calls: all judgements were stored'
      : `${formatPlural(judging.calls, 'call')}, ${costOf(judging.cost)}`;
  const others = judge.models.filter((model) => model !== judge.name);
  const models = others.length === 0 ? [] : [' (', quote(others.join(', ')), ')'];
  const how =
    order === 'both'
      ? 'Every pair was asked in both orders; a win counts only if it survives the swap.'
      : 'Every pair was asked once, in a random order: the position may decide.';
  const { winRate } = pairs[0] ?? {};
  const level =
    winRate === undefined
      ? ''
      : ` Intervals: ${formatConfidence(winRate)}, ${winRate.method}, each pair of targets for itself.`;
  return [
    ['Judge ', quote(judge.name), ...models, `: ${calls}.`],
    [`${how} A tie is half a win.${level}`],
    ...(isStopped
      ? [['Stopped before all pairs were asked. Repeat the command: stored judgements are reused.']]
      : []),
  ];
}

function costOf(cost: number | null): string {
  return cost === null ? 'cost unknown' : formatMoney(cost);
}

/** Describes the rule of a ranking, and what limits it. */
export function describeRanking({
  caution,
  resamples,
  reason,
}: NonNullable<PreferenceReport['ranking']>): string[] {
  if (reason !== undefined) return [`No ranking: ${reason}.`];
  return [
    `Bradley-Terry. A target is behind the targets whose lead has a 95 % interval above 0 (bootstrap over questions, ${formatCount(resamples)} resamples); targets without such a difference share a place.`,
    ...(caution === null ? [] : [`Note: ${caution}.`]),
  ];
}

/** Describes how often a judge and people agree on the same pairs of answers. */
export function describeJudgeOnPairs({ judge, pairs, same, agreement, kappa }: JudgeOnPairs): Phrase {
  const interval = formatInterval(agreement);
  const share = [formatPercent(agreement.value), interval].filter((part) => part !== '').join(' ');
  const counts = `${formatCount(same)} of ${formatCount(pairs)}`;
  return [
    'Judge ',
    quote(judge),
    ` and people agree on ${share} of the same pairs (${counts}), kappa ${formatKappa(kappa)}.`,
  ];
}

/** Formats a kappa with its interval, or the reason why there is none: `0.71 [0.58, 0.84]`. */
export function formatKappa({ value, lower, upper, reason }: Estimate): string {
  if (value === null) return `not measured: ${reason ?? 'no pairs'}`;
  const limits = lower === null || upper === null ? '' : ` [${lower.toFixed(2)}, ${upper.toFixed(2)}]`;
  return `${value.toFixed(2)}${limits}`;
}

/** Describes where the preferences of people come from, and how far people agree. */
export function describePeople(
  report: Pick<PeoplePreferenceReport, 'task' | 'drawn' | 'frame' | 'labels' | 'bothBad' | 'people'>,
): string[] {
  const { task, drawn, frame, labels, bothBad, people } = report;
  const bad = bothBad === 0 ? '' : `, ${formatCount(bothBad)} of them "both are bad", which counts as a tie`;
  const agreement =
    people.items === 0
      ? 'No pair has labels of two people, so that their agreement is not measured.'
      : `People agree on ${formatPercent(people.agreement.value)} ${formatInterval(people.agreement)} of ${formatPlural(people.items, 'pair')} that two or more compared, kappa ${formatKappa(people.kappa)}.`;
  return [
    `Review task ${task}: ${formatCount(drawn)} of ${formatPlural(frame, 'pair')} of different answers, drawn at random; ${formatPlural(labels, 'blind label')}${bad}.`,
    agreement,
    'Sides were drawn; of two people each saw the other order. A tie is half a win.',
  ];
}

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
interface CountedPreferences {
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
