import path from 'node:path';
import type { ForeignFile } from '../datasets/dataset.ts';
import { isFields, type Fields } from '../datasets/fields.ts';
import { displayPath } from '../lib/text/display-path.ts';
import { quoteForShell } from '../lib/text/quote-for-shell.ts';

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
    import('../importers/content/open-content.ts'),
    import('./other-tools.ts'),
  ]);
  const content = await openContent(file);
  const name = displayPath(file);
  for (const importer of importers) {
    const found = importer.detect(content);
    if (found === undefined) continue;
    const remedy = `Import it, which makes a project of it: \`touchstone import ${quoteForShell(name)}\`.`;
    return { message: `${name}: this is ${found}, not a dataset`, remedy };
  }
  const value = content.form === 'jsonl' ? content.rows[0] : 'value' in content ? content.value : undefined;
  const known = otherForms.find(({ fits }) => fits(value));
  return known && { message: `${name}: this is ${known.title}, not a dataset`, remedy: known.remedy };
}

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
