import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { TouchstoneError } from '../../errors.ts';
import type { Launch } from './process-group.ts';
import { isPython3 } from './start.ts';
import { findOnWindows, findPython, needsWindowsShell } from './windows-program.ts';

/** Checks that the program of a command exists and may be run. Throws `target-unreachable` with its name when not. */
export async function findProgram(launch: Launch, platform = process.platform): Promise<void> {
  const { program, folder, environment } = launch;
  const isFolder = await stat(folder).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (!isFolder) throw new TouchstoneError('target-invalid', `\`cwd\` is not a folder: ${folder}`);
  if (platform === 'win32') {
    findWindowsProgram(launch);
    return;
  }
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

function findWindowsProgram({ program, folder, environment, arguments: args }: Launch): void {
  const place = { folder, environment, isPython3 };
  if (program === 'python3') {
    if (findPython(place) !== undefined) return;
    throw new TouchstoneError(
      'target-unreachable',
      'There is no Python: neither `python3`, nor `py -3`, nor `python` from 3.9 on, is on the PATH.',
      { remedy: 'Install Python from python.org; the one of the Microsoft Store is not used.' },
    );
  }
  if (findOnWindows(program, place) === undefined)
    throw new TouchstoneError('target-unreachable', `There is no program "${program}" on the PATH.`, {
      remedy: `Install ${program}, or correct \`command\`; it is run in \`cwd\`, without a shell.`,
    });
  if (needsWindowsShell(program, place) && args.some((each) => each.includes('{{')))
    throw new TouchstoneError(
      'target-invalid',
      `${program} is a script of the shell of Windows: no part of a question may be among its arguments.`,
      { remedy: 'Leave out `{{…}}`, so that the question is on standard input.' },
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
