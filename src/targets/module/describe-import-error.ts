import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../../errors.ts';

/** Why a file could not be imported, with the file and line where that is known. */
export async function describeImportError(error: unknown, file: string): Promise<string> {
  const message = messageOf(error);
  if (!(error instanceof Error)) return message;
  const place = findHeadPlace(error.stack) ?? (await findPlace(error, file));
  return place === undefined ? message : `${message} (${place})`;
}

async function findPlace(error: Error, file: string): Promise<string | undefined> {
  return error instanceof SyntaxError ? findHeadPlace(await checkSyntax(file)) : findFrame(error.stack ?? '');
}

/** Node begins a stack with `file:line` when it knows where the syntax is wrong. */
function findHeadPlace(text: string | undefined): string | undefined {
  const [, file, line] = /^(\S.*):(\d+)$/.exec(text?.split('\n')[0] ?? '') ?? [];
  return file === undefined ? undefined : `${toPath(file)}:${line}`;
}

/** The first line of a stack that is in a file. */
function findFrame(stack: string): string | undefined {
  const [, file, line] = /\(?(file:\/\/\/\S+?):(\d+):\d+\)?$/m.exec(stack) ?? [];
  return file === undefined ? undefined : `${toPath(file)}:${line}`;
}

function toPath(file: string): string {
  return file.startsWith('file:') ? fileURLToPath(file) : file;
}

/** V8 keeps the place of a syntax error in an imported JavaScript file to itself; `node --check` prints it. */
async function checkSyntax(file: string): Promise<string | undefined> {
  if (!/\.[cm]?js$/.test(file)) return undefined;
  const { promise, resolve } = Promise.withResolvers<string>();
  execFile(process.execPath, ['--check', file], { timeout: 10_000 }, (_error, _stdout, stderr) => {
    resolve(stderr);
  });
  return await promise;
}
