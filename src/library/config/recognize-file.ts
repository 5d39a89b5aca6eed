import path from 'node:path';
import type { FileHead, ForeignFile } from '../../evaluate/datasets/dataset.ts';
import { isFields, type Fields } from '../../evaluate/datasets/fields.ts';
import type { ImportContent, NearbyFiles } from '../../exchange/importers/content/content.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';

/**
 * Looks at the files of a dataset that cannot be read, for one that another tool wrote. Returns what it is and what to do about
 * it; undefined when none is recognised. Nothing in a file is run.
 * @param paths - Files relative to the folder; patterns and standard input are passed over.
 */
export async function recognizeFile(
  paths: readonly string[],
  folder: string,
): Promise<ForeignFile | undefined> {
  for (const each of paths) {
    const found = await recognize(path.resolve(folder, each)).catch(() => undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function recognize(file: string): Promise<ForeignFile | undefined> {
  // A run whose dataset can be read needs no importer.
  const [{ openContent }, { importers }] = await Promise.all([
    import('../../exchange/importers/content/open-content.ts'),
    import('./other-tools.ts'),
  ]);
  const content = await openContent(file);
  const name = displayPath(file);
  for (const importer of importers) {
    const found = importer.detect(content);
    if (found === undefined) continue;
    const remedy = `Import it, which makes a project of it: \`touchstone import ${quoteForShell(name)}\`.`;
    const again = importer.isRecorded?.(content) === false ? '' : ` ${askAgain}`;
    return { message: `${name}: this is ${found}, not a dataset`, remedy: `${remedy}${again}` };
  }
  const value = content.form === 'jsonl' ? content.rows[0] : 'value' in content ? content.value : undefined;
  const known = otherForms.find(({ fits }) => fits(value));
  return known && { message: `${name}: this is ${known.title}, not a dataset`, remedy: known.remedy };
}

/**
 * Looks at the beginning of a file for answers, verdicts and traces that another tool recorded. Returns what it is and what to
 * do about it; undefined for anything else, also for the questions of another tool, which can be asked.
 */
export async function recognizeRecorded(head: FileHead): Promise<ForeignFile | undefined> {
  const title = await findRecorder(head);
  if (title === undefined) return undefined;
  const name = head.path === undefined ? '<stdin>' : displayPath(head.path);
  return {
    message: `${name}: this contains what ${title} recorded and is no dataset`,
    remedy: `${importOf(head)} ${askAgain}`,
  };
}

/** Returns the notice that more can be made of a file of recorded answers by importing it; undefined for a file of no other tool. */
export async function noticeRecorded(head: FileHead): Promise<string | undefined> {
  const title = await findRecorder(head);
  if (title === undefined) return undefined;
  return `The file was recorded by ${title}: its answers are scored here, its own verdicts are not read. ${importOf(head)}`;
}

function importOf({ path: file }: FileHead): string {
  if (file === undefined) return 'Save it to a file, and import that: `touchstone import FILE`.';
  return `Import it to keep its verdicts, too: \`touchstone import ${quoteForShell(displayPath(file))}\`.`;
}

/** Returns the title of the tool that recorded the answers in a file. */
async function findRecorder(head: FileHead): Promise<string | undefined> {
  if (isPlain(head)) return undefined;
  const { importers } = await import('./other-tools.ts');
  const contents = contentsOf(head);
  const found = importers.find((importer) => {
    const content = contents.find((each) => importer.detect(each) !== undefined);
    return content !== undefined && (importer.isRecorded?.(content) ?? true);
  });
  return found?.title;
}

/**
 * The columns of simple golden sets and answers. A file of these alone, with texts, numbers and lists of texts, is of no importer,
 * and none has to be loaded to find that out.
 */
export const plainColumns = ['id', 'question', 'answer', 'expected', 'expected_answer', 'expected_keywords'];

function isPlain({ rows, whole }: FileHead): boolean {
  if (whole !== undefined || rows.length === 0) return false;
  const isText = (value: unknown) => typeof value === 'string' || typeof value === 'number';
  const isPlainValue = (value: unknown) => (Array.isArray(value) ? value.every(isText) : isText(value));
  return rows.every(
    (row) =>
      isFields(row) &&
      Object.entries(row).every(([name, value]) => plainColumns.includes(name) && isPlainValue(value)),
  );
}

/** Returns the beginning of a file in the forms in which importers see it. */
function contentsOf({ path: file = '', rows, hasTextCells, whole }: FileHead): ImportContent[] {
  const base = { name: displayPath(file), path: file, hash: '' };
  const fields = rows.filter(isFields);
  const [first] = fields;
  if (first === undefined) return [];
  if (hasTextCells) {
    const header = Object.keys(first);
    const cells = fields.map((row) => header.map((name) => String(row[name] ?? '')));
    return [{ ...base, form: 'csv', header, rows: cells }];
  }
  const table: ImportContent = { ...base, form: 'jsonl', rows: fields };
  return isFields(whole) ? [{ ...base, form: 'json', value: whole, files: noFiles }, table] : [table];
}

const noFiles: NearbyFiles = { list: () => [], read: () => '', readBytes: () => new Uint8Array() };

const askAgain =
  'To ask its questions again, say which column has them: `dataset: { path: …, fields: { input: question } }`.';

/** A form of files that hold no questions with expectations, and that no importer reads. */
interface OtherForm {
  /** The words that follow "this is". */
  readonly title: string;
  readonly fits: (value: unknown) => boolean;
  readonly remedy: string;
}

const has = (value: unknown, ...names: readonly string[]): value is Fields =>
  isFields(value) && names.every((name) => Object.hasOwn(value, name));

const first = (value: unknown): unknown => (Array.isArray(value) ? value[0] : value);

const otherForms: readonly OtherForm[] = [
  {
    title: 'a file of Rasa',
    fits: (value) =>
      has(value, 'version') &&
      ['stories', 'nlu', 'rules', 'intents', 'domain'].some((name) => has(value, name)),
    remedy:
      'Write a row for each story: `{"turns": [{"say": "hi", "expected": {"keywords": ["hello"]}}, {"say": "bye"}]}` (docs/conversations.md).',
  },
  {
    title: 'a part of a configuration of promptfoo',
    fits: (value) => has(first(value), 'vars') || has(first(value), 'assert'),
    remedy: 'Import the configuration that names it: `touchstone import promptfooconfig.yaml`.',
  },
  {
    title: 'a registry file of openai/evals',
    fits: (value) => isFields(value) && Object.values(value).some((each) => has(each, 'class')),
    remedy: 'Import the folder of the registry: `touchstone import registry`.',
  },
  {
    title: 'a report of garak',
    fits: (value) => has(value, 'entry_type'),
    remedy: 'Take the prompts of its attempts as questions: `{"question": "…", "expected_refusal": true}`.',
  },
  {
    title: 'one conversation',
    fits: (value) => has(first(value), 'role', 'content'),
    remedy: 'Put it into a row: `{"messages": […], "expected_answer": "…"}`.',
  },
];
