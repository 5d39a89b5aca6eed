import type { ComparisonInput } from '../../report/comparison/comparison-input.ts';
import { jsonDocument } from '../../lib/json-document.ts';

/** A comparison as one JSON document (see `runComparisonSchema`). */
export function comparisonJson({ comparison }: ComparisonInput): string {
  return jsonDocument(comparison);
}
