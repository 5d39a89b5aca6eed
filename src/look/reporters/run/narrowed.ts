import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import { readContradictions } from '../../report/disagreements.ts';
import { formatCount, formatPercent, formatPlural } from '../../report/format.ts';
import { questionRow } from '../../report/rows/question-row.ts';
import { outcomeOfTrial, type Result } from '../../../core/schema/result.ts';
import type { Contradiction, Disagreement, TargetSummary } from '../../../core/schema/summary.ts';
import {
  type Block,
  gap,
  heading,
  list,
  paragraph,
  rule,
  section,
  type Sides,
  note,
} from '../blocks/block.ts';
import { joined, name, quoted, shareTone, span, whole } from '../blocks/text.ts';
import type { ReportInput, ReportView } from '../reporter.ts';
import { kindItem } from './advice.ts';
import { answerBlocks, askedBlocks } from './answer.ts';
import { headlineOf } from './overview.ts';
import { questionItem } from './questions.ts';
import { showHint, titleBlocks } from './title.ts';

/**
 * Lays out the report of a part of a run: a note that it is a part, the score of the whole run, then every question of the
 * part. Other results over all questions are not shown, so that they are not mistaken for results of the part.
 */
export async function* layoutPart(
  input: ReportInput & { readonly narrowing: string },
  view: ReportView,
): AsyncGenerator<Block> {
  const part = [
    span('Only a part of the run is listed: ', 'fair'),
    quoted(input.narrowing, 'fair'),
    span('. The scores are for the whole run.', 'fair'),
  ];
  yield* [...titleBlocks(input.run), section(paragraph(part))];
  if (input.disagreements === undefined) {
    for (const target of input.summary.targets) yield* layoutTarget(input, target, view);
  } else yield* layoutDisagreements(input, input.disagreements, view);
  yield section(rule, showHint(input, { lead: 'The whole run: ', flags: '', indent: 0 }));
}

async function* layoutTarget(
  input: ReportInput,
  target: TargetSummary,
  view: ReportView,
): AsyncGenerator<Block> {
  const { run } = input;
  const { verbose } = view;
  const counts = { passed: 0, failed: 0, error: 0, 'not-measured': 0, unscored: 0 };
  const title = heading(2, [name(target.target, 'strong'), span('  the whole run', 'quiet')]);
  yield* [section(title, paragraph(headlineOf(run, target))), ...(verbose ? [] : [gap])];
  for await (const result of input.results()) {
    if (result.trial.target !== target.target) continue;
    counts[outcomeOfTrial(run, result)] += 1;
    yield verbose
      ? section(...(await answerBlocks(input, result, view)))
      : list([questionItem(run, questionRow(run, result))]);
  }
  yield* [...(verbose ? [gap] : []), note(countsText(counts, run.attempts))];
}

function countsText(
  { passed, failed, error, 'not-measured': notMeasured, unscored }: Record<string, number>,
  attempts: number,
): string {
  const counts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [error, 'errors'],
    [notMeasured, 'not measured'],
    [unscored, 'without a score'],
  ] as const;
  const all = counts.reduce((sum, [count = 0]) => sum + count, 0);
  const parts = counts
    .filter(([count = 0]) => count > 0)
    .map(([count = 0, label]) =>
      label === 'errors' ? formatPlural(count, 'error') : `${formatCount(count)} ${label}`,
    );
  const listed = formatPlural(all, attempts > 1 ? 'attempt' : 'question');
  return parts.length === 0 ? 'No question matches.' : `${listed} listed: ${parts.join(' · ')}`;
}

const longestExplanation = 2000;

/** Lays out the questions of each kind of disagreement in full, with the two verdicts side by side. */
async function* layoutDisagreements(
  input: ReportInput,
  disagreements: readonly Disagreement[],
  view: ReportView,
): AsyncGenerator<Block> {
  if (disagreements.length === 0)
    yield section(paragraph([span('No two metrics contradict each other on an answer of this run.')]));
  for (const disagreement of disagreements) {
    yield section(list([kindItem(disagreement, { countWidth: 0, named: 0 })]));
    for await (const [contradiction, result] of readContradictions(input, disagreement)) {
      yield section(
        headBlock(contradiction, result),
        ...(view.verbose ? await answerBlocks(input, result, view) : askedBlocks(result, view)),
        verdictsBlock(contradiction, result),
      );
    }
    const others = disagreement.count - disagreement.widest.length;
    yield section(
      note(others > 0 ? `… and ${formatCount(others)} more with smaller differences; --json lists all` : ''),
    );
  }
}

function headBlock({ caseId, target }: Contradiction, { case: { category }, trial }: Result): Block {
  const facts = [
    [name(caseId, 'strong')],
    [name(target)],
    category === undefined ? [] : [name(category, 'quiet')],
    ...(trial.attempt > 1 ? [[whole(`attempt ${trial.attempt}`, 'quiet')]] : []),
  ];
  return paragraph(joined(facts));
}

/** Lays out the two verdicts side by side. */
function verdictsBlock({ high, low }: Contradiction, { verdicts }: Result): Sides {
  const sides = [high, low].map(({ metric, value }) => {
    const verdict = verdicts[metric];
    const explanation = verdict?.status === 'scored' ? (verdict.explanation ?? '') : '';
    return {
      mark: [span(formatPercent(value).padStart(7), shareTone(value)), span('  ')],
      title: [name(metric, 'strong')],
      text: firstUnits(explanation, longestExplanation),
    };
  });
  return { kind: 'sides', sides };
}
