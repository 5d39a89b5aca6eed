import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Json } from '../../../core/schema/json.ts';
import { type Fault, corruptResult } from './fault.ts';

/** A tool that finds nothing, and says so in the shape of its results. */
export const empty: Fault = {
  kind: 'empty',
  version: 1,
  summary: 'The tool succeeds and finds nothing: no rows, no text, no record.',
  corrupt: (result) => corruptResult(result, emptied, () => ''),
};

function emptied(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (!isContainer(value)) return null;
  return hasList(value) ? withoutItems(value) : {};
}

/**
 * Returns whether a value is, or contains, the list of what was found: a list of objects, or one with a name such as `items`.
 */
function hasList(value: Json, key = ''): boolean {
  if (Array.isArray(value)) return listing.test(key) || value.some((item) => typeof item === 'object');
  if (!isContainer(value)) return false;
  return Object.entries(value).some(([name, member]) => hasList(member, name));
}

const listing = /^(?:results?|items|data|hits|rows|records|matches|entries|documents|list|values|found)$/i;

const counting = /^(?:n|count|total|size|length|hits|results|found|.*_count|.*Count|total_.*|total[A-Z].*)$/;

/** Returns an envelope with its lists empty and the counts of their items at 0. */
function withoutItems(envelope: { readonly [key: string]: Json }): Json {
  const members = Object.entries(envelope).map(([key, member]): [string, Json] => {
    if (typeof member === 'number' && counting.test(key)) return [key, 0];
    return [key, hasList(member, key) ? emptied(member) : member];
  });
  return Object.fromEntries(members);
}
