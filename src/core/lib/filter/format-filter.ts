import { isFixedName, metricOf } from './fields.ts';
import type { Filter, FilterTerm } from './filter.ts';

/** Formats a filter as a text from which `parseFilter` gets the same filter again. */
export function formatFilter(filter: Filter): string {
  return filter.map(formatTerm).join(' ');
}

function formatTerm({ side, field, operator, values }: FilterTerm): string {
  const prefix = side === undefined ? '' : `${side}.`;
  return `${prefix}${formatField(field)}${operator}${values.map(formatValue).join('|')}`;
}

/** Formats the name of a field, in quotation marks where it needs them. */
export function formatName(name: string): string {
  return plainName.test(name) ? name : quote(name);
}

const plainName = /^[\w.-]+$/;

function formatField(field: string): string {
  const metric = metricOf(field);
  if (metric === undefined) return /^(?:gap|label)\./.test(field) ? formatName(field) : field;
  const name = isFixedName(metric) ? field : metric;
  return formatName(name);
}

/** Formats one value of a term, in quotation marks where it needs them. */
export function formatValue(value: string | number): string {
  if (typeof value === 'number') return String(value);
  return /[\s|"]/.test(value) ? quote(value) : value;
}

function quote(text: string): string {
  return `"${text.replace(/["\\]/g, String.raw`\$&`)}"`;
}
