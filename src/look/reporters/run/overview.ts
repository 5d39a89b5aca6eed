import type { ReportedTarget } from '../../report/findings.ts';
import { formatCount, formatInterval, formatPercent, formatQuantity } from '../../report/format.ts';
import { calledCount, errorCount, errorKinds, headlineParts } from '../../report/headline.ts';
import { averagedNote, gradeCounts, describeGrade, weightedParts } from '../../report/overview.ts';
import { sayScore, judgeParts, shownScore, shownValue } from '../../report/score-in-words.ts';
import { usageParts } from '../../report/usage-parts.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { MetricSummary, TargetSummary } from '../../../core/schema/summary.ts';
import { type Block, paragraph, table, note } from '../blocks/block.ts';
import { joined, name, quoted, shareTone, span, type Text, type Tone, whole } from '../blocks/text.ts';

/** Sets the headline of a target: its score, then the parts of the headline. */
export function headlineOf(run: Run, target: TargetSummary): Text {
  const [score = '', ...parts] = headlineParts(target, run);
  const [value = '', interval] = score.split(/ (?=\[)/);
  const tone = shareTone(shownScore(target).value.value, run.scorecard?.passMark) ?? 'strong';
  return [
    { text: value, tone, isStrong: true, isWhole: true },
    ...(interval === undefined
      ? []
      : [
          { text: ' ', isStrong: true },
          { text: interval, isStrong: true, isWhole: true },
        ]),
    { text: '  ', isGlue: true },
    ...joined(parts.map((part) => [whole(part)])),
  ];
}

/** The most metrics whose means stand in the place of a score. */
const mostMetrics = 4;

/** Sets the score of a target in words; without a scorecard, the means of its first metrics. */
export function scoreText(run: Run, target: TargetSummary): Text {
  if (run.scorecard === null) {
    const means = firstMeans(target);
    return means.length === 0 ? [span('not measured')] : joined(means);
  }
  const { score, sure, basis } = sayScore(target, run);
  const tone = shareTone(shownScore(target).value.value, run.scorecard.passMark) ?? 'strong';
  return [
    { text: score, tone, isStrong: true, isWhole: true },
    ...[sure, basis].filter(Boolean).flatMap((text) => [span(', '), whole(text, 'strong')]),
    ...judgeParts(target).flatMap((text) => [span(' · ', 'quiet'), whole(text, 'quiet')]),
  ];
}

/** Sets the means of the first metrics, which stand in the place of a score where there is no scorecard. */
export function firstMeans({ metrics }: Pick<TargetSummary, 'metrics'>): Text[] {
  return metrics
    .filter(({ estimate }) => estimate.value !== null)
    .slice(0, mostMetrics)
    .map(meanText);
}

/** Sets the mean of a metric: of a certified judge what people would say, with what the judge says next to it. */
function meanText({ metric, unit, estimate, corrected, notCorrected }: MetricSummary): Text {
  const { value, said } = shownValue({ value: estimate, corrected, notCorrected });
  if (said === undefined) return [name(metric), whole(` ${formatQuantity(value.value, unit)}`, 'strong')];
  const shown = value.value === null ? 'not corrected' : `corrected ${formatPercent(value.value)}`;
  return [
    name(metric),
    whole(` ${shown}`, 'strong'),
    whole(` (judge says ${formatPercent(said.value)})`, 'quiet'),
  ];
}

/** Lays out passed, failed and errors as counts, shares and intervals; then the number of answers with each grade. */
export function outcomeBlocks(reported: ReportedTarget): Block[] {
  const { run, target } = reported;
  const { counts, passRate, errorRate } = target;
  const kinds = errorKinds(counts);
  const outcomes: Text[][] = [
    [[span('Passed')], ofTotal(counts.passed, counts.measured, 'good'), ...share(passRate)],
    [[span('Failed')], ofTotal(counts.failed, counts.measured, 'bad')],
  ];
  const errors = [
    [span('Errors')],
    ofTotal(errorCount(counts), calledCount(counts), 'fault'),
    ...share(errorRate),
    [span(kinds ?? '', 'quiet')],
  ];
  return [
    table(
      [
        { title: '', name: 'Outcome' },
        { title: '', name: 'Answers' },
        { title: '', name: 'Share', align: 'right' },
        { title: '', name: 'Interval' },
        { title: '', isOptional: true },
      ],
      run.scorecard === null || counts.measured === 0 ? [errors] : [...outcomes, errors],
    ),
    note(averagedNote(reported) ?? ''),
    ...gradeBlocks(run, target),
  ];
}

/** Lays out the score and the pass rate with weighted categories; empty without weights in the config. */
export function weightedBlock({ target }: ReportedTarget): Block {
  const parts = weightedParts(target).map((phrase) =>
    phrase.map((part) => (typeof part === 'string' ? whole(part) : name(part.quoted))),
  );
  return paragraph(joined(parts), { label: 'Weighted' });
}

/** Lays out calls, retries, tokens and cost. */
export function usageBlock({ run, target }: ReportedTarget): Block {
  const parts = usageParts(run, target.usage).map((part) => [whole(part)]);
  return paragraph(joined(parts), { label: 'Calls' });
}

function ofTotal(count: number, total: number, tone: Tone): Text {
  return [span(formatCount(count), count > 0 ? tone : undefined), span(` of ${formatCount(total)}`, 'quiet')];
}

function share(estimate: Estimate): [Text, Text] {
  if (estimate.value === null) return [[], []];
  return [[span(formatPercent(estimate.value))], [span(formatInterval(estimate), 'quiet')]];
}

function gradeBlocks(run: Run, target: TargetSummary): Block[] {
  if (target.counts.measured === 0) return [];
  const grades = gradeCounts(run, target).map(({ grade, count, meaning }): Text => {
    const tone = count === 0 ? 'quiet' : undefined;
    if (meaning === '') return [name(grade, tone), whole(` ${formatCount(count)}`, tone)];
    return [name(grade, tone), whole(` ${formatCount(count)} `, tone), name(meaning, tone)];
  });
  return [
    paragraph(joined(grades), { label: 'Grades' }),
    paragraph([quoted(describeGrade(run, target) ?? '')], { label: 'Means' }),
  ];
}
