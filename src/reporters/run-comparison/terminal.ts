import type { PairComparison } from '../../schema/run-comparison.ts';
import type { ReportView } from '../reporter.ts';
import { indented } from '../terminal/flow.ts';
import { type Line, renderLine, span, whole } from '../terminal/line.ts';
import { rule } from '../terminal/title.ts';
import type { ComparisonInput } from '../../report/comparison/comparison-input.ts';
import { flipLines } from './flip-lines.ts';
import { noticePhrase, rescoreCommands } from '../../report/comparison/notice-phrases.ts';
import { tellTargetChanges } from '../../report/comparison/target-changes.ts';
import { differenceLines, phraseLine, rankingLines, sideLines, unpairedLines } from './terminal-lines.ts';
import { tellMethods, tellRegression, tellVerdict } from '../../report/comparison/verdict-phrases.ts';

/** A comparison for a person at a terminal: the verdict first, then what could make it wrong, then the numbers. */
export function comparisonText(input: ComparisonInput, view: ReportView): string {
  const { comparison } = input;
  const lines = [
    [span('Touchstone', 'strong'), span('  compare', 'quiet')],
    ...comparison.comparisons.flatMap((pair) => pairLines(pair, input, view)),
    ...rankingLines(comparison, view.width),
  ];
  return lines.map((line) => renderLine(line, view)).join('');
}

const tones = {
  better: 'good',
  worse: 'bad',
  'no-visible-difference': 'fair',
  'not-enough-data': 'fair',
} as const;

function pairLines(pair: PairComparison, input: ComparisonInput, { width, verbose }: ReportView): Line[] {
  const { outcome, sentences } = tellVerdict(pair);
  const regression = tellRegression(pair);
  const room = { width, isAll: verbose };
  return [
    ...sideLines(pair, width),
    ...changeLines(pair, width),
    rule(width),
    [{ text: outcome, tone: tones[pair.verdict.outcome], isStrong: true }],
    ...sentences.flatMap((sentence) => indented(phraseLine(sentence), width, 2)),
    ...(regression === undefined ? [] : indented(phraseLine(regression, 'strong'), width, 2)),
    ...noticeLines(pair, input, width),
    ...differenceLines(pair, room),
    ...unpairedLines(pair, width),
    ...flipLines(pair, room),
    [],
    ...tellMethods(pair, input.comparison).flatMap((sentence) =>
      indented(phraseLine(sentence, 'quiet'), width, 2),
    ),
    ...(pair.differences.some(({ isRuleChanged }) => isRuleChanged)
      ? indented([span('* measured by another rule in A than in B', 'fair')], width, 2)
      : []),
    [],
  ];
}

function changeLines({ targetChanges }: PairComparison, width: number): Line[] {
  const changes = tellTargetChanges(targetChanges);
  return changes === undefined ? [] : indented(phraseLine(changes), width, 3);
}

/** What else differs, loudly; and how to score both by the same rules. */
function noticeLines(pair: PairComparison, input: ComparisonInput, width: number): Line[] {
  if (pair.notices.length === 0) return [];
  const commands = rescoreCommands(pair, input);
  return [
    [],
    ...pair.notices.flatMap((notice) =>
      indented([span('! ', 'fair'), ...phraseLine(noticePhrase(notice), 'fair')], width, 2),
    ),
    ...(commands.length === 0
      ? []
      : indented([span('Score both by the same rules, those of the config here:')], width, 2)),
    ...commands.flatMap((command) => indented([whole(command)], width, 4)),
  ];
}
