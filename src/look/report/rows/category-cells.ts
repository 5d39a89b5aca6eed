import type { CategorySummary, MetricSummary, TargetSummary } from '../../../core/schema/summary.ts';
import { formatQuantity, missing } from '../format.ts';

/**
 * The text of one metric over one category. Its unit, which a user-defined metric chooses, is part of the text as
 * well.
 */
export interface CategoryCell {
  readonly text: string;
  readonly unit?: string;
}

/** The texts of all metrics over all categories: a quantity as its p50, p90 and p99, anything else as its mean. */
export interface CategoryCells {
  readonly metrics: readonly string[];
  readonly rows: readonly { readonly category: string; readonly cells: readonly CategoryCell[] }[];
}

/** Builds the table of a target's metrics by category; undefined with fewer than two categories. */
export function categoryCells({ metrics, categories }: TargetSummary): CategoryCells | undefined {
  const detailed = categories.filter(hasMetrics);
  if (detailed.length < 2) return undefined;
  const names = metrics.filter(hasSubject).map(({ metric }) => metric);
  const rows = detailed.map((one) => ({
    category: one.category,
    cells: names.map((name) => cellOf(one.metrics.find(({ metric }) => metric === name))),
  }));
  return { metrics: names, rows };
}

/** Formats the latency of a category as p50, p90 and p99; empty when it was not measured. */
export function latencyOf({ metrics = [] }: Pick<CategorySummary, 'metrics'>): string {
  const latency = metrics.find(({ unit, percentiles }) => unit === 'ms' && percentiles !== undefined);
  return latency === undefined || latency.estimate.value === null ? '' : cellOf(latency).text;
}

function hasMetrics(one: CategorySummary): one is CategorySummary & { metrics: MetricSummary[] } {
  return one.metrics !== undefined;
}

function cellOf(summary: MetricSummary | undefined): CategoryCell {
  if (summary === undefined || summary.estimate.value === null) return { text: missing };
  const { unit, estimate, percentiles } = summary;
  if (percentiles === undefined) return { text: formatQuantity(estimate.value, unit), unit };
  const texts = [percentiles.p50, percentiles.p90, percentiles.p99].map((value) =>
    formatQuantity(value, unit),
  );
  return { text: withSharedUnit(texts).join(' / '), unit };
}

/** Shortens `0.3 ms`, `0.9 ms` to `0.3`, `0.9 ms`; different units stay. */
function withSharedUnit(texts: readonly string[]): string[] {
  const units = new Set(texts.map((text) => text.slice(text.indexOf(' '))));
  const isShared = units.size === 1 && texts.every((text) => text.includes(' '));
  return texts.map((text, index) =>
    isShared && index < texts.length - 1 ? text.slice(0, text.indexOf(' ')) : text,
  );
}

/** Returns whether a metric applied to any answer; otherwise it is not worth a row. */
export function hasSubject({ scored, notApplicable, failed }: MetricSummary): boolean {
  return scored > 0 || (failed > 0 && notApplicable === 0);
}

/** Returns the frequency of each class, the most frequent first. */
export function labelCounts(labels: Readonly<Record<string, number>>): [label: string, count: number][] {
  return Object.entries(labels).toSorted(([, count], [, other]) => other - count);
}
