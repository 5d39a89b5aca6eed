import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/**
 * The findings of a schema with those of unions resolved: where a value was of the shape of one alternative but wrong
 * inside, what is wrong inside is what counts. Of several, the one that knows the most of its keys was meant. A value of
 * no alternative's shape stays the union's finding.
 */
export function meantIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    const meant = issue.code === 'invalid_union' ? findMeant(issue) : undefined;
    if (meant === undefined) return [issue];
    return meantIssues(meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });
}

function findMeant(union: z.core.$ZodIssueInvalidUnion): Issue[] | undefined {
  return alternativesOf(union)
    .filter(isMeant)
    .toSorted((one, other) => unknownKeys(one) - unknownKeys(other))[0];
}

/** What each alternative finds wrong; for one that is a union itself, what each of its own does. */
function alternativesOf({ errors }: z.core.$ZodIssueInvalidUnion): Issue[][] {
  return errors.flatMap((issues) => {
    const [only] = issues;
    const isUnion = issues.length === 1 && only?.code === 'invalid_union' && only.path.length === 0;
    return isUnion ? alternativesOf(only) : [issues];
  });
}

function unknownKeys(issues: readonly Issue[]): number {
  const counts = issues.map((issue) => {
    return issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/** An alternative that was meant complains of what is inside the value, or of how much it holds; not of what it is. */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.length > 0 && issues.every((issue) => issue.path.length > 0 || !isAboutKind(issue));
}

function isAboutKind({ code }: Issue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}
