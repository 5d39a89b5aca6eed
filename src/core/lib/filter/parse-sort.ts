import { didYouMean } from '../text/nearest-name.ts';
import { fieldNames, findField, isFixedName, metricOf, type Vocabulary } from './fields.ts';
import type { Sort } from './filter.ts';

/** A parsed order, or a sentence that says why there is none. */
export type ParsedSort =
  | { readonly sort: Sort; readonly problem?: never }
  | { readonly sort?: never; readonly problem: string };

/** The order of the plan. */
export const planOrder: Sort = { field: 'ordinal', isDescending: false };

/** Parses an order: the name of a field, `total`, or `-total` for the largest first. */
export function parseSort(text: string, vocabulary: Vocabulary): ParsedSort {
  const [, minus, name = ''] = /^\s*(-?)\s*(.*?)\s*$/s.exec(text) ?? [];
  const isDescending = minus === '-';
  if (name.toLowerCase() === planOrder.field) return { sort: { ...planOrder, isDescending } };
  const named = findField(name, vocabulary);
  if (named === undefined) {
    const known = [planOrder.field, ...fieldNames(vocabulary)];
    return { problem: `The order "${text}" names an unknown field.${didYouMean(name, known)}` };
  }
  const { side, field } = named;
  if (!field.isSortable) return { problem: `Lists cannot be sorted by ${field.name}.` };
  return { sort: { ...(side && { side }), field: field.name, isDescending } };
}

/** Formats an order as a text from which `parseSort` gets the same order again. */
export function formatSort({ side, field, isDescending }: Sort): string {
  const metric = metricOf(field);
  const name = metric === undefined || isFixedName(metric) ? field : metric;
  return `${isDescending ? '-' : ''}${side === undefined ? '' : `${side}.`}${name}`;
}
