import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Bound = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

/**
 * Options for a schema that checks one or a few values: zod then generates no code, which would take longer than the
 * check.
 */
export const checkOnce = { jitless: true } as const;

/**
 * Describes what a schema expected, in words that follow "expected"; undefined for an issue whose message is a whole
 * sentence.
 */
export function describeExpectation(issue: Issue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
    case 'invalid_value':
    case 'invalid_union':
      return oneOf(alternativesOf(issue));
    case 'invalid_format':
      return issue.format === 'url' ? 'an address such as `https://example.com`' : undefined;
    case 'too_small':
      return expectationOfBound(issue, Number(issue.minimum), 'at least');
    case 'too_big':
      return expectationOfBound(issue, Number(issue.maximum), 'at most');
    default:
      return undefined;
  }
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

/** Returns every value that would have been right, in words, including alternatives within alternatives. */
function alternativesOf(issue: Issue): string[] {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.expected === 'boolean') return ['true', 'false'];
      return [kinds[issue.expected] ?? `a value of type ${issue.expected}`];
    case 'invalid_value':
      return issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value)));
    case 'invalid_union':
      return issue.errors.flatMap(([first]) => (first === undefined ? [] : alternativesOf(first)));
    default:
      return [describeExpectation(issue) ?? []].flat();
  }
}

function expectationOfBound(issue: Bound, bound: number, limit: 'at least' | 'at most'): string {
  const isOne = limit === 'at least' && bound === 1;
  if (issue.origin === 'string') {
    return isOne ? 'a text that is not empty' : `a text of ${limit} ${bound} characters`;
  }
  if (issue.origin === 'array') return isOne ? 'a list that is not empty' : `a list of ${limit} ${bound}`;
  const beyond = limit === 'at least' ? 'a number above' : 'a number below';
  return issue.inclusive === false ? `${beyond} ${bound}` : `a number of ${limit} ${bound}`;
}

function oneOf(alternatives: readonly string[]): string | undefined {
  const all = [...new Set(alternatives)];
  const last = all.pop();
  return all.length === 0 ? last : `${all.join(', ')} or ${last}`;
}

/**
 * Returns the issues of a schema with the issues of unions resolved. Where a value has the shape of one alternative but is
 * wrong inside, the issues inside are returned. Of several such alternatives, the one that knows most of the keys was
 * meant. A value that has the shape of no alternative keeps the issue of the union.
 */
export function resolveUnionIssues(issues: readonly Issue[]): Issue[] {
  return issues.flatMap((issue) => {
    const meant = issue.code === 'invalid_union' ? findMeant(issue) : undefined;
    if (meant === undefined) return [issue];
    return resolveUnionIssues(meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })));
  });
}

function findMeant(union: z.core.$ZodIssueInvalidUnion): Issue[] | undefined {
  return issuesOfAlternatives(union)
    .filter(isMeant)
    .toSorted((one, other) => unknownKeys(one) - unknownKeys(other))[0];
}

/**
 * Returns the issues of each alternative; for an alternative that is itself a union, the issues of each of its alternatives.
 */
function issuesOfAlternatives({ errors }: z.core.$ZodIssueInvalidUnion): Issue[][] {
  return errors.flatMap((issues) => {
    const [only] = issues;
    const isUnion = issues.length === 1 && only?.code === 'invalid_union' && only.path.length === 0;
    return isUnion ? issuesOfAlternatives(only) : [issues];
  });
}

function unknownKeys(issues: readonly Issue[]): number {
  const counts = issues.map((issue) => {
    return issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys.length : 0;
  });
  return counts.reduce((sum, count) => sum + count, 0);
}

/**
 * Returns whether an alternative was meant: its issues are about the inside or the size of the value, not about its
 * type.
 */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.length > 0 && issues.every((issue) => issue.path.length > 0 || !isAboutKind(issue));
}

function isAboutKind({ code }: Issue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}
