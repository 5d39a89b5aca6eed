import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../programs/start.ts';

/** A place in a file on disk. Line and column count from 1. */
export interface ImportFaultPlace {
  readonly file: string;
  readonly line: number;
  readonly column?: number;
}

/**
 * Finds the place at which the import of a TypeScript or JavaScript file failed, in the file or in one of its imports;
 * undefined where it cannot be found.
 */
export async function findImportFault(error: unknown, file: string): Promise<ImportFaultPlace | undefined> {
  if (!(error instanceof Error)) return undefined;
  const head = readHead(error.stack);
  if (head !== undefined) return head;
  if (error instanceof SyntaxError) return readHead(await checkSyntax(file));
  if ('code' in error && error.code === 'ERR_MODULE_NOT_FOUND') return await findImport(error.message);
  return findFrame(error.stack ?? '', file);
}

const mostHeadLines = 6;

/**
 * Reads the place from the head of a stack: for a syntax error, Node begins it with the file, the line and a mark below
 * the code.
 */
function readHead(stack: string | undefined): ImportFaultPlace | undefined {
  const [first = '', ...code] = stack?.split('\n', mostHeadLines) ?? [];
  const [, file, line] = /^(\S.*):(\d+)$/.exec(first) ?? [];
  if (file === undefined) return undefined;
  const place = { file: toPath(file), line: Number(line) };
  const mark = code.find((each) => /^\s*\^+$/.test(each));
  return mark === undefined ? place : { ...place, column: mark.indexOf('^') + 1 };
}

/**
 * Checks a file with `node --check`, which prints the place of a syntax error; V8 does not report it for an imported
 * JavaScript file.
 */
async function checkSyntax(file: string): Promise<string | undefined> {
  if (!/\.[cm]?js$/.test(file)) return undefined;
  return (await runProgram(process.execPath, ['--check', file], { timeLimitMs: 10_000 })).stderr;
}

/** Finds the import statement of a module that was not found. */
async function findImport(message: string): Promise<ImportFaultPlace | undefined> {
  const [, name = '', importer] = /'([^']+)' imported from (.+)$/s.exec(message) ?? [];
  if (importer === undefined) return undefined;
  const file = toPath(importer);
  const source = await readFile(file, 'utf8').catch(() => '');
  const at = source.search(new RegExp(`['"]([^'"\n]*/)?${escapeForPattern(path.basename(name))}`));
  if (at < 0) return undefined;
  const before = source.slice(0, at).split('\n');
  return { file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Returns the first line of a stack that is in the file, or else the first line that is in any file. */
function findFrame(stack: string, file: string): ImportFaultPlace | undefined {
  const frames = Array.from(
    stack.matchAll(/\(?(file:\/\/\/\S+?):(\d+):(\d+)\)?$/gm),
    ([, url, line, column]) => ({
      file: toPath(url ?? ''),
      line: Number(line),
      column: Number(column),
    }),
  );
  return frames.find((frame) => frame.file === file) ?? frames[0];
}

function toPath(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
