import type { Command } from 'commander';
import {
  conditionGrammar,
  exitCodes,
  filterGrammar,
  sequentialMeaning,
} from '../../src/cli/program/help-sections.ts';
import { createProgram } from '../../src/cli/create-program.ts';
import { anchorOf } from '../../src/core/lib/text/anchor-of.ts';
import { code, table } from './markdown.ts';
import {
  findSharedTables,
  type OptionRows,
  type Owner,
  type SharedTable,
  splitOptions,
} from './shared-options.ts';

type CommandOwner = Owner<OptionRows> & { readonly command: Command };

const page = 'commands.md';

/** Writes a line for every command, for the first page of the reference. */
export function commandList(): string {
  return table(
    ['command', 'what it does'],
    readCommands().map(({ name, command }) => [
      `[${code(name)}](${page}#${anchorOf(name)})`,
      command.description(),
    ]),
  );
}

/** Writes the exit codes as a table. */
export function exitCodeTable(): string {
  const rows = Array.from(exitCodes.matchAll(/^ {2}(\d+) {2}(.*)$/gm), ([, number = '', meaning = '']) => [
    code(number),
    meaning,
  ]);
  return table(['exit code', 'meaning'], rows);
}

/** Writes the page with every command and its options. */
export function commandsPage(): string[] {
  const owners = readCommands();
  const shared = findSharedTables(owners, [], { [page]: 'Options of several commands' });
  return [
    '# Commands',
    '`touchstone COMMAND --help` says the same, with examples.',
    ...owners.flatMap((owner) => writeCommand(owner, shared)),
    ...shared.flatMap(({ title, options }) => [`## ${title}`, optionsTable(options)]),
    ...[filterGrammar, conditionGrammar, sequentialMeaning].flatMap(helpSection),
  ];
}

/** Writes a part of the help, which begins with its title, as a section. */
function helpSection(help: string): string[] {
  const [title = '', ...lines] = help.trim().split('\n');
  return [`## ${title.replace(/:$/, '')}`, ['```text', ...lines, '```'].join('\n')];
}

function writeCommand(owner: CommandOwner, shared: readonly SharedTable<OptionRows>[]): string[] {
  const { own, shared: links } = splitOptions(owner, shared);
  const places = owner.command.registeredArguments.map(
    (argument) => `${code(argument.name())}: ${argument.description}.`,
  );
  return [
    `## ${code(owner.name)}`,
    [code(usageOf(owner.command)), owner.command.description(), ...places].join('  \n'),
    ...(own.length === 0 ? [] : [optionsTable(own)]),
    ...links,
  ];
}

function optionsTable(options: readonly OptionRows[]): string {
  return table(
    ['option', 'meaning'],
    options.flatMap(({ rows }) => rows),
  );
}

/** Returns every command that does something, those of `baseline` included; a command with commands of its own if it has options. */
function readCommands(): CommandOwner[] {
  const all = createProgram(() => {}).commands.flatMap((command) => [
    ...(command.commands.length === 0 || command.options.length > 0 ? [command] : []),
    ...command.commands,
  ]);
  return all.map((command) => ({
    name: fullName(command),
    page,
    command,
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ long, flags, description, argChoices }) => ({
        name: long ?? flags,
        rows: [
          [
            code(flags),
            description.replace('; see below', `; see ${seeAlso(flags)}`) +
              (argChoices === undefined ? '' : `: ${argChoices.join(', ')}`),
          ],
        ],
      })),
  }));
}

/** Links to the section that explains an option. */
function seeAlso(flags: string): string {
  const title = flags.startsWith('--sequential') ? 'Sequential' : 'Faults and perturbations';
  return `[${title.toLowerCase()}](#${anchorOf(title)})`;
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}

function usageOf(command: Command): string {
  const places = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [fullName(command), ...places].join(' ');
}
