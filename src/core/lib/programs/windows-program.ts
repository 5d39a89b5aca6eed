import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { TouchstoneError } from '../../errors.ts';

/** The surroundings on which it depends how a program is started on Windows. Tests give files that do not exist. */
export interface WindowsPlace {
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly isFile?: (file: string) => boolean;
  readonly readText?: (file: string) => string;
  /** Returns whether a `python.exe` is Python 3.9 or newer. */
  readonly isPython3?: (file: string) => boolean;
}

/** A program as the system starts it. */
export interface ProgramStart {
  readonly program: string;
  readonly arguments: readonly string[];
  /** True when the arguments are quoted already. */
  readonly isQuoted: boolean;
}

/** Returns the file of a program, with the endings of `PATHEXT`, as the shell of Windows finds it; undefined if there is none. */
export function findOnWindows(
  name: string,
  { folder, environment, isFile = isPlainFile }: WindowsPlace,
): string | undefined {
  const endings = (variable(environment, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter(Boolean);
  const isNamed = path.win32.extname(name) !== '';
  const folders = /[\\/]/.test(name)
    ? [folder]
    : (variable(environment, 'PATH') ?? '').split(';').map((each) => each.replaceAll('"', ''));
  return folders
    .filter(Boolean)
    .flatMap((parent) =>
      (isNamed ? ['', ...endings] : [...endings, '']).map((ending) =>
        path.win32.resolve(parent, `${name}${ending.toLowerCase()}`),
      ),
    )
    .find((file) => isFile(file));
}

/**
 * Plans how a program is started on Windows. `npx` and other scripts of the shell need that shell, a script with a first line `#!`
 * its interpreter, and `python3` is what this system calls so. Throws `target-invalid` for what cannot be started.
 */
export function planWindowsStart(
  program: string,
  args: readonly string[],
  place: WindowsPlace,
): ProgramStart {
  if (program === 'python3') {
    const [python = program, ...before] = findPython(place) ?? [];
    return { program: python, arguments: [...before, ...args], isQuoted: false };
  }
  const file = findOnWindows(program, place);
  if (file === undefined) return { program, arguments: args, isQuoted: false };
  const ending = path.win32.extname(file).toLowerCase();
  if (ending === '.ps1')
    throw new TouchstoneError(
      'target-invalid',
      `${program} is a script of PowerShell, which does not start by itself.`,
      {
        remedy: `Write \`pwsh -File ${program}\`.`,
      },
    );
  if (ending === '.bat' || ending === '.cmd') return throughShell(file, args, place);
  const [, interpreter, of] =
    /^#!\s*(?:\S*[\\/])?(\S+)(?:[ \t]+(\S+))?/.exec(headOf(file, ending, place)) ?? [];
  if (interpreter === undefined) return { program: file, arguments: args, isQuoted: false };
  return planWindowsStart(
    interpreter === 'env' && of !== undefined ? of : interpreter,
    [file, ...args],
    place,
  );
}

/** Returns whether a program is a script that the shell of Windows runs: it reads its arguments as a part of a command line. */
export function needsWindowsShell(program: string, place: WindowsPlace): boolean {
  return /\.(?:bat|cmd)$/i.test(findOnWindows(program, place) ?? '');
}

/**
 * Returns Python 3 on Windows, where `python3` is often a stub that opens a shop: `python3.exe` of an installation, `py -3`, or a
 * `python.exe` that is new enough.
 */
export function findPython(place: WindowsPlace): string[] | undefined {
  const { environment, isPython3 = () => true } = place;
  const folders = (variable(environment, 'PATH') ?? '').split(';');
  const PATH = folders.filter((folder) => !/\\WindowsApps\\?"?$/i.test(folder)).join(';');
  const find = (name: string) =>
    findOnWindows(name, { ...place, environment: { ...withoutPath(environment), PATH } });
  const [python3, launcher, python] = [find('python3.exe'), find('py.exe'), find('python.exe')];
  if (python3 !== undefined) return [python3];
  if (launcher !== undefined) return [launcher, '-3'];
  return python !== undefined && isPython3(python) ? [python] : undefined;
}

function throughShell(file: string, args: readonly string[], { environment }: WindowsPlace): ProgramStart {
  if (args.some((arg) => /[\r\n\0]/.test(arg)))
    throw new TouchstoneError('target-invalid', `${file} cannot get an argument with a line break.`, {
      remedy: 'Start the program that the script starts, or pass the text on standard input.',
    });
  // The scripts of npm pass their arguments on to a second command line.
  const isPassedOn = /node_modules[\\/]\.bin[\\/][^\\/]+\.cmd$/i.test(file);
  const line = [
    escapeForShell(path.win32.normalize(file)),
    ...args.map((arg) => {
      const escaped = escapeForShell(quoteArgument(arg));
      return isPassedOn ? escapeForShell(escaped) : escaped;
    }),
  ];
  return {
    program: variable(environment, 'COMSPEC') ?? 'cmd.exe',
    arguments: ['/d', '/s', '/c', `"${line.join(' ')}"`],
    isQuoted: true,
  };
}

/** Quotes an argument by the rules of Microsoft's C runtime: backslashes are doubled before a quote and at the end. */
function quoteArgument(argument: string): string {
  return `"${argument.replace(/(?<!\\)(\\*)"/g, '$1$1\\"').replace(/(?<!\\)(\\+)$/, '$1$1')}"`;
}

/** Puts a caret before every character on which the shell of Windows would act. */
function escapeForShell(text: string): string {
  return text.replace(/[()\][%!^"`<>&|;, *?]/g, '^$&');
}

function headOf(file: string, ending: string, { readText = readHead }: WindowsPlace): string {
  return ending === '.exe' || ending === '.com' ? '' : readText(file);
}

function readHead(file: string): string {
  try {
    return readFileSync(file, 'utf8').slice(0, 200);
  } catch {
    return '';
  }
}

/** Returns an environment variable of Windows, whose name may be written in any case. */
function variable(environment: WindowsPlace['environment'], name: string): string | undefined {
  return Object.entries(environment).find(([key]) => key.toUpperCase() === name)?.[1];
}

function withoutPath(environment: WindowsPlace['environment']): WindowsPlace['environment'] {
  return Object.fromEntries(Object.entries(environment).filter(([key]) => key.toUpperCase() !== 'PATH'));
}

function isPlainFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}
