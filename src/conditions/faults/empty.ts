import type { Json } from '../../schema/json.ts';
import { type Fault, throughText } from './fault.ts';

/** The tool finds nothing, and says so in the shape of its results. */
export const empty: Fault = {
  kind: 'empty',
  version: 1,
  summary: 'The tool succeeds and finds nothing: no rows, no text, no record.',
  corrupt: (result) => throughText(result, emptied, () => ''),
};

function emptied(value: Json): Json {
  if (Array.isArray(value)) return [];
  if (value === null || typeof value !== 'object') return null;
  return hasList(value) ? withoutItems(value) : {};
}

/** Whether a value is, or holds, the list of what was found: a list of things, or one under a name that says so. */
function hasList(value: Json, key = ''): boolean {
  if (Array.isArray(value)) return listing.test(key) || value.some((item) => typeof item === 'object');
  if (value === null || typeof value !== 'object') return false;
  return Object.entries(value).some(([name, member]) => hasList(member, name));
}

const listing = /^(?:results?|items|data|hits|rows|records|matches|entries|documents|list|values|found)$/i;

const counting = /^(?:n|count|total|size|length|hits|results|found|.*_count|.*Count|total_.*|total[A-Z].*)$/;

/** An envelope stays, with its lists empty and what counts their items at 0. */
function withoutItems(envelope: { readonly [key: string]: Json }): Json {
  const members = Object.entries(envelope).map(([key, member]): [string, Json] => {
    if (typeof member === 'number' && counting.test(key)) return [key, 0];
    return [key, hasList(member, key) ? emptied(member) : member];
  });
  return Object.fromEntries(members);
}
