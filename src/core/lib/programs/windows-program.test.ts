import fc from 'fast-check';
import { expect, test } from 'vitest';
import { signalGroup, windowsKill, askToEnd } from './stop.ts';
import { findOnWindows, needsWindowsShell, planWindowsStart, type WindowsPlace } from './windows-program.ts';

/** A machine with Windows and the given files; a file's text matters only for scripts. */
function machine(files: Readonly<Record<string, string>>, more: Partial<WindowsPlace> = {}): WindowsPlace {
  return {
    folder: 'C:\\bots',
    environment: {
      Path: 'C:\\Windows\\System32;"C:\\Program Files\\nodejs";C:\\tools',
      PATHEXT: '.COM;.EXE;.BAT;.CMD',
    },
    isFile: (file) => file in files,
    readText: (file) => files[file] ?? '',
    ...more,
  };
}

const nodejs = 'C:\\Program Files\\nodejs';

/** Reads a command line as the C runtime of Microsoft does: what a started program gets as its arguments. */
function parseArguments(line: string): string[] {
  const words: string[] = [];
  let [word, isQuoted, isBegun] = ['', false, false];
  for (let at = 0; at < line.length; at += 1) {
    const slashes = /^\\*/.exec(line.slice(at))?.[0].length ?? 0;
    const next = line[at + slashes];
    if (slashes > 0) {
      isBegun = true;
      if (next !== '"') word += '\\'.repeat(slashes);
      else {
        word += '\\'.repeat(Math.floor(slashes / 2));
        if (slashes % 2 === 1) {
          word += '"';
          at += 1;
        }
      }
      at += slashes - 1;
    } else if (next === '"') {
      isBegun = true;
      isQuoted = !isQuoted;
    } else if (next === ' ' && !isQuoted) {
      if (isBegun) words.push(word);
      [word, isBegun] = ['', false];
    } else {
      isBegun = true;
      word += next;
    }
  }
  return isBegun ? [...words, word] : words;
}

/** Reads a line as the shell of Windows does: a caret makes the next character literal. What it would act on must not be left. */
function readThroughShell(line: string): string {
  let text = '';
  for (let at = 0; at < line.length; at += 1) {
    const isEscaped = line[at] === '^';
    if (isEscaped) at += 1;
    else if ('"<>&|()%!'.includes(line[at] ?? '')) throw new Error(`not escaped at ${at}: ${line}`);
    text += line[at] ?? '';
  }
  return text;
}

test('any argument arrives at a script of the shell as it was given, also through the scripts that npm makes', () => {
  const files = { 'C:\\tools\\bot.cmd': '', 'C:\\bots\\node_modules\\.bin\\npx.cmd': '' };
  const word = fc.string({ unit: fc.constantFrom(...Array.from('ab \\"^&|<>()%!;,=\'ä')), maxLength: 12 });
  fc.assert(
    fc.property(fc.array(word, { minLength: 3, maxLength: 3 }), (words) => {
      const direct = planWindowsStart('bot', words, machine(files));
      expect(direct).toMatchObject({ program: 'cmd.exe', isQuoted: true });
      const [, , , line = ''] = direct.arguments;
      expect(parseArguments(readThroughShell(line.slice(1, -1)))).toEqual(['C:\\tools\\bot.cmd', ...words]);
      const shim = planWindowsStart('node_modules/.bin/npx', words, machine(files)).arguments[3] ?? '';
      const once = readThroughShell(shim.slice(1, -1)).slice('C:\\bots\\node_modules\\.bin\\npx.cmd'.length);
      expect(parseArguments(readThroughShell(once.trimStart()))).toEqual(words);
    }),
    { numRuns: 3_400 },
  );
});

test('a program is found with the endings of Windows, in quoted folders of the PATH, and not in the current folder', () => {
  const files = { [`${nodejs}\\npx.cmd`]: '', [`${nodejs}\\node.exe`]: '', 'C:\\bots\\bot.exe': '' };
  expect(findOnWindows('npx', machine(files))).toBe(`${nodejs}\\npx.cmd`);
  expect(findOnWindows('node.exe', machine(files))).toBe(`${nodejs}\\node.exe`);
  expect(findOnWindows('bot', machine(files))).toBeUndefined();
  expect(findOnWindows('./bot', machine(files))).toBe('C:\\bots\\bot.exe');
  expect(needsWindowsShell('npx', machine(files))).toBe(true);
  expect(planWindowsStart('node', ['a b'], machine(files))).toEqual({
    program: `${nodejs}\\node.exe`,
    arguments: ['a b'],
    isQuoted: false,
  });
  expect(planWindowsStart('nix', ['a'], machine(files)).program).toBe('nix');
});

test('a script starts with the interpreter of its first line; one of PowerShell is refused with what to write', () => {
  const files = {
    'C:\\bots\\bot': '#!/usr/bin/env node\n',
    'C:\\bots\\old': '#!/usr/bin/python3 -u\n',
    'C:\\bots\\bot.ps1': '',
    [`${nodejs}\\node.exe`]: '',
    'C:\\tools\\python3.exe': '',
  };
  expect(planWindowsStart('./bot', ['x'], machine(files))).toEqual({
    program: `${nodejs}\\node.exe`,
    arguments: ['C:\\bots\\bot', 'x'],
    isQuoted: false,
  });
  expect(planWindowsStart('./old', [], machine(files)).program).toBe('C:\\tools\\python3.exe');
  expect(() => planWindowsStart('./bot.ps1', [], machine(files))).toThrow(
    expect.objectContaining({ code: 'target-invalid', remedy: 'Write `pwsh -File ./bot.ps1`.' }),
  );
  const script = machine({ 'C:\\tools\\bot.cmd': '' });
  expect(() => planWindowsStart('bot', ['two\nlines'], script)).toThrow('line break');
});

test('python3 is what Windows calls so, and never the stub of the store', () => {
  const store = 'C:\\Users\\a\\AppData\\Local\\Microsoft\\WindowsApps';
  const Path = `${store};C:\\Python\\;C:\\Windows`;
  const stub = { [`${store}\\python3.exe`]: '', [`${store}\\python.exe`]: '' };
  const plan = (files: Readonly<Record<string, string>>, isPython3 = () => true) =>
    planWindowsStart(
      'python3',
      ['bot.py'],
      machine({ ...stub, ...files }, { environment: { Path }, isPython3 }),
    );
  expect(plan({ 'C:\\Python\\python3.exe': '', 'C:\\Windows\\py.exe': '' })).toMatchObject({
    program: 'C:\\Python\\python3.exe',
    arguments: ['bot.py'],
  });
  expect(plan({ 'C:\\Windows\\py.exe': '', 'C:\\Python\\python.exe': '' })).toMatchObject({
    program: 'C:\\Windows\\py.exe',
    arguments: ['-3', 'bot.py'],
  });
  expect(plan({ 'C:\\Python\\python.exe': '' }).program).toBe('C:\\Python\\python.exe');
  expect(plan({ 'C:\\Python\\python.exe': '' }, () => false).program).toBe('python3');
  expect(plan({}).program).toBe('python3');
});

test('on Windows, a tree of processes is ended by the program of the system, and an orderly end is asked for over the channel', () => {
  expect(windowsKill(4711, { SystemRoot: 'D:\\Win' })).toEqual([
    'D:\\Win\\System32\\taskkill.exe',
    '/pid',
    '4711',
    '/T',
    '/F',
  ]);
  // A process that has ended is not looked for: another one may have its number by then.
  signalGroup({ pid: 1, exitCode: 0, signalCode: null }, 'SIGKILL', 'win32');
  const said: unknown[] = [];
  const child = {
    connected: true,
    kill: (signal?: NodeJS.Signals | number) => said.push(signal) > 0,
    send: (message: unknown) => said.push(message) > 0,
  };
  askToEnd(child, 'SIGTERM', 'linux');
  askToEnd(child, 'SIGTERM', 'win32');
  askToEnd({ ...child, connected: false }, 'SIGTERM', 'win32');
  expect(said).toEqual(['SIGTERM', { type: 'signal', signal: 'SIGTERM' }]);
});
