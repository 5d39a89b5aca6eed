import { z } from 'zod';
import type { CaseDraft } from '../../datasets/dataset.ts';
import { formatPlace, type Place } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { checkOnce, describeExpectation, resolveUnionIssues } from '../../../core/lib/schema-issues.ts';
import { describeValue } from '../../../core/lib/text/describe-value.ts';
import { nearestName, renameRemedy } from '../../../core/lib/text/nearest-name.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { type Case, caseSchema, questionOf } from '../../../core/schema/case.ts';
import type { CaseCheckRules, CaseFault } from './case-check-rules.ts';

/** A checked case, with the hash of its content and its place in the user's files. */
export interface LoadedCase {
  readonly case: Case;
  readonly hash: string;
  readonly place: Place;
  /** The bytes of the pictures and other files that it names; absent when there are none. */
  readonly attachments?: CaseDraft['attachments'];
  /** The columns of its row that look like expectations and that nothing reads; absent when there are none. */
  readonly unreadColumns?: readonly string[];
}

const compiledSchema = lazily(() => compileSchema(caseSchema));
const derivedIdDigits = 12;

/** Options of checking a draft. */
interface DraftChoices {
  /** True for one of so many that compiling the schema of cases pays off. */
  readonly isOneOfMany?: boolean;
  /** The rules for the checks that cases bring along; without them, these are not checked. */
  readonly caseChecks?: CaseCheckRules;
}

/**
 * Turns a draft into a case, or lists its problems. A case without an id in its file gets one that is derived from its
 * content.
 */
export function checkDraft(
  draft: CaseDraft,
  { isOneOfMany = false, caseChecks }: DraftChoices = {},
): LoadedCase | { readonly problems: readonly Problem[] } {
  const { place, value, problem } = draft;
  if (problem !== undefined) {
    return { problems: [{ ...problem, message: `${formatPlace(problem.place)}: ${problem.message}` }] };
  }
  const isWithoutId = value?.['id'] === undefined;
  const named = isWithoutId ? withoutNeedOfId(value) : value;
  const { data, error } = isOneOfMany
    ? compiledSchema().safeParse(named)
    : caseSchema.safeParse(named, checkOnce);
  if (data === undefined) return withFaults(draft, faultsOf(error));
  if (!hasVisibleQuestion(data)) {
    return withFaults(draft, [{ path: ['input'], expected: 'a question that is not blank' }]);
  }
  const hash = tryHash(data);
  if (hash === undefined) {
    return withFaults(draft, [{ path: unstorablePath(value), expected: 'a value that JSON can represent' }]);
  }
  const faults = caseChecks?.findFaults(data) ?? [];
  if (faults.length > 0) return { problems: faults.map((fault) => describeCheckFault(fault, draft)) };
  if (isWithoutId) data.id = derivedId(hash);
  return { case: data, hash, place, ...(draft.attachments && { attachments: draft.attachments }) };
}

/** Returns the id of a case that has none in its file, derived from the hash of its content. */
export function derivedId(hash: string): string {
  return `case-${hash.slice(0, derivedIdDigits)}`;
}

/**
 * Returns the identity of a case: the hash of what is asked, by whom, and of what a good answer contains. Its id,
 * category, tags, cluster and weight can change without making it another case.
 */
export function hashCase({
  attack,
  context,
  expected,
  input,
  metadata,
  toolResults,
  user,
}: Pick<Case, 'input' | 'expected' | 'user' | 'context' | 'metadata' | 'toolResults' | 'attack'>): string {
  return hashContent({ attack, context, expected, input, metadata, toolResults, user });
}

/** Returns a row with a placeholder id. A row that is not an object is left for the schema to refuse. */
function withoutNeedOfId(value: CaseDraft['value']): unknown {
  const isObject = isContainer(value) && !Array.isArray(value);
  return isObject ? { ...value, id: 'derived' } : value;
}

function hasVisibleQuestion(testCase: Case): boolean {
  if (asksByFile(testCase)) return true;
  return /[^\s\p{Cc}\p{Cf}]/u.test(questionOf(testCase));
}

/** Returns whether the last message of the user has a picture or another file, which may be the whole question. */
function asksByFile({ input }: Case): boolean {
  if (typeof input === 'string') return false;
  return (input.findLast(({ role }) => role === 'user')?.attachments?.length ?? 0) > 0;
}

/**
 * Returns undefined for a case with a number that JSON cannot represent, as a YAML file may have, or with extremely
 * deep nesting.
 */
function tryHash(testCase: Case): string | undefined {
  try {
    return hashCase(testCase);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/** A problem at one place of a dataset. */
export interface Problem {
  /** The message, which begins with the place. */
  readonly message: string;
  /** The action to take, when there is more to say than "fix it". */
  readonly remedy?: string;
}

function withFaults(draft: CaseDraft, faults: readonly Fault[]): { readonly problems: readonly Problem[] } {
  return { problems: faults.map((fault) => describeFault(fault, draft)) };
}

/** A wrong value in a case: its path in the case, and what was expected. */
interface Fault {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
}

/** Lists the faults that the schema finds in a case. */
function faultsOf(error: z.ZodError): Fault[] {
  return resolveUnionIssues(error.issues).map((issue) => ({ path: issue.path, expected: expectedBy(issue) }));
}

/** The expected values by path in a case, where plain words are clearer than the schema's message. */
const expectations: Readonly<Record<string, string>> = {
  '': 'an object with the fields of a question',
  input: 'a text or a list of messages',
  'input[].role': 'system, user, assistant or tool',
  'user.script': 'a list of turns',
  'user.knowledge': 'a list of texts',
  'user.secrets': 'a list of texts',
  tags: 'a list of texts',
  weight: 'a number above 0, such as 2 or 0.5',
  context: 'a text or a list of texts',
  'expected.answer': 'a text or a list of texts',
  'expected.behavior': 'a text or a list of texts',
  'expected.keywords': 'a list of texts',
  'expected.forbidden': 'a list of texts',
  'expected.tools': 'a list of tool names',
  'expected.tools[]':
    'the name of a tool, or an object with its name and no other keys than arguments, match, ignore, tolerance, text, status, times',
  'expected.entities': 'a list of texts',
  'expected.checks': 'a list of checks',
  'expected.documents': 'a list of ids, or an object that gives each id its relevance',
  'expected.documents[]': 'the id of a document, or an object with its id and relevance',
};

function expectedBy(issue: z.core.$ZodIssue): string {
  const path = issue.path.map((key) => (typeof key === 'number' ? '[]' : `.${String(key)}`)).join('');
  if (issue.code === 'too_small' && path !== '.weight') {
    return path === '.input' && issue.origin === 'array' ? 'at least one message' : fromSchema(issue);
  }
  return expectations[path.replace(/^\./, '')] ?? fromSchema(issue);
}

function fromSchema(issue: z.core.$ZodIssue): string {
  return describeExpectation(issue) ?? issue.message;
}

const deepestSearch = 500;

/**
 * Returns the path of the first number that JSON cannot represent, or the path of the whole value when it is nested too
 * deep to search.
 */
function unstorablePath(value: unknown): readonly PropertyKey[] {
  return searchUnstorable(value, 0) ?? [];
}

function searchUnstorable(value: unknown, depth: number): PropertyKey[] | undefined {
  if (depth > deepestSearch) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (!isContainer(value)) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const path = searchUnstorable(inner, depth + 1);
    if (path !== undefined) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}

/** Describes a fault: where it is in the user's file, under the user's name for the field, and what to do. */
function describeFault({ path, expected }: Fault, draft: CaseDraft): Problem {
  const { place, field } = draft.locate(path);
  const where = `${formatPlace(place)}: `;
  const found = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key],
    draft.value,
  );
  if (path[0] === 'input' && found === undefined) {
    return { message: `${where}there is no question${among(draft)}`, remedy: questionRemedy(draft) };
  }
  const name = field === '' ? '' : `${field}: `;
  const message = `${where}${name}expected ${expected}, found ${foundText(found)}`;
  if (path[0] === 'weight') return { message, remedy: weightRemedy(name.replace(/: $/, '')) };
  return isDoubtfulList(expected, found) ? { message, remedy: listRemedy } : { message };
}

/** Describes a fault of a check, whose message says it all. */
function describeCheckFault({ path, message, remedy }: CaseFault, draft: CaseDraft): Problem {
  const { place, field } = draft.locate(path);
  return { message: `${formatPlace(place)}: ${field === '' ? '' : `${field}: `}${message}`, remedy };
}

function weightRemedy(name: string): string {
  const field = shorten(name, longestName).replaceAll("'", String.raw`\'`);
  return `The weight says how much a question counts in every mean. To leave the question out of the gate, use \`gate: watch\`; if the column is something else, keep it as metadata: \`dataset: { path: …, fields: { '${field}': null } }\`.`;
}

const listRemedy =
  'Separate the texts of a cell with `|`, `;` or line breaks, or write a JSON list: a comma may be part of a text.';

function isDoubtfulList(expected: string, found: unknown): boolean {
  return expected.startsWith('a list of texts') && typeof found === 'string' && found.includes(',');
}

function foundText(found: unknown): string {
  return found === undefined ? 'nothing' : describeValue(found);
}

const longestList = 100;
const longestName = 40;

function among({ unknownFields }: CaseDraft): string {
  return unknownFields.length === 0 ? '' : `; the row has ${shorten(unknownFields.join(', '), longestList)}`;
}

function questionRemedy(draft: CaseDraft): string {
  const mistyped = draft.unknownFields.find((name) => nearestName(name, ['question']) !== undefined);
  if (mistyped !== undefined) return renameRemedy(mistyped, 'question');
  const field = likelyQuestion(draft);
  if (field === undefined) return 'Give each row a field named "question".';
  const name = shorten(field, longestName).replaceAll("'", String.raw`\'`);
  return `Name the field "question", or say in the config which one it is: \`dataset: { path: …, fields: { '${name}': 'question' } }\`.`;
}

/** Returns the unknown field with the longest text. */
function likelyQuestion({ value, unknownFields }: CaseDraft): string | undefined {
  const metadata = value['metadata'] as Record<string, unknown> | undefined;
  const lengthOf = (name: string) => {
    const text = metadata?.[name];
    return typeof text === 'string' ? text.length : 0;
  };
  return unknownFields.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/**
 * Compiles a schema. A compiled schema checks a value in a fraction of the time, but compiling takes as long as
 * checking thousands of values. Recursive schemas stay as they are.
 */
export function compileSchema<Schema extends z.ZodType>(schema: Schema): Schema {
  resolveLazyParts(schema, new Set());
  return z.compile(schema);
}

/**
 * Resolves the lazy parts of a schema. Zod takes an unresolved lazy part for a recursion, and compiles nothing of it.
 */
function resolveLazyParts(part: unknown, seen: Set<object>): void {
  if (!isContainer(part) || seen.has(part)) return;
  seen.add(part);
  if (part instanceof z.ZodLazy) resolveLazyParts(part._zod.innerType, seen);
  else if (part instanceof z.ZodType) resolveLazyParts({ ...part.def }, seen);
  else for (const inner of Object.values(part)) resolveLazyParts(inner, seen);
}
