import { labelCounts } from '../../report/rows/label-counts.ts';
import { isCounted } from '../../report/rows/counted-criteria.ts';
import type { ReportedTarget } from '../../report/findings.ts';
import {
  formatCount,
  formatInterval,
  formatPercent,
  formatPlural,
  formatPoints,
  formatWeight,
} from '../../report/format/format-number.ts';
import {
  adviceSentences,
  levelReasons,
  noiseSentences,
  ruleSentences,
} from '../../report/repeats-sentences.ts';
import { codeSpan, setTable } from './code-span.ts';

const mostIds = 12;

/** How many trials had each outcome; empty for a scorecard without outcomes. */
export function outcomeTable({ target }: ReportedTarget): string {
  const { outcomes = [] } = target;
  if (outcomes.length === 0 || target.counts.measured === 0) return '';
  const rows = outcomes.map(({ outcome, trials, share }) => [
    codeSpan(outcome),
    formatCount(trials),
    formatPercent(share.value),
    formatInterval(share),
  ]);
  return setTable(['Outcome', 'Trials:', 'Share:', 'Interval'], rows);
}

/** How often each criterion was not met, and what that costs the score on average. */
export function criterionTable({ run, target }: ReportedTarget): string {
  const criteria = (target.criteria ?? []).filter(({ criterion }) => isCounted(run.scorecard, criterion));
  if (criteria.length === 0) return '';
  const rows = criteria.map(({ criterion, weight, unmet, measured, notMeasured, share }) => [
    codeSpan(criterion),
    formatWeight(weight),
    `${formatCount(unmet)} of ${formatCount(measured)}${notMeasured === 0 ? '' : `, ${formatCount(notMeasured)} not measured`}`,
    `${formatPercent(share.value)} ${formatInterval(share)}`.trim(),
    unmet === 0 || weight === 0 ? '' : `−${formatPoints(weight * (share.value ?? unmet / measured))}`,
  ]);
  return setTable(['Criterion', 'Weight:', 'Not met:', 'Share', 'Costs:'], rows);
}

/** pass@k and pass^k, and the cases by how many of their attempts passed. */
export function reliabilityText({ target: { reliability } }: ReportedTarget): string {
  if (reliability === undefined || reliability.groups.length === 0) return '';
  const rows = reliability.levels.map(({ k, any, all }) => [
    formatCount(k),
    `${formatPercent(any.value)} ${formatInterval(any)}`.trim(),
    `${formatPercent(all.value)} ${formatInterval(all)}`.trim(),
    formatCount(all.n),
  ]);
  const groups = reliability.groups.map(({ passed, measured, cases, verdict, ids }) => {
    const named = ids.slice(0, mostIds).map((id) => codeSpan(id));
    const more = cases > named.length ? ` and ${formatCount(cases - named.length)} more` : '';
    const outcome = verdict === undefined ? '' : `, ${verdict}`;
    return `- ${formatCount(passed)} of ${formatCount(measured)} passed${outcome}: ${formatPlural(cases, 'case')}: ${named.join(', ')}${more}\n`;
  });
  const table = setTable(['Attempts (k):', 'Any passes (pass@k)', 'All pass (pass^k)', 'Cases:'], rows);
  const sentences = [...ruleSentences(reliability), ...levelReasons(reliability)].map(
    (text) => `${text}\n\n`,
  );
  return `${sentences.join('')}${table}\n<details><summary>Cases by attempts that passed</summary>\n\n${groups.join('')}\n</details>\n`;
}

/** How much of the differences between scores is due to the questions, to the agent and to the judge, and what to do about it. */
export function noiseText({ target: { noise } }: ReportedTarget): string {
  if (noise === undefined) return '';
  const lines = noiseSentences(noise, codeSpan).map((sentence) => `- ${sentence}\n`);
  const advice = adviceSentences(noise);
  return `${lines.join('')}${advice.length === 0 ? '' : `\n${advice.join(' ')}\n`}`;
}

/** How often metrics gave each of their classes. */
export function labelText({ target }: ReportedTarget): string {
  return target.metrics
    .flatMap(({ metric, labels }) => {
      if (labels === undefined) return [];
      const counts = labelCounts(labels).map(([label, count]) => `${codeSpan(label)} ${formatCount(count)}`);
      return [`${codeSpan(metric)}: ${counts.join(' · ')}\n`];
    })
    .join('\n');
}
