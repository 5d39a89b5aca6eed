import type { z } from 'zod';
import { expectationOf } from '../../../lib/expectation-of.ts';
import { meantIssues } from '../../../lib/meant-issues.ts';

/** A wrong value in a case: its path there, and what would have been right. */
export interface Fault {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
}

/** What values should have been, where the words of the user say it better than the schema; by path in a case. */
const expectations: Readonly<Record<string, string>> = {
  '': 'an object with the fields of a case',
  input: 'a text or a list of messages',
  'input[].role': 'system, user, assistant or tool',
  'user.script': 'a list of turns',
  'user.knowledge': 'a list of texts',
  'user.secrets': 'a list of texts',
  tags: 'a list of texts',
  context: 'a text or a list of texts',
  'expected.answer': 'a text or a list of texts',
  'expected.keywords': 'a list of texts',
  'expected.forbidden': 'a list of texts',
  'expected.tools': 'a list of tool names',
  'expected.tools[]':
    'the name of a tool, or an object with its name and no other keys than arguments, match, ignore, tolerance, text, status, times',
  'expected.entities': 'a list of texts',
  'expected.documents': 'a list of ids, or an object that gives each id its relevance',
  'expected.documents[]': 'the id of a document, or an object with its id and relevance',
};

/** What a schema finds wrong with a case. */
export function faultsOf(error: z.ZodError): Fault[] {
  return meantIssues(error.issues).map((issue) => ({ path: issue.path, expected: expectedBy(issue) }));
}

function expectedBy(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  if (issue.code === 'too_small') {
    return path === '.input' && issue.origin === 'array' ? 'at least one message' : fromSchema(issue);
  }
  return expectations[path.replace(/^\./, '')] ?? fromSchema(issue);
}

function fromSchema(issue: z.core.$ZodIssue): string {
  return expectationOf(issue) ?? issue.message;
}

const deepestSearch = 500;

/** The path of the first number that JSON cannot hold; that of the whole value when it is nested too deep to look. */
export function unstorablePath(value: unknown): readonly PropertyKey[] {
  return searchUnstorable(value, 0) ?? [];
}

function searchUnstorable(value: unknown, depth: number): PropertyKey[] | undefined {
  if (depth > deepestSearch) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const path = searchUnstorable(inner, depth + 1);
    if (path !== undefined) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}
