import { z } from 'zod';
import type { CaseDraft, Dataset } from '../datasets/dataset.ts';
import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import { shorten } from '../lib/terminal-text.ts';
import { type Case, caseSchema, questionOf } from '../schema/case.ts';
import { hashCase } from './hash-case.ts';

/** A case that has been checked, the hash of its content and where it stands in the user's files. */
export interface LoadedCase {
  readonly case: Case;
  readonly hash: string;
  readonly place: Place;
}

/** Something that the user should know of and that stops nothing. */
export interface LoadNotice {
  readonly message: string;
}

/**
 * Reads and checks all cases of a dataset, one at a time. Throws one `dataset-invalid` that names the first ten
 * problems and counts the others once everything has been read, and `dataset-empty` when there is nothing.
 */
export async function* loadCases(
  dataset: Dataset,
  { onNotice }: { readonly onNotice: (notice: LoadNotice) => void },
): AsyncGenerator<LoadedCase> {
  const problems = new Problems();
  const keptFields = new KeptFields();
  let rows = 0;
  for await (const draft of untilSyntaxError(dataset.drafts(), problems)) {
    rows += 1;
    keptFields.add(draft.unknownFields);
    const loaded = loadCase(draft, problems);
    if (loaded !== undefined && problems.count === 0) yield loaded;
  }
  problems.throwIfAny();
  if (rows === 0) {
    throw new TouchstoneError('dataset-empty', `There are no cases in ${dataset.sources.join(', ')}.`);
  }
  keptFields.report(onNotice);
}

/** Where the rest of a file cannot be read, what was wrong before it is told all the same. */
async function* untilSyntaxError(
  drafts: AsyncIterable<CaseDraft>,
  problems: Problems,
): AsyncGenerator<CaseDraft> {
  try {
    yield* drafts;
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code !== 'dataset-invalid') throw error;
    problems.add(error.message, error.remedy);
  }
}

const compiledSchema = z.compile(caseSchema);
const derivedIdDigits = 12;

function loadCase(draft: CaseDraft, problems: Problems): LoadedCase | undefined {
  const { place, value, problem } = draft;
  if (problem !== undefined) {
    problems.add(`${formatPlace(problem.place)}: ${problem.message}`, problem.remedy);
    return undefined;
  }
  const isWithoutId = isObject(value) && value['id'] === undefined;
  const { data, error } = compiledSchema.safeParse(isWithoutId ? { ...value, id: 'derived' } : value);
  const hash = data === undefined || !hasVisibleQuestion(data) ? undefined : tryHash(data);
  if (data === undefined || hash === undefined) {
    const findings = error === undefined ? findingsIn(data, draft) : error.issues.flatMap(findingsOf);
    for (const finding of findings) addFinding(problems, draft, finding);
    return undefined;
  }
  if (isWithoutId) data.id = `case-${hash.slice(0, derivedIdDigits)}`;
  return { case: data, hash, place };
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

function hasVisibleQuestion(testCase: Case): boolean {
  return /[^\s\p{Cc}\p{Cf}]/u.test(questionOf(testCase));
}

/** A wrong value in a case: its path there, and what would have been right. */
interface Finding {
  readonly path: readonly PropertyKey[];
  readonly expected: string;
}

function findingsIn(testCase: Case, { value }: CaseDraft): Finding[] {
  if (!hasVisibleQuestion(testCase)) return [{ path: ['input'], expected: 'a question that is not blank' }];
  return [{ path: unstorablePath(value) ?? [], expected: 'a value that JSON can hold' }];
}

const deepestSearch = 500;

function unstorablePath(value: unknown, depth: number = 0): PropertyKey[] | undefined {
  if (depth > deepestSearch) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const path = unstorablePath(inner, depth + 1);
    if (path !== undefined) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}

/** What a wrong value should have been, in the words of the user, by its path in a case. */
const expectations: Readonly<Record<string, string>> = {
  '': 'an object with the fields of a case',
  input: 'a text or a list of messages',
  'input[].role': 'system, user, assistant or tool',
  tags: 'a list of texts',
  context: 'a text or a list of texts',
  metadata: 'an object',
  'expected.answer': 'a text or a list of texts',
  'expected.keywords': 'a list of texts',
  'expected.forbidden': 'a list of texts',
  'expected.tools': 'a list of tool names',
  'expected.tools[]': 'the name of a tool, or an object with its name',
  'expected.entities': 'a list of texts',
  'expected.documents': 'a list of texts',
  'expected.refusal': 'true or false',
};

function findingsOf(issue: z.core.$ZodIssue): Finding[] {
  const { path } = issue;
  if (issue.code === 'invalid_union') {
    // The alternative that failed deeper inside is the one that was meant.
    const meant = issue.errors.find(
      (inner) => inner.length > 0 && inner.every((each) => each.path.length > 0),
    );
    if (meant !== undefined) {
      return meant.flatMap((inner) => findingsOf({ ...inner, path: [...path, ...inner.path] }));
    }
  }
  return [{ path, expected: expectedOf(issue) }];
}

function expectedOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'too_small') {
    return issue.origin === 'array' ? 'at least one message' : 'a text that is not empty';
  }
  const known = expectations[formatPath(issue.path).replace(/\[\d+\]/g, '[]')];
  if (known !== undefined) return known;
  return issue.code === 'invalid_type' && issue.expected === 'string' ? 'a text' : issue.message;
}

function formatPath(path: readonly PropertyKey[]): string {
  const text = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return text.replace(/^\./, '');
}

function addFinding(problems: Problems, draft: CaseDraft, { path, expected }: Finding): void {
  const { place, field } = draft.locate(path);
  const found = path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown>)?.[key],
    draft.value,
  );
  const where = `${formatPlace(place)}  ${field === '' ? '' : `${field}: `}`;
  if (path[0] !== 'input' || found !== undefined) {
    return problems.add(`${where}expected ${expected}, found ${showValue(found)}`);
  }
  const others =
    draft.unknownFields.length === 0 ? '' : ` among ${shorten(draft.unknownFields.join(', '), 100)}`;
  problems.add(
    `${where}expected a question, found none${others}`,
    `Say which field holds the question, for instance \`fields: { '${likelyQuestion(draft)}': 'input' }\`.`,
  );
}

/** The field with the longest text. */
function likelyQuestion({ value, unknownFields }: CaseDraft): string {
  const metadata = isObject(value['metadata']) ? value['metadata'] : {};
  const lengthOf = (name: string) => (typeof metadata[name] === 'string' ? metadata[name].length : 0);
  const [longest] = unknownFields.toSorted((a, b) => lengthOf(b) - lengthOf(a));
  return longest === undefined ? 'my_column' : shorten(longest, 40);
}

function showValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'string') return `the text "${shorten(value, 40)}"`;
  if (typeof value === 'number') return `the number ${value}`;
  if (typeof value !== 'object' || value === null) return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const mostShown = 10;
const mostRemedies = 3;

/** What is wrong with a dataset, a line for each problem. */
class Problems {
  readonly #lines: string[] = [];
  readonly #remedies = new Set<string>();
  count = 0;

  add(line: string, remedy?: string): void {
    this.count += 1;
    if (this.#lines.length < mostShown) this.#lines.push(line);
    if (remedy !== undefined && this.#remedies.size < mostRemedies) this.#remedies.add(remedy);
  }

  throwIfAny(): void {
    if (this.count === 0) return;
    const more = this.count - this.#lines.length;
    const lines = more === 0 ? this.#lines : [...this.#lines, `… and ${more} more`];
    const remedy = this.#remedies.size === 0 ? {} : { remedy: [...this.#remedies].join(' ') };
    throw new TouchstoneError('dataset-invalid', lines.join('\n'), remedy);
  }
}

const mostNames = 20;

/** Which fields went to metadata, and in how many rows. */
class KeptFields {
  readonly #names = new Set<string>();
  #hasMore = false;
  #rows = 0;

  add(names: readonly string[]): void {
    if (names.length > 0) this.#rows += 1;
    for (const name of names) {
      if (this.#names.size < mostNames) this.#names.add(name);
      else if (!this.#names.has(name)) this.#hasMore = true;
    }
  }

  report(onNotice: (notice: LoadNotice) => void): void {
    if (this.#rows === 0) return;
    const names = Array.from(this.#names, (name) => shorten(name, 60)).join(', ');
    const rows = this.#rows === 1 ? '1 row' : `${this.#rows} rows`;
    onNotice({ message: `Kept as metadata: ${names}${this.#hasMore ? ' and others' : ''} (${rows})` });
  }
}
