import type { JsonObject } from './importer.ts';
import { asObject, asText, jsonObject } from './values.ts';

/** The id that a case had before it was written for another tool. */
export function ownId(testCase: JsonObject | undefined): string | undefined {
  return asText(asObject(asObject(testCase?.['metadata'])?.touchstone)?.id);
}

/**
 * Restores the parts of a case for which another tool has no place, and which `touchstone export --dataset` wrote into its
 * metadata. What the tool has a place for counts as the tool has it.
 */
export function restoreOwnParts(testCase: JsonObject): JsonObject {
  const { touchstone, ...metadata } = asObject(testCase['metadata']) ?? {};
  const own = asObject(touchstone);
  if (own === undefined) return testCase;
  const { id: _, input, user, expected, ...parts } = own;
  const { goal, persona } = asObject(testCase['user']) ?? {};
  const expectations = { ...asObject(expected), ...asObject(testCase['expected']) };
  return jsonObject({
    ...parts,
    ...testCase,
    ...(input !== undefined && { input }),
    ...(asObject(user) !== undefined && { user: { ...asObject(user), ...jsonObject({ goal, persona }) } }),
    ...(Object.keys(expectations).length > 0 && { expected: expectations }),
    metadata,
  });
}
