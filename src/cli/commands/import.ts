import { listenForInterrupts } from '../interrupts.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { defineCommand } from '../program/define-command.ts';
import { argument, flag, text } from '../program/input.ts';
import { json, store } from '../program/shared-inputs.ts';

/** `touchstone import FILE`: an exported run, or files of another tool as a project and a run of its recorded answers. */
export const importFiles = defineCommand({
  name: 'import',
  summary: 'add an exported run, or convert a project of another tool',
  description:
    'Adds a run that `touchstone export` has written to the store: all of it, or nothing if the file is truncated or was changed. Converts a file or folder of another tool to a project, and its recorded answers to a run; lists every part that has no equivalent.',
  inputs: {
    file: argument('<file>', 'a file or a folder; `-` is an exported run on standard input'),
    from: text('<tool>', 'the tool that wrote it (default: recognised by its content)'),
    to: text('<folder>', 'the folder of the project (default: named after the file)'),
    dryRun: flag('show how every part would be converted, and write nothing'),
    force: flag('overwrite files of the project that exist and differ'),
    trust: flag('run a file that is code, such as promptfooconfig.ts, and import what it exports'),
    root: text('<folder>', 'the folder that paths in the file may lead to, such as `..` (default: its own)'),
    portCode: text(
      '<folder>',
      'write a stub for each check that is code, with the original code as a comment',
    ),
    json,
    store,
  },
  help: `
Examples:
  $ touchstone import run.jsonl
  $ touchstone import run.jsonl --store elsewhere/.touchstone
  $ ssh ci cat run.jsonl | touchstone import -
  $ touchstone import logs/2026-11-23_shop.eval --dry-run    what would become of an Inspect log
  $ touchstone import logs/2026-11-23_shop.eval --to shop    a project, and its answers as a run

A run that is already in the store is refused with exit code 4; the store is not changed.`,
  run: async (input, output) => {
    const { importProject, isExportedRun } = await import('../running/import-project.ts');
    if (input.from !== undefined || (input.file !== '-' && !isExportedRun(input.file)))
      return await importProject(input, output);
    const { importRun } = await import('../../library/api/archive.ts');
    const onNotice = (message: string) => console.error(toTerminalText(message));
    const signals = listenForInterrupts(onNotice, () => false);
    try {
      const run = await importRun(input.file, { store: input.store, onNotice, stop: signals.stop });
      return await output.print(input.json, run, ({ id }) => `Imported run ${id}.\n`);
    } finally {
      signals.release();
    }
  },
});
