import type { PeoplePreferenceReport } from '../../../core/schema/api/preference/people.ts';
import type { PreferenceReport, TargetPreference } from '../../../core/schema/api/preference/report.ts';
import {
  describeJudging,
  describePreference,
  describeRanking,
  describeJudgeOnPairs,
  describePeople,
} from '../../report/comparison/preferences.ts';
import type { Phrase } from '../../report/phrase.ts';
import { type Block, heading, paragraph, rule, table } from '../blocks/block.ts';
import { renderMarkdown } from '../blocks/markdown.ts';
import { renderTerminal } from '../blocks/terminal.ts';
import { name, phrase, quoted, span, type Text, type Tone } from '../blocks/text.ts';
import type { ReportView } from '../reporter.ts';

/** Formats the report of comparing answers in pairs for the terminal: the verdicts first, then the ranking and the judge. */
export function preferenceText(report: PreferenceReport, view: ReportView): string {
  return renderTerminal(layout(report), view);
}

/** Formats the same for a pull request, with all texts from targets and judges as code. */
export function preferenceMarkdown(report: PreferenceReport): string {
  return renderMarkdown(layout(report));
}

function layout(report: PreferenceReport): Block[] {
  return [
    ...titleBlocks('  prefer', report.rule.targets),
    ...rankingBlocks(report),
    ...report.pairs.flatMap(pairBlocks),
    rule,
    ...describeJudging(report).map((text) => sentence(text, 'quiet')),
    criterion('  Criterion: ', report.rule.criterion),
  ];
}

function titleBlocks(what: string, targets: PreferenceReport['rule']['targets']): Block[] {
  return [
    heading(1, [span('Touchstone', 'strong'), span(what, 'quiet')]),
    ...targets.map((target) =>
      paragraph([name(target.name, 'strong'), span('  run ', 'quiet'), name(target.run, 'quiet')]),
    ),
  ];
}

const longestCriterion = 2000;

function criterion(label: string, text: string): Block {
  return paragraph([quoted(text, 'quiet', longestCriterion)], { mark: [span(label, 'quiet')], indent: 0 });
}

function sentence(text: Phrase, tone?: Tone): Block {
  return paragraph(phrase(text, tone, tone ?? 'plain'));
}

/** Lays out the verdict on two targets. */
function pairBlocks(pair: TargetPreference): Block[] {
  const { outcome, sentences, cautions } = describePreference(pair);
  const tone = pair.verdict === 'a-better' || pair.verdict === 'b-better' ? 'good' : 'fair';
  const title = phrase(outcome, tone).map((part) => ({ ...part, isStrong: true, isWhole: false }));
  return [
    rule,
    paragraph(title, { indent: 0 }),
    ...sentences.map((text) => sentence(text)),
    ...cautions.map((text) => sentence(text, 'quiet')),
  ];
}

/** Lays out the ranking of a report; empty where there is none. */
function rankingBlocks({ ranking }: Pick<PreferenceReport, 'ranking'>): Block[] {
  if (ranking === undefined) return [];
  const rows = ranking.targets.map(({ name: target, rank, lastRank, elo }): Text[] => [
    [span(rank === lastRank ? `${rank}` : `${rank}–${lastRank}`, 'strong')],
    [name(target)],
    [span(elo.toFixed(0), 'quiet')],
  ]);
  return [
    rule,
    table([{ title: 'Place' }, { title: 'Target' }, { title: 'Elo scale' }], rows),
    ...describeRanking(ranking).map((text) => sentence([text], 'quiet')),
  ];
}

/** Formats what people prefer for the terminal: the verdicts, judges compared with people, and how far people agree. */
export function peoplePreferenceText(report: PeoplePreferenceReport, view: ReportView): string {
  const blocks = [
    ...titleBlocks('  prefer, by people', report.targets),
    ...rankingBlocks(report),
    ...report.pairs.flatMap((pair) => [
      ...pairBlocks(pair),
      ...pair.judges.map((judge) => sentence(describeJudgeOnPairs(judge))),
    ]),
    rule,
    ...describePeople(report).map((text) => sentence([text], 'quiet')),
    criterion('  Question: ', report.rubric.question),
  ];
  return renderTerminal(blocks, view);
}
