import type { ComparisonInput } from './comparison-input.ts';

/** A comparison as one JSON document (see `runComparisonSchema`). */
export function comparisonJson({ comparison }: ComparisonInput): string {
  return `${JSON.stringify(comparison, null, 2)}\n`;
}
