import type { Measured, Prediction } from '../../people/feedback/predict.ts';
import { formatPercent, formatPlural, formatPoints } from '../../look/report/format.ts';
import type { Interval } from '../../core/stats/interval.ts';
import { setRows, toText } from './feedback.ts';

/** Describes whether scores predict what users think. */
export function describePrediction(prediction: Prediction): string {
  const { units, smallUnits, spearman, kendall, separations, calibration, gaps } = prediction;
  if (units.length + smallUnits === 0 && separations.status !== 'measured')
    return 'Not measured: no answer has both a score and what users said. `touchstone feedback import FILE` adds feedback, `touchstone view --ingest` receives it: docs/production.md.\n';
  const small = smallUnits === 0 ? '' : `; without ${formatPlural(smallUnits, 'smaller group')}`;
  const lines = [
    `Does the score predict what users think? ${formatPlural(units.length, 'unit')} (category × target × week)${small}`,
    '',
    `Spearman     ${describeCorrelation(spearman)}`,
    `Kendall τ-b  ${describeCorrelation(kendall)}`,
    '',
    'AUC against thumbs and stars: the chance that an answer users liked has the higher score; 0.500 says nothing',
    ...(separations.status === 'measured'
      ? separations.value.map(({ name, auc }) => `  ${name}  ${numberOf(auc)}  n = ${auc.n}`)
      : [`  not measured: ${separations.reason}`]),
    ...(calibration.status === 'measured' ? ['', ...calibrationLines(calibration.value)] : []),
    ...(gaps.length > 0 ? ['', ...gapLines(gaps)] : []),
    '',
    'Who responds is not random. Do not tune a scorecard until this looks good.',
  ];
  return toText(lines);
}

function describeCorrelation(found: Measured<Interval>): string {
  if (found.status === 'not-measured') return `not measured: ${found.reason}`;
  const { value } = found;
  const caution = 'caution' in value && typeof value.caution === 'string' ? `  (${value.caution})` : '';
  return `${numberOf(value)}  n = ${value.n}${caution}`;
}

function numberOf({ estimate, lower, upper, ...rest }: Interval): string {
  const value = (estimate ?? Number.NaN).toFixed(3);
  if (lower === null || upper === null)
    return `${value} (no interval: ${'reason' in rest ? rest.reason : 'unknown'})`;
  return `${value} [${lower.toFixed(3)}, ${upper.toFixed(3)}]`;
}

function calibrationLines(
  calibration: Extract<Prediction['calibration'], { status: 'measured' }>['value'],
): string[] {
  const rows = calibration.reliability.map(({ n, meanScore, share }) => [
    formatPercent(meanScore),
    String(n),
    formatPercent(share.estimate),
    share.lower === null ? '' : `[${formatPoints(share.lower)}, ${formatPoints(share.upper)}]`,
  ]);
  const brier = calibration.brier.value;
  return [
    ...setRows([['mean score', 'answers', 'liked', 'interval'], ...rows]),
    ...(brier === null ? [] : [`Brier score ${brier.toFixed(3)}; 0.250 for a score that is always one half`]),
  ];
}

function gapLines(gaps: Prediction['gaps']): string[] {
  const rows = gaps.map(({ category, score, satisfied, rated, ranks }) => [
    category,
    formatPercent(score),
    formatPercent(satisfied),
    String(rated),
    `${ranks[0]} and ${ranks[1]}`,
  ]);
  const examples = gaps.flatMap(({ examples: all }) =>
    all.map(({ run, caseId, target, score, opinion }) => {
      const said = opinion === 'negative' ? 'users disliked it' : 'users liked it';
      return `  ${caseId} (${target}, run ${run}): score ${formatPercent(score)}, ${said}`;
    }),
  );
  return [
    'Where score and users differ most:',
    ...setRows([['category', 'score', 'not bad', 'rated', 'ranks'], ...rows]),
    ...(examples.length > 0 ? ['Answers in dispute:', ...examples] : []),
  ];
}
