import { z } from 'zod';
import type { CaseDraft } from '../../datasets/dataset.ts';
import { formatPlace, type Place, TouchstoneError } from '../../errors.ts';
import { hashContent } from '../../lib/content-hash.ts';
import { checkOnce, lazily } from '../../lib/lazily.ts';
import { expectationOf, meantIssues } from '../../lib/schema-issues.ts';
import { describeValue } from '../../lib/text/describe-value.ts';
import { nearestName } from '../../lib/text/nearest-name.ts';
import { shorten } from '../../lib/text/terminal-text.ts';
import { type Case, caseSchema, questionOf } from '../../schema/case.ts';

/** What is wrong at one place of a dataset. */
export interface Problem {
  /** Begins with the place. */
  readonly message: string;
  /** What to do about it, where there is more to say than "fix it". */
  readonly remedy?: string | undefined;
}

const mostShown = 10;
const mostRemedies = 3;

/** What is wrong with a dataset: the first problems in full, the others counted. */
export class ProblemList {
  readonly #messages: string[] = [];
  readonly #remedies = new Set<string>();
  #count = 0;

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** Adds problems in the order in which they are to be told. */
  add(...problems: readonly Problem[]): void {
    for (const { message, remedy } of problems) {
      this.#count += 1;
      if (this.#messages.length < mostShown) this.#messages.push(message);
      if (remedy !== undefined && this.#remedies.size < mostRemedies) this.#remedies.add(remedy);
    }
  }

  /** Throws `dataset-invalid` with a line for each problem, if there are any. */
  throwIfAny(): void {
    if (this.isEmpty) return;
    const remedy = this.#remedies.size === 0 ? {} : { remedy: [...this.#remedies].join(' ') };
    throw new TouchstoneError('dataset-invalid', this.#describe(), remedy);
  }

  #describe(): string {
    const [only] = this.#messages;
    if (this.#count === 1 && only !== undefined) return only;
    const more = this.#count - this.#messages.length;
    const lines = more === 0 ? this.#messages : [...this.#messages, `… and ${more} more`];
    return `The dataset has ${this.#count} problems:\n${lines.map((line) => `  ${line}`).join('\n')}`;
  }
}

/** A wrong value in a case: its path there, and what would have been right. */
interface Fault {
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
function faultsOf(error: z.ZodError): Fault[] {
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
function unstorablePath(value: unknown): readonly PropertyKey[] {
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

/** Says where a wrong value stands in the user's file, under the user's name for it, and what to do. */
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
  return isDoubtfulList(expected, found) ? { message, remedy: listRemedy } : { message };
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
  if (mistyped !== undefined) return `Rename "${shorten(mistyped, longestName)}" to "question".`;
  const field = likelyQuestion(draft);
  if (field === undefined) return 'Give each row a field named "question".';
  const name = shorten(field, longestName).replaceAll("'", String.raw`\'`);
  return `Name the field "question", or say in the config which one it is: \`dataset: { path: …, fields: { '${name}': 'question' } }\`.`;
}

/** The field with the longest text. */
function likelyQuestion({ value, unknownFields }: CaseDraft): string | undefined {
  const metadata = value['metadata'] as Record<string, unknown> | undefined;
  const lengthOf = (name: string) => {
    const text = metadata?.[name];
    return typeof text === 'string' ? text.length : 0;
  };
  return unknownFields.toSorted((a, b) => lengthOf(b) - lengthOf(a))[0];
}

/** A case that has been checked, the hash of its content and where it stands in the user's files. */
export interface LoadedCase {
  readonly case: Case;
  readonly hash: string;
  readonly place: Place;
}

const compiledSchema = lazily(() => compileSchema(caseSchema));
const derivedIdDigits = 12;

/** Makes a draft a case, with an id made of its content when the file gives none; or says what is wrong with it. */
export function checkDraft(
  draft: CaseDraft,
  isOneOfMany = false,
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
    return withFaults(draft, [{ path: unstorablePath(value), expected: 'a value that JSON can hold' }]);
  }
  if (isWithoutId) data.id = derivedId(hash);
  return { case: data, hash, place };
}

/** The id of a case that has none in its file, from the hash of its content. */
export function derivedId(hash: string): string {
  return `case-${hash.slice(0, derivedIdDigits)}`;
}

/** A row that is no object is left for the schema to refuse. */
function withoutNeedOfId(value: CaseDraft['value']): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? { ...value, id: 'derived' } : value;
}

function withFaults(draft: CaseDraft, faults: readonly Fault[]): { readonly problems: readonly Problem[] } {
  return { problems: faults.map((fault) => describeFault(fault, draft)) };
}

function hasVisibleQuestion(testCase: Case): boolean {
  return /[^\s\p{Cc}\p{Cf}]/u.test(questionOf(testCase));
}

/** Undefined for a case with a number that JSON cannot hold, as a YAML file may have, or nested beyond all measure. */
function tryHash(testCase: Case): string | undefined {
  try {
    return hashCase(testCase);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return undefined;
    throw error;
  }
}

/**
 * The identity of a case: the hash of what is asked, by whom, and of what a good answer holds. Its id, category, tags and
 * cluster can change without making it another case.
 */
export function hashCase({
  context,
  expected,
  input,
  metadata,
  user,
}: Pick<Case, 'input' | 'expected' | 'user' | 'context' | 'metadata'>): string {
  return hashContent({ context, expected, input, metadata, user });
}

/**
 * The same schema with code of its own, which takes a fraction of the time for each value; making it takes as long as
 * checking thousands of values without it. A schema that leads back to itself stays as it is.
 */
export function compileSchema<Schema extends z.ZodType>(schema: Schema): Schema {
  resolveLazyParts(schema, new Set());
  return z.compile(schema);
}

/** Of a lazy part that nobody has asked for yet, zod assumes that it leads back, and compiles nothing. */
function resolveLazyParts(part: unknown, seen: Set<object>): void {
  if (typeof part !== 'object' || part === null || seen.has(part)) return;
  seen.add(part);
  if (part instanceof z.ZodLazy) resolveLazyParts(part._zod.innerType, seen);
  else if (part instanceof z.ZodType) resolveLazyParts({ ...part.def }, seen);
  else for (const inner of Object.values(part)) resolveLazyParts(inner, seen);
}
