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
      return kinds[issue.expected] ?? `a value of type ${issue.expected}`;
    case 'invalid_value':
      return oneOf(issue.values.map((value) => (typeof value === 'string' ? `"${value}"` : String(value))));
    case 'invalid_union':
      return expectationOfUnion(issue);
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
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

function expectationOfUnion({ errors }: z.core.$ZodIssueInvalidUnion): string | undefined {
  const alternatives = errors.map(([first]) => (first === undefined ? undefined : expectationOf(first)));
  const known = new Set(alternatives.filter((alternative) => alternative !== undefined));
  return known.size === 0 ? undefined : oneOf([...known]);
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

function oneOf(alternatives: readonly string[]): string {
  const last = alternatives.at(-1) ?? 'nothing';
  return alternatives.length < 2 ? last : `${alternatives.slice(0, -1).join(', ')} or ${last}`;
}
