import type { z } from 'zod';

type Issue = z.core.$ZodIssue;
type Bound = z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig;

/**
 * What a schema's finding says should have stood there, in words that go behind "expected"; undefined for a finding
 * that is a sentence of its own.
 */
export function expectationOf(issue: Issue): string | undefined {
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

/** All that would have been right, each in words; those of alternatives inside alternatives too. */
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
      return [expectationOf(issue) ?? []].flat();
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
  return issuesOfAlternatives(union)
    .filter(isMeant)
    .toSorted((one, other) => unknownKeys(one) - unknownKeys(other))[0];
}

/** What each alternative finds wrong; for one that is a union itself, what each of its own does. */
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

/** An alternative that was meant complains of what is inside the value, or of how much it holds; not of what it is. */
function isMeant(issues: readonly Issue[]): boolean {
  return issues.length > 0 && issues.every((issue) => issue.path.length > 0 || !isAboutKind(issue));
}

function isAboutKind({ code }: Issue): boolean {
  return code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union';
}
