import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../../core/errors.ts';
import type { Launch } from '../../../core/lib/programs/process-group.ts';

/** Checks that the program of a command exists and may be run. Throws `target-unreachable` with its name when not. */
export async function findProgram({ program, folder, environment }: Launch): Promise<void> {
  const isFolder = await stat(folder).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new TouchstoneError('target-invalid', `\`cwd\` is not a folder: ${folder}`);
  // Only Windows itself knows which file extensions it can run: starting the program will show it.
  if (process.platform === 'win32') return;
  const isPath = program.includes('/');
  const folders = isPath ? [folder] : (environment['PATH'] ?? '').split(path.delimiter);
  const candidates = folders.filter(Boolean).map((parent) => path.resolve(folder, parent, program));
  const found = await Promise.all(candidates.map(checkExecutable));
  if (found.includes('executable')) return;
  if (found.includes('not-executable')) {
    throw new TouchstoneError('target-unreachable', `The program ${program} may not be run.`, {
      remedy: `Run \`chmod +x ${program}\`, or name its interpreter first, such as \`python3 ${program}\`.`,
    });
  }
  throw new TouchstoneError(
    'target-unreachable',
    isPath ? `There is no program ${program} in ${folder}.` : `There is no program "${program}" on the PATH.`,
    { remedy: `Install ${program}, or correct \`command\`; it is run in \`cwd\`, without a shell.` },
  );
}

async function checkExecutable(file: string): Promise<'executable' | 'not-executable' | 'missing'> {
  const status = await stat(file).catch(() => undefined);
  if (!status?.isFile()) return 'missing';
  return await access(file, constants.X_OK).then(
    () => 'executable',
    () => 'not-executable',
  );
}
