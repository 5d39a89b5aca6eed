import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createProgram } from './create-program.ts';
import { readCommandWords } from './completion-tables.ts';
import { bashScript, fishScript, zshScript } from './completion.ts';

const commands = readCommandWords(createProgram(() => {}));
const shells = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof shells;

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'touchstone-completion-'));
  await mkdir(path.join(folder, 'my runs'));
  await writeFile(path.join(folder, 'gold set.csv'), '');
  await writeFile(path.join(folder, 'other.yaml'), '');
  for (const [name, write] of Object.entries(shells)) {
    await writeFile(path.join(folder, `script.${name}`), write(commands));
  }
});
afterAll(async () => await rm(folder, { recursive: true, force: true }));

/** The script that makes each shell complete the end of a line without a terminal. */
const askers: Readonly<Record<Shell, string>> = {
  bash: `source ./script.bash
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _touchstone; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() { :; }
    _describe() { local name=$argv[-1]; for each in "\${(@P)name}"; do print -r -- "\${each%%:*}"; done }
    compadd() { print -r -- "$argv[-1]"; }
    _files() { if [[ "$1" == -/ ]]; then print -l *(/); else print -l *; fi }
    _message() { :; }
    compset() { PREFIX="\${PREFIX#*=}"; }
    source ./script.zsh
    words=("$@"); CURRENT=$#; PREFIX=$argv[-1]; _touchstone | grep -e "^\${PREFIX:-.}"`,
  fish: `source ./script.fish; complete -C "$argv" | string replace -r '\\t.*' ''`,
};

const shellArguments: Readonly<Record<Shell, (line: readonly string[]) => string[]>> = {
  bash: (line) => ['--norc', '--noprofile', '-c', askers.bash, 'bash', ...line],
  zsh: (line) => ['-f', '-c', askers.zsh, 'zsh', ...line],
  fish: (line) => ['--no-config', '-c', askers.fish, line.join(' ')],
};

/** Returns the completions that a shell offers for the last of the given words. */
function offered(shell: Shell, ...line: string[]): string[] {
  const ended = spawnSync(shell, shellArguments[shell](['touchstone', ...line]), {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(ended.stderr).toBe('');
  return ended.stdout
    .split('\n')
    .filter((each) => each !== '')
    .toSorted();
}

const isHere = (shell: Shell) => spawnSync(shell, ['--version']).status === 0;

describe.skipIf(!isHere('bash'))('bash (needs bash)', () => {
  testShell('bash');
});
describe.skipIf(!isHere('zsh'))('zsh (needs zsh)', () => {
  testShell('zsh');
});
describe.skipIf(!isHere('fish'))('fish (needs fish)', () => {
  testShell('fish');
});

function testShell(shell: Shell): void {
  test('completes commands and the commands of a command', () => {
    const program = createProgram(() => {});
    expect(offered(shell, '')).toEqual(program.commands.map((command) => command.name()).toSorted());
    expect(offered(shell, 'tre')).toEqual(['trends']);
    expect(offered(shell, 'baseline', '')).toEqual(['export', 'list', 'remove', 'set']);
  });

  test('completes the options of each command and of no other', () => {
    expect(offered(shell, 'run', '--data')).toEqual(['--dataset', '--dataset-format']);
    expect(offered(shell, 'runs', '--data')).toEqual([]);
    expect(offered(shell, 'run', '--dataset', 'gold.csv', '--dry')).toEqual(['--dry-run']);
    // The first word that is a command counts, but not the value of an option.
    expect(offered(shell, 'run', '--target', 'show', '--dry')).toEqual(['--dry-run']);
  });

  test('completes the choices of an option and of an argument', () => {
    expect(offered(shell, 'run', '--dataset-format', 'js')).toEqual(['json', 'jsonl']);
    expect(offered(shell, 'completion', '')).toEqual(['bash', 'fish', 'zsh']);
    expect(offered(shell, 'baseline', 'set', 'main', 'la')).toEqual(['latest', 'latest~1']);
  });

  test('completes the fields of a filter by what the command lists', () => {
    expect(offered(shell, 'run', '--filter', 'ca')).toEqual(['category=']);
    expect(offered(shell, 'show', '--filter', 'missingT')).toEqual(['missingTool=']);
    expect(offered(shell, 'run', '--filter', 'missingT')).toEqual([]);
    expect(offered(shell, 'runs', '--filter', 'na')).toEqual(['name=']);
  });

  test('completes files for a file, folders for a folder, and nothing for a number', () => {
    expect(offered(shell, 'run', '--dataset', 'g')).toEqual(['gold set.csv']);
    expect(offered(shell, 'score', 'g')).toEqual(['gold set.csv']);
    expect(offered(shell, 'run', '--baseline', 'o')).toEqual(['other.yaml']);
    expect(offered(shell, 'run', '--attempts', '')).toEqual([]);
    if (shell === 'fish') return; // Its function for folders is only there in a full installation.
    expect(offered(shell, 'run', '--store', '')).toEqual(['my runs']);
  });
}

test('options with a value and switches are distinguished in the definitions that shells read', () => {
  const flags = commands.flatMap(({ flags: own }) => own);
  const dataset = flags.find(({ names }) => names.includes('--dataset'));
  expect(dataset?.value).toEqual({ words: [], takesFiles: true, takesFolders: false });
  expect(flags.find(({ names }) => names.includes('--json'))?.value).toBeUndefined();
});
