import {
  describeJudging,
  describePreference,
  describeRanking,
  describeJudgeOnPairs,
  describePeople,
} from '../../report/comparison/preferences.ts';
import type { PeoplePreferenceReport } from '../../../core/schema/api/preference/people.ts';
import type { PreferenceReport, TargetPreference } from '../../../core/schema/api/preference/report.ts';
import type { ReportView } from '../reporter.ts';
import { flow, indented } from '../terminal/flow.ts';
import { type Line, renderLine, span } from '../terminal/line.ts';
import { setTable } from '../terminal/table.ts';
import { rule } from '../terminal/title.ts';

/** Formats the report of comparing answers in pairs for the terminal: the verdicts first, then the ranking and the judge. */
export function preferenceText(report: PreferenceReport, view: ReportView): string {
  const { width } = view;
  const lines: Line[] = [
    [span('Touchstone', 'strong'), span('  prefer', 'quiet')],
    ...report.rule.targets.flatMap(({ name, run }) =>
      indented([span(name, 'strong'), span(`  run ${run}`, 'quiet')], width, 2),
    ),
    ...rankingLines(report, width),
    ...report.pairs.flatMap((pair) => pairLines(pair, width)),
    rule(width),
    ...describeJudging(report).flatMap((sentence) => indented([span(sentence, 'quiet')], width, 2)),
    ...flow([span(report.rule.criterion, 'quiet')], { width, first: [span('  Criterion: ', 'quiet')] }),
  ];
  return lines.map((line) => renderLine(line, view)).join('');
}

/** Formats the verdict on two targets. */
function pairLines(pair: TargetPreference, width: number): Line[] {
  const { outcome, sentences, cautions } = describePreference(pair);
  const isDecided = pair.verdict === 'a-better' || pair.verdict === 'b-better';
  return [
    rule(width),
    ...flow([{ text: outcome, tone: isDecided ? 'good' : 'fair', isStrong: true }], { width, first: [] }),
    ...sentences.flatMap((sentence) => indented([span(sentence)], width, 2)),
    ...cautions.flatMap((sentence) => indented([span(sentence, 'quiet')], width, 2)),
  ];
}

/** Formats the ranking of a report; nothing where there is none. */
function rankingLines({ ranking }: Pick<PreferenceReport, 'ranking'>, width: number): Line[] {
  if (ranking === undefined) return [];
  const rows = ranking.targets.map(({ name, rank, lastRank, elo }): Line[] => [
    [span(rank === lastRank ? `${rank}` : `${rank}–${lastRank}`, 'strong')],
    [span(name)],
    [span(elo.toFixed(0), 'quiet')],
  ]);
  const columns = [{ title: 'Place' }, { title: 'Target' }, { title: 'Elo scale' }];
  return [
    rule(width),
    ...(rows.length === 0 ? [] : setTable({ columns, rows }, width)),
    ...describeRanking(ranking).flatMap((sentence) => indented([span(sentence, 'quiet')], width, 2)),
  ];
}

/** Formats what people prefer for the terminal: the verdicts, judges compared with people, and how far people agree. */
export function peoplePreferenceText(report: PeoplePreferenceReport, view: ReportView): string {
  const { width } = view;
  const quiet = (sentence: string): Line[] => indented([span(sentence, 'quiet')], width, 2);
  const lines: Line[] = [
    [span('Touchstone', 'strong'), span('  prefer, by people', 'quiet')],
    ...report.targets.flatMap(({ name, run }) =>
      indented([span(name, 'strong'), span(`  run ${run}`, 'quiet')], width, 2),
    ),
    ...rankingLines(report, width),
    ...report.pairs.flatMap((pair) => [
      ...pairLines(pair, width),
      ...pair.judges.flatMap((judge) => indented([span(describeJudgeOnPairs(judge))], width, 2)),
    ]),
    rule(width),
    ...describePeople(report).flatMap(quiet),
    ...flow([span(report.rubric.question, 'quiet')], { width, first: [span('  Question: ', 'quiet')] }),
  ];
  return lines.map((line) => renderLine(line, view)).join('');
}
