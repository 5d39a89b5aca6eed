import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { createSpendingTally } from '../../evaluate/run/limits/budget.ts';
import { formatCount, formatMoney, formatPlural } from '../../look/report/format.ts';
import type { PreferencePlan } from '../../people/prefer/plan-preferences.ts';
import type { PreferenceObserver } from '../../people/prefer/prefer.ts';
import { createProgressLines } from '../progress-lines.ts';

/** Describes what a judge would be asked, and its price. */
export function describePreferencePlan(plan: PreferencePlan, judge: string): string {
  const { targets, pairs, identical, withoutAnswer, questions, stored, inputTokens, outputTokens, cost } =
    plan;
  const alone = [
    ...(identical > 0 ? [`${formatCount(identical)} with the same text twice`] : []),
    ...(withoutAnswer > 0 ? [`${formatCount(withoutAnswer)} without two answers`] : []),
  ];
  const lines = [
    `${formatPlural(pairs, 'pair')} of answers of ${formatPlural(targets.length, 'target')}: ${targets.join(', ')}`,
    ...(alone.length > 0 ? [`Not asked: ${alone.join(', ')}.`] : []),
    `${formatPlural(questions, 'question')} to ${judge}; ${formatPlural(stored, 'judgement')} ${stored === 1 ? 'is' : 'are'} stored and cost nothing.`,
    ...(questions === 0
      ? []
      : [
          `About ${formatCount(inputTokens)} input and ${formatCount(outputTokens)} output tokens: ${cost === null ? 'the price is unknown' : formatMoney(cost)}.`,
        ]),
    'Nothing was asked.',
  ];
  return `${lines.map(toTerminalText).join('\n')}\n`;
}

/** Creates the lines of progress on standard error: what is asked, then how far it is. */
export function createPreferenceLines() {
  const spending = createSpendingTally();
  const { note, show } = createProgressLines();
  let isPlanned = false;
  let [planned, done] = [0, 0];
  const observer: PreferenceObserver = {
    onNotice: ({ message }) => note(message),
    onPlanned: (pairs, targets) => {
      isPlanned = true;
      planned = pairs;
      note(
        `Comparing ${formatPlural(pairs, 'pair')} of answers of ${formatPlural(targets.length, 'target')}.`,
      );
    },
    onJudged: (judgements) => void spending.addJudgements(judgements),
    onCompared: (pairs) => {
      done += pairs;
      show(
        () =>
          `${formatCount(done)} of ${formatPlural(planned, 'pair')}, ${formatMoney(spending.read().judges)}`,
      );
    },
  };
  return { note, observer, isAsking: () => isPlanned };
}
