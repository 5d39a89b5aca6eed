import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../../decide/certificates/certificate-folder.ts';
import { configFileNames } from '../config/load-config.ts';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { makeFolder } from '../../core/lib/make-folder.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { listUserFiles } from '../../core/lib/user-code/user-files.ts';
import { readRuns, type Store } from '../../stores/store.ts';

/** The files that the outputs of a command must not replace. */
export interface OutputChecks {
  /** Files that the command reads, relative to the current folder. */
  readonly reads?: readonly string[];
  /** The store of the runs that are written: the files that runs were asked from are not replaced. */
  readonly store?: Pick<Store, 'address' | 'listRuns' | 'readRun'>;
}

/**
 * Checks files that a command is going to write, before it does any work: makes their folders, and tries that they can be
 * written.
 * @throws TouchstoneError `output-invalid` for a file that the command, the config or a run of the store reads, and for one that
 * is named twice; `output-unwritable` for one that cannot be written.
 */
export async function checkOutputFiles(files: readonly string[], checks: OutputChecks = {}): Promise<void> {
  for (const [index, file] of files.entries()) {
    const twin = files.slice(0, index).find((other) => isSameFile(other, file));
    if (twin === undefined) continue;
    const message = `${displayPath(path.resolve(file))} would be written twice.`;
    throw new TouchstoneError('output-invalid', message, { remedy: 'Give each output a name of its own.' });
  }
  const existing = files.filter((file) => existsSync(path.resolve(file)));
  if (existing.length > 0) refuseInputs(existing, await findInputs(checks));
  for (const file of files) tryWriting(path.resolve(file));
}

/** A file that is read, and what reads it. */
interface Input {
  readonly file: string;
  readonly reader: string;
}

function refuseInputs(files: readonly string[], inputs: readonly Input[]): void {
  for (const file of files) {
    const known = inputs.find((each) => isSameFile(each.file, file));
    const input = known ?? (isConfig(file) ? { file, reader: 'Touchstone reads' } : undefined);
    if (input === undefined) continue;
    const message = `${displayPath(path.resolve(file))} is not replaced: ${input.reader} it.`;
    throw new TouchstoneError('output-invalid', message, {
      remedy: 'Write to a file of another name; or delete this one first, if it is no longer needed.',
    });
  }
}

/** The newest runs whose questions are protected. */
const newestRuns = 100;

async function findInputs({ reads = [], store }: OutputChecks): Promise<Input[]> {
  const read = [...reads, ...listUserFiles()];
  const inputs: Input[] = [
    ...read.map((file) => ({ file, reader: 'this command reads' })),
    ...listUserFiles().flatMap(findNamed),
    ...findConfigInputs(process.cwd()),
  ];
  if (store === undefined) return inputs;
  const project = projectFolder(store);
  inputs.push(...findConfigInputs(project));
  for await (const { id, dataset } of readRuns(store, { limit: newestRuns })) {
    for (const source of dataset.sources) {
      for (const folder of [process.cwd(), project]) {
        inputs.push({ file: path.resolve(folder, source), reader: `run ${id} read its questions from` });
      }
    }
  }
  return inputs;
}

/** Returns the configs in a folder, and the files in it that they name. */
function findConfigInputs(folder: string): Input[] {
  const present = configFileNames.map((name) => path.join(folder, name)).filter((file) => existsSync(file));
  return present.flatMap((file) => [{ file, reader: 'Touchstone reads' }, ...findNamed(file)]);
}

/** Returns the files that a config, or a module of the user, names. */
function findNamed(config: string): Input[] {
  // A file that was read may be gone.
  if (!/\.(?:[cm]?[jt]sx?|ya?ml|json)$/i.test(config) || !existsSync(config)) return [];
  const reader = `${displayPath(config)} names`;
  return textsIn(config).map((text) => ({ file: path.resolve(path.dirname(config), text), reader }));
}

/**
 * Returns whether an existing file is a config, under any name: only the command that a config is given to knows it. No output
 * is code or a YAML file with these settings.
 */
function isConfig(file: string): boolean {
  if (!/\.(?:[cm]?[jt]sx?|ya?ml)$/i.test(file) || statSync(file).isDirectory()) return false;
  return /^[ \t]*(?:targets|dataset)[ \t]*:|\bdefineConfig\b/m.test(
    readFileSync(file, 'utf8').slice(0, longestConfig),
  );
}

const longestConfig = 1_000_000;
const longestPath = 1000;

/**
 * Returns the texts of a config that can be paths: what is between quotes, and plain values of YAML. The config is not run:
 * a path that a program computes is not among them.
 */
function textsIn(config: string): string[] {
  const text = readFileSync(config, 'utf8').slice(0, longestConfig);
  const quoted = text.matchAll(/(["'`])([^"'`\n]+)\1/g);
  const plain = text.matchAll(/^[^\n]*?(?:: |- )[ \t]*([^\n#"']+?)[ \t]*(?:#[^\n]*)?$/gm);
  const listed = text.matchAll(/(?<=[[,{:] ?)[^\s"'`,[\]{}]+/g);
  const found = [
    ...Array.from(quoted, ([, , value = '']) => value),
    ...Array.from(plain, ([, value = '']) => value),
    ...Array.from(listed, ([value]) => value),
  ];
  return found.filter((value) => value !== '' && value.length <= longestPath && !value.includes('\0'));
}

/** Returns whether two names lead to one file, through links and in file systems that ignore letter case, too. */
function isSameFile(one: string, other: string): boolean {
  const [a, b] = [path.resolve(one), path.resolve(other)];
  if (a === b) return true;
  const [first, second] = [a, b].map((file) => statSync(file, { throwIfNoEntry: false, bigint: true }));
  if (first === undefined || second === undefined) return false;
  return first.isFile() && first.dev === second.dev && first.ino === second.ino;
}

/** Makes the folder of a file, and throws `output-unwritable` when the file cannot be written. Leaves the file as it is. */
function tryWriting(file: string): void {
  try {
    const folder = path.dirname(file);
    makeFolder(folder);
    const before = statSync(file, { throwIfNoEntry: false });
    if (before?.isDirectory() === true) throw new Error('it is a folder');
    accessSync(before === undefined ? folder : file, constants.W_OK);
  } catch (error) {
    throw new TouchstoneError(
      'output-unwritable',
      `${displayPath(file)} cannot be written: ${messageOf(error)}.`,
      { remedy: 'Name a file in a folder that can be written to. Nothing was asked.', cause: error },
    );
  }
}
