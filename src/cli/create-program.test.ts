import type { Command } from 'commander';
import { expect, test } from 'vitest';
import { datasetExporters, exporters } from '../library/config/other-tools.ts';
import * as reporters from '../look/reporters/registry.ts';
import { createProgram } from './create-program.ts';

function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (piece) => (text += piece) }).outputHelp();
  return text;
}

const program = createProgram(() => {});

test('help shows the first steps, the commands and the meaning of the exit codes', () => {
  const help = helpOf(program);
  for (const part of ['First steps:', 'touchstone init my-eval', 'Exit codes:', '130  interrupted']) {
    expect(help).toContain(part);
  }
});

test.each(program.commands.map((command) => [command.name(), command] as const))(
  'the help of %s describes the command and each flag, and gives examples',
  (name, command) => {
    const help = helpOf(command);
    expect(help).toMatch(/^Usage: touchstone /);
    expect(help).toContain(`Examples:\n  $ `);
    expect(help).toContain(`touchstone ${name}`);
    expect(command.summary()).not.toBe('');
    for (const option of command.options) expect(option.description).not.toBe('');
    for (const argument of command.registeredArguments) expect(argument.description).not.toBe('');
  },
);

test('every line of every help fits a terminal of 100 columns', () => {
  for (const command of [program, ...program.commands]) {
    expect(
      helpOf(command)
        .split('\n')
        .filter((line) => line.length > 100),
    ).toEqual([]);
  }
});

test('the help of `export --to` names every format of other tools', () => {
  const help = helpOf(program.commands.find((command) => command.name() === 'export') as Command);
  const [runs = '', datasets = ''] = help.replaceAll(/\s+/g, ' ').split('with --dataset:');
  for (const { name } of exporters) expect(runs).toContain(name);
  for (const { name } of datasetExporters) expect(datasets).toContain(name);
});

test('the help of `show --output` names every form of a report', () => {
  const [option] = program.commands
    .filter((command) => command.name() === 'show')
    .flatMap(({ options }) => options.filter(({ long }) => long === '--output'));
  for (const { extensions } of Object.values(reporters))
    for (const extension of extensions) expect(option?.description).toContain(extension);
});
