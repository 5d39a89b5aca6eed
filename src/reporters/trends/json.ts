import type { TrendsInput } from './trends-input.ts';

/** Trends as one JSON document (see `trendsSchema`). */
export function trendsJson({ trends }: TrendsInput): string {
  return `${JSON.stringify(trends, null, 2)}\n`;
}
