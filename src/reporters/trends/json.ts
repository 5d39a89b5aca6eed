import type { TrendsInput } from '../../report/trends/trends-input.ts';
import { jsonDocument } from '../../lib/json-document.ts';

/** Trends as one JSON document (see `trendsSchema`). */
export function trendsJson({ trends }: TrendsInput): string {
  return jsonDocument(trends);
}
