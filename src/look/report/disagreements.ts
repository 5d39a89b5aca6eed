import type { Result } from '../../core/schema/result.ts';
import type { Contradiction, Disagreement, Summary } from '../../core/schema/summary.ts';
import type { Correlations } from '../../core/schema/metric.ts';
import { formatCount, formatPlural, formatPoints } from './format.ts';
import { type Phrase, quote } from './phrase.ts';
import type { ReportInput } from './report-input.ts';

/** Returns the kinds of disagreement that occurred, the most frequent first. */
export function seenDisagreements({ disagreements = [] }: Pick<Summary, 'disagreements'>): Disagreement[] {
  return disagreements.filter(({ count }) => count > 0);
}

/** Formats the number of contradictions among the answers with both verdicts: `12 of 180`. */
export function countText({ count, compared }: Pick<Disagreement, 'count' | 'compared'>): string {
  return `${formatCount(count)} of ${formatCount(compared)}`;
}

/** The heading of the counts. */
export const countNote = 'answers, of those with both verdicts';

/** Lists the targets with a disagreement, the most frequent first; empty in a run of one target. */
export function targetPhrases({ targets }: Disagreement): Phrase[] {
  if (targets.length < 2) return [];
  return targets
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
    .map((counts) => [quote(counts.target), ` ${countText(counts)}`]);
}

/**
 * Describes one answer with its two verdicts: `q-3 (full-context): correctness 100.0, exact-match 0.0`, in per cent.
 */
export function contradictionPhrase({ caseId, target, high, low }: Contradiction, of: Disagreement): Phrase {
  const isOfSeveral = of.targets.filter(({ count }) => count > 0).length > 1;
  return [
    quote(caseId),
    ...(isOfSeveral ? [' (', quote(target), ')'] : []),
    ': ',
    quote(high.metric),
    ` ${formatPoints(high.value)}, `,
    quote(low.metric),
    ` ${formatPoints(low.value)}`,
  ];
}

const alike = 0.9;
const opposite = -0.5;
const leastAnswers = 20;
const mostPairs = 8;

/** Describes the metrics that rank answers noticeably alike or in reverse; empty when there are none. */
export function correlationPhrases(correlations: Correlations | undefined): Phrase[] {
  const pairs = (correlations?.pairs ?? [])
    .filter(({ spearman, n }) => n >= leastAnswers && (spearman >= alike || spearman <= opposite))
    .toSorted((a, b) => Math.abs(b.spearman) - Math.abs(a.spearman));
  const shown = pairs
    .slice(0, mostPairs)
    .map(
      ({ metrics: [first, second], spearman, n }): Phrase => [
        quote(first),
        ' and ',
        quote(second),
        ` rank answers ${spearman > 0 ? 'alike' : 'the other way round'}: ${spearman.toFixed(2).replace('-', '−')} over ${formatPlural(n, 'answer')}`,
      ],
    );
  const more = pairs.length - shown.length;
  return more > 0 ? [...shown, [`… and ${formatPlural(more, 'more pair')}`]] : shown;
}

/** The explanation of the coefficients. */
export const correlationNote =
  "Spearman's coefficient: 1 when two metrics rank answers alike, −1 when the other way round. Metrics near 1 are redundant.";

/** Number of results in one page: many small reads cost more than a few larger ones, and answers can be long. */
const pageSize = 20;

/** Reads the answers that a disagreement lists, each with its whole result, in the order of the list. */
export async function* readContradictions(
  input: ReportInput,
  { widest }: Disagreement,
): AsyncGenerator<[Contradiction, Result]> {
  for (let from = 0; from < widest.length; from += pageSize) {
    const page = widest.slice(from, from + pageSize);
    const results = new Map<number, Result>();
    const ordinals = page.map(({ ordinal }) => ordinal).sort((a, b) => a - b);
    for await (const result of input.results(ordinals)) results.set(result.trial.ordinal, result);
    for (const contradiction of page) {
      const result = results.get(contradiction.ordinal);
      if (result !== undefined) yield [contradiction, result];
    }
  }
}
