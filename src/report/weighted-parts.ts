import type { TargetSummary } from '../schema/summary.ts';
import { formatCount, formatInterval, formatPercent, formatWeight } from './format/format-number.ts';
import { type Phrase, quote } from './phrase.ts';

/** More categories than these are not all named. */
const mostNamed = 6;

/** The score and the pass rate with categories weighted, and by what; empty where the configuration weighs none. */
export function weightedParts({ weighted }: Pick<TargetSummary, 'weighted'>): Phrase[] {
  if (weighted === undefined) return [];
  const { score, passRate, categories } = weighted;
  if (score.value === null) return [[`not measured: ${score.reason ?? 'a category has no values'}`]];
  const shares = Object.entries(categories).toSorted(([, a], [, b]) => b - a);
  const named = shares
    .slice(0, mostNamed)
    .map(([category, share]) => [quote(category), ` ${formatWeight(share)}`]);
  const others =
    shares.length > mostNamed ? [[`${formatCount(shares.length - mostNamed)} more categories`]] : [];
  return [
    [`score ${formatPercent(score.value)} ${formatInterval(score)}`.trim()],
    [`passed ${formatPercent(passRate.value)} ${formatInterval(passRate)}`.trim()],
    ...named,
    ...others,
  ];
}
