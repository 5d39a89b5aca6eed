import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { findCheckFault } from '../config/case-checks/find-check-fault.ts';
import { importers } from '../config/other-tools.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { FileBeside, ImportContent } from '../../exchange/importers/content/content.ts';
import { openContent } from '../../exchange/importers/content/open-content.ts';
import type { ImportedProject, Importer } from '../../exchange/importers/importer.ts';
import {
  type Agreement,
  compareWithRecorded,
  type JudgedAnswer,
} from '../../exchange/importers/agreement.ts';
import { makeProject } from '../../exchange/importers/make-project.ts';
import { makeOutputFolder } from './write-file.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** Options of reading a file of another tool. */
export interface TranslateOptions {
  /** The name of the tool; recognised by the content by default. */
  readonly from?: string;
  /** True to run a file that is code itself, such as `promptfooconfig.ts`, and to import what it exports. */
  readonly isTrusted?: boolean;
  /** The folder that paths in the file may lead to, such as the one above it; the folder of the file by default. */
  readonly root?: string;
  /** A folder in the project to write stubs into, for the checks that are code. Their code is a comment there, and is not run. */
  readonly codeFolder?: string;
}

/**
 * Reads a file or a folder of another tool and translates it to a project, as `touchstone import --dry-run` does. Nothing is
 * written, and no code in it is run, unless the file itself is code and trusted.
 * @throws TouchstoneError `import-invalid` for a file that no importer recognises or that cannot be read.
 */
export async function translateProject(
  file: string,
  { from, isTrusted = false, root, codeFolder }: TranslateOptions = {},
): Promise<ImportedProject> {
  try {
    const content = await openContent(file, { isTrusted, root });
    const importer = from === undefined ? recognise(content) : named(from);
    if (importer === undefined) throw await notRecognised(content);
    return await makeProject(importer, await withBesides(content, importer), {
      findFault: findCheckFault,
      codeFolder,
    });
  } catch (error) {
    // A text in a file may contain JSON of its own, nested as deeply as it likes.
    if (!(error instanceof RangeError)) throw error;
    const message = `${displayPath(path.resolve(file))}: a part of it is nested too deeply, or too long, to be read.`;
    throw new TouchstoneError('import-invalid', message, { cause: error });
  }
}

/** Where a project is written. */
export interface WriteOptions {
  /** The folder; created when it is missing. */
  readonly to: string;
  /** True to replace files that are there and differ. */
  readonly force?: boolean;
}

/**
 * Writes a translated project. Returns the names of the files that were written; none when the folder holds the same project
 * already.
 * @throws TouchstoneError `import-invalid` for a project without questions and when a file that differs is in the way, before anything is written;
 * `output-unwritable` when the folder cannot be made.
 */
export function writeProject(
  { files, record }: ImportedProject,
  { to, force = false }: WriteOptions,
): string[] {
  if (record.counts.cases === 0) {
    throw new TouchstoneError(
      'import-invalid',
      `${record.source.file}: ${record.found}: no question to import.`,
      {
        remedy: 'Nothing was written. `--dry-run` shows what is in the file.',
      },
    );
  }
  for (const name of Object.keys(files)) refuseFolder(path.join(to, name));
  const changed = Object.entries(files).filter(([name, text]) => readIfThere(path.join(to, name)) !== text);
  const inTheWay = changed.filter(([name]) => existsSync(path.join(to, name))).map(([name]) => name);
  if (inTheWay.length > 0 && !force) {
    throw new TouchstoneError(
      'import-invalid',
      `${displayPath(path.resolve(to))} contains other files of these names: ${inTheWay.join(', ')}.`,
      { remedy: 'Choose another folder with `--to DIR`, or replace them with `--force`.' },
    );
  }
  makeOutputFolder(to);
  for (const [name, text] of changed) {
    makeOutputFolder(path.dirname(path.join(to, name)));
    writeFileSync(path.join(to, name), text);
  }
  return changed.map(([name]) => name);
}

/** Compares the recorded verdicts of a run with the checks of the same names that its cases brought along. */
export async function readAgreement(
  run: Pick<Run, 'id'>,
  store: Pick<Store, 'readResults'>,
): Promise<Agreement> {
  const answers: JudgedAnswer[] = [];
  for await (const { trial, verdicts } of store.readResults(run.id)) {
    const { caseId, target, attempt } = trial;
    answers.push({ caseId, target, attempt, verdicts });
  }
  return compareWithRecorded(answers);
}

/** Throws `import-invalid` where a folder has the name of a file to write. */
function refuseFolder(file: string): void {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  throw new TouchstoneError(
    'import-invalid',
    `${displayPath(path.resolve(file))} is a folder, in the way of a file.`,
    {
      remedy: 'Choose another folder with `--to DIR`.',
    },
  );
}

function readIfThere(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function recognise(content: ImportContent): Importer | undefined {
  return importers.find((importer) => importer.detect(content) !== undefined);
}

/** The most files of a folder that are looked at one by one. */
const mostFiles = 50;

/** The endings of files that may be an export. */
const exported = /\.(?:eval|jsonl?|ndjson|csv|tsv|parquet|xlsx|ya?ml|gz)$/i;

/** A file of a folder, with what it is by itself. */
interface FileOfFolder {
  readonly file: string;
  readonly tool: Importer | undefined;
  readonly found: string | undefined;
}

/** Looks at the files of a folder one by one; at none for a file. */
async function lookInside(content: ImportContent, preferred?: Importer): Promise<FileOfFolder[]> {
  const names = content.form === 'folder' ? content.names.filter((name) => exported.test(name)) : [];
  const files: FileOfFolder[] = [];
  for (const name of names.slice(0, mostFiles)) {
    const inside = await openContent(path.join(content.path, name)).catch(() => undefined);
    const isPreferred = inside !== undefined && preferred?.detect(inside) !== undefined;
    const tool = inside === undefined ? undefined : isPreferred ? preferred : recognise(inside);
    const found = inside === undefined ? undefined : tool?.detect(inside);
    files.push({ file: path.join(content.name, name), tool, found });
  }
  return files;
}

/** Adds to a folder the files in it that are not imported with it, so that none is passed over in silence. */
async function withBesides(content: ImportContent, importer: Importer): Promise<ImportContent> {
  if (content.form !== 'folder') return content;
  const found = importer.detect(content);
  const files = await lookInside(content, importer);
  const isBeside = ({ tool, ...file }: FileOfFolder) => {
    // A config names the files that belong to it, such as prompts; results are imported by themselves.
    if (importer.readsNearby === true) return tool !== undefined && file.found !== found;
    return tool !== importer;
  };
  const besides = files.filter(isBeside).map(({ file, tool }): FileBeside => {
    return { file, ...(tool !== undefined && { tool: { title: tool.title, name: tool.name } }) };
  });
  return { ...content, besides };
}

/** Returns the error for a file that no importer recognises. For a folder, it names the files in it that one recognises. */
async function notRecognised(content: ImportContent): Promise<TouchstoneError> {
  const files = await lookInside(content);
  const known = files.flatMap(({ file, tool }) => (tool === undefined ? [] : [`  ${file} (${tool.title})`]));
  if (known.length > 0) {
    const message = `${content.name}: the folder as a whole is no export of a tool; these files in it are:`;
    return new TouchstoneError('import-invalid', [message, ...known].join('\n'), {
      remedy: 'Import them one by one.',
    });
  }
  if (content.form === 'text' && content.text.trimStart().startsWith('<')) {
    throw new TouchstoneError(
      'import-invalid',
      `${content.name}: this is a page or XML, a report for people.`,
      {
        remedy:
          'Export the same results as JSON, JSON Lines or CSV, such as `promptfoo export eval ID -o results.json`.',
      },
    );
  }
  if (content.form === 'text' && content.text.trim() === '')
    return new TouchstoneError('import-invalid', `${content.name}: the file is empty.`);
  const titles = new Set(importers.map(({ title }) => title));
  return new TouchstoneError(
    'import-invalid',
    `${content.name}: this is no file that \`touchstone export\` wrote, and none of ${[...titles].join(', ')}.`,
    {
      remedy:
        'Name the tool with `--from`; read answers in a table of your own with `touchstone score FILE` (docs/conversations.md); or use a file of questions as it is, under `dataset:` in a config (docs/datasets.md).',
    },
  );
}

function named(name: string): Importer {
  const found = importers.find((importer) => importer.name === name);
  if (found !== undefined) return found;
  const names = importers.map((importer) => importer.name);
  throw new TouchstoneError(
    'usage-invalid',
    `\`--from ${name}\`: there is no such tool.${didYouMean(name, names)}`,
    {
      remedy: `The tools are ${names.join(', ')}.`,
    },
  );
}
