import { describeJudgeOnPairs, describePeople } from '../../report/preferences/preference-phrases.ts';
import type { PeoplePreferenceReport } from '../../schema/api/preference/people.ts';
import type { ReportView } from '../reporter.ts';
import { flow, indented } from '../terminal/flow.ts';
import { type Line, renderLine, span } from '../terminal/line.ts';
import { rule } from '../terminal/title.ts';
import { pairLines, rankingLines } from './terminal.ts';

/** Formats what people prefer for the terminal: the verdicts, judges held against people, and how far people agree. */
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
