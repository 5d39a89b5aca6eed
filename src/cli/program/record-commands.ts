import { type Command, Option } from 'commander';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { gather, wholeNumber } from './parse-option.ts';
import { allowOwnOption } from './trace-commands.ts';

/** Adds the commands `touchstone view`, `touchstone runs` and `touchstone show`. */
export function addRecordCommands(program: Command, exitWith: ExitWith): void {
  addView(program, exitWith);
  program
    .command('runs')
    .summary('list the stored runs')
    .description('Lists the stored runs, the newest first.')
    .addOption(new Option('--limit <n>', 'only the newest n runs runs').argParser(wholeNumber(1)))
    .addOption(new Option('--watch', 'show the progress of active runs until Ctrl-C'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.runs)
    .action(async (flags) => exitWith(await (await import('../commands/runs.ts')).runsCommand(flags)));

  program
    .command('show')
    .summary('print the report of a run again')
    .description('Prints the report of a stored run.')
    .argument('[run]', 'the id of a run, or its first or last characters; or latest, latest~1', 'latest')
    .addOption(
      new Option(
        '--case <id>',
        'one case in full: every turn, tool call and judgement; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.filterOption())
    .addOption(new Option('--failed', 'list only what did not pass'))
    .addOption(
      new Option(
        '--disagreements [kind]',
        'list the answers on which metrics contradict each other, with both verdicts',
      ),
    )
    .addOption(option.verboseOption())
    .addOption(option.methodsOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.show)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/show.ts')).showCommand(run, flags)),
    );
}

function addView(program: Command, exitWith: ExitWith): void {
  program
    .command('view')
    .summary('look at runs in the browser')
    .description(
      'Shows the stored runs in the browser, until Ctrl-C. Only this machine can open the page, and only with the printed address, which works once.',
    )
    .argument('[run]', 'the run to open: its id, or the first or last characters of it; or latest, latest~1')
    .addOption(option.portOption())
    .addOption(option.noOpenOption())
    .addOption(
      new Option(
        '--ingest',
        'also accept user feedback and traces, with the token that is printed or TOUCHSTONE_INGEST_TOKEN: docs/traces.md',
      ),
    )
    .addOption(allowOwnOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.view)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/view.ts')).viewCommand(run, flags)),
    );
}

/** Adds the commands `touchstone export`, `import`, `delete`, `erase` and `check`. */
export function addArchiveCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('export')
    .summary('write a whole run as JSONL, or in the format of another tool')
    .description(
      'Writes a whole run as JSONL, without loss, to standard output or a file; or converts it to the format of another tool, and lists every part that has no equivalent there. Sends nothing anywhere.',
    )
    .argument('[run]', 'the id of a run, or its first or last characters; or latest, latest~1', 'latest')
    .addOption(
      new Option(
        '--to <format>',
        'csv, hugging-face, inspect, inspect-json, langfuse, langsmith, otel, parquet or promptfoo; with --dataset: deepeval, inspect, langfuse, langsmith or promptfoo',
      ),
    )
    .addOption(
      new Option('--dataset <files...>', 'with --to: convert the cases of these files instead of a run'),
    )
    .addOption(
      new Option(
        '-o, --output <file>',
        'the file or folder to write (default: standard output; with --to, named after the run)',
      ),
    )
    .addOption(
      new Option('--dry-run', 'with --to: show how every part would be converted, and write nothing'),
    )
    .addOption(option.jsonOption())
    .addOption(new Option('--salvage', 'for a damaged run: write the intact records, and list the others'))
    .addOption(option.storeOption())
    .addHelpText('after', examples.export)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/export.ts')).exportCommand(run, flags)),
    );

  program
    .command('import')
    .summary('add an exported run, or convert a project of another tool')
    .description(
      'Adds a run that `touchstone export` has written to the store: all of it, or nothing if the file is truncated or was changed. Converts a file or folder of another tool to a project, and its recorded answers to a run; lists every part that has no equivalent.',
    )
    .argument('<file>', 'a file or a folder; `-` is an exported run on standard input')
    .addOption(new Option('--from <tool>', 'the tool that wrote it (default: recognised by its content)'))
    .addOption(new Option('--to <folder>', 'the folder of the project (default: named after the file)'))
    .addOption(new Option('--dry-run', 'show how every part would be converted, and write nothing'))
    .addOption(new Option('--force', 'overwrite files of the project that exist and differ'))
    .addOption(
      new Option(
        '--trust',
        'run a file that is code, such as promptfooconfig.ts, and import what it exports',
      ),
    )
    .addOption(
      new Option(
        '--port-code <folder>',
        'write a stub for each check that is code, with the original code as a comment',
      ),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.import)
    .action(async (file, flags) =>
      exitWith(await (await import('../commands/import.ts')).importCommand(file, flags)),
    );

  addRemoval(program, exitWith);
}

function addRemoval(program: Command, exitWith: ExitWith): void {
  program
    .command('delete')
    .summary('remove runs permanently')
    .description('Removes runs permanently, with all their records. Asks first, unless you pass --yes.')
    .argument('<run...>', 'ids of runs, or their first or last characters')
    .addOption(new Option('-y, --yes', 'do not ask for confirmation'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.delete)
    .action(async (runs, flags) =>
      exitWith(await (await import('../commands/delete.ts')).deleteCommand(runs, flags)),
    );

  program
    .command('erase')
    .summary("erase a person's data, or every record that contains a text")
    .description(
      'Erases the texts of end users, and the texts of every record that contains a given text: cases, answers, judgements, feedback, labels and everything made from them. Traces are removed; scores, verdicts and other numbers are not. Shows what it would erase and asks first, unless you pass --yes.',
    )
    .addOption(
      new Option(
        '--text <text>',
        'the exact text, case-sensitive; - reads one from each line of standard input; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(
      new Option(
        '--user <id>',
        'an end user, by the id that your application uses; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(new Option('--dry-run', 'show what would be erased, and change nothing'))
    .addOption(new Option('-y, --yes', 'do not ask for confirmation'))
    .addOption(new Option('--project <name>', 'on a server: the project (default: main)'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.erase)
    .action(async (flags) => exitWith(await (await import('../commands/erase.ts')).eraseCommand(flags)));

  program
    .command('check')
    .summary('look for damage in the store')
    .description(
      'Looks through the store for records that are damaged or missing, and totals that do not add up.',
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.check)
    .action(async (flags) => exitWith(await (await import('../commands/check.ts')).checkCommand(flags)));
}

/** Adds the command `touchstone completion`. */
export function addCompletion(program: Command, exitWith: ExitWith): void {
  const command = program
    .command('completion')
    .summary('print a completion script for your shell')
    .description('Prints a script that lets your shell complete commands, options, their values and files.');
  command
    .addArgument(command.createArgument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples.completion)
    .action(async (shell) => {
      const { printCompletion } = await import('../completion.ts');
      exitWith(await printCompletion(program, shell));
    });
}
