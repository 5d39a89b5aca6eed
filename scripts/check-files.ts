// Checks the sizes of folders and files in src/ and dashboard/src: no folder has too many files, and no small file serves only one other.
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { printFindings } from './print-findings.ts';
import { readImports } from './read-imports.ts';

const mostFilesInFolder = 25;
/** A file of as many lines is a concept of its own, even with a single user. */
const ownConceptLines = 120;
/** Files that would have more lines together stay apart. */
const mostLinesTogether = 250;

/** Files that list others, a line for each: an addition is a file and a line. */
const lists: readonly string[] = [
  'index.ts',
  'src/decide/gate/rules/rules.ts',
  'src/evaluate/targets/http/streams/forms.ts',
];

/** Files that call others in a row, as a run does with its stages; what they call stays in files of its own. */
const compositions: readonly string[] = [
  'src/evaluate/run/run.ts',
  'src/evaluate/run/rescore.ts',
  'src/evaluate/run/call/call.ts',
  'src/evaluate/run/call/local-trial-maker.ts',
  'src/cli/main.ts',
  'src/server/create-app.ts',
  'src/server/mcp/server.ts',
  'src/server/serve.ts',
];

interface SourceFile {
  /** Relative to the root, with slashes. */
  readonly file: string;
  readonly lines: number;
  /** What it imports when it is loaded, and what it only loads later. */
  readonly imports: readonly string[];
  readonly loadsLater: readonly string[];
}

/** Returns all breaches of the rules about files under `root`, one line each. */
export function checkFiles(root: string): string[] {
  const files = globSync('{src,dashboard/src}/**/*.{ts,tsx}', { cwd: root })
    .map((file) => file.replaceAll(path.sep, '/'))
    .filter((file) => !/\.test\.tsx?$/.test(file))
    .sort()
    .map((file) => readSource(root, file));
  return [...findFullFolders(files), ...findServants(files)];
}

function readSource(root: string, file: string): SourceFile {
  const text = readFileSync(path.join(root, file), 'utf8');
  const mentions = readImports(file, text)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier }) => ({
      to: path.posix.join(path.posix.dirname(file), specifier),
      isLater: text.includes(`import('${specifier}')`),
    }));
  return {
    file,
    lines: text.split('\n').length - 1,
    imports: mentions.filter(({ isLater }) => !isLater).map(({ to }) => to),
    loadsLater: mentions.filter(({ isLater }) => isLater).map(({ to }) => to),
  };
}

function findFullFolders(files: readonly SourceFile[]): string[] {
  const folders = Map.groupBy(files, ({ file }) => path.posix.dirname(file));
  return [...folders]
    .filter(([, own]) => own.length > mostFilesInFolder)
    .map(
      ([folder, own]) =>
        `${folder}: ${own.length} files of its own; at most ${mostFilesInFolder}, then folders`,
    );
}

/** Finds small files that one other file of the same part uses, and that would find room in it. */
function findServants(files: readonly SourceFile[]): string[] {
  const byName = new Map(files.map((one) => [one.file, one]));
  const users = Map.groupBy(
    files.flatMap(({ file, imports }) => [...new Set(imports)].map((used) => ({ file, used }))),
    ({ used }) => used,
  );
  const loadedLater = new Set(files.flatMap(({ loadsLater }) => loadsLater));
  return files.flatMap(({ file, lines: own }) => {
    const [only, ...others] = users.get(file) ?? [];
    const user = only && byName.get(only.file);
    if (user === undefined || others.length > 0 || own >= ownConceptLines) return [];
    if (loadedLater.has(file) || isList(file) || isList(user.file) || isComposition(user.file)) return [];
    if (partOf(file) !== partOf(user.file) || own + user.lines > mostLinesTogether) return [];
    return [`${file}: ${own} lines that only ${user.file} uses; make it a part of that file`];
  });
}

/** Returns whether a file calls others in a row, as a page does with its sections. */
function isComposition(file: string): boolean {
  return compositions.includes(file) || file.endsWith('-page.tsx');
}

function isList(file: string): boolean {
  const name = path.posix.basename(file);
  return name === 'registry.ts' || name === 'index.ts' || lists.includes(file);
}

/** Returns the folder in a room of src/, or the folder at the top of dashboard/src. */
function partOf(file: string): string {
  return file.split('/').slice(0, 3).join('/');
}

if (import.meta.main) {
  printFindings(
    checkFiles(path.resolve(import.meta.dirname, '..')),
    'folders can be looked through, and files are concepts of their own',
  );
}
