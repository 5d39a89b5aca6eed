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
    .addOption(new Option('--limit <n>', 'only the newest n').argParser(wholeNumber(1)))
    .addOption(new Option('--watch', 'show the progress of active runs until Ctrl-C'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.runs)
    .action(async (flags) => exitWith(await (await import('../commands/runs.ts')).runsCommand(flags)));

  program
    .command('show')
    .summary('print the report of a run again')
    .description('Prints the report of a stored run.')
    .argument('[run]', 'its id, the beginning or end of it, latest or latest~1', 'latest')
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
      'Shows the stored runs in the browser, until Ctrl-C. Only this machine is served, and only the browser that opens the printed address: the address works once.',
    )
    .argument('[run]', 'the run to open: its id, the beginning or end of it, latest or latest~1')
    .addOption(option.portOption())
    .addOption(option.noOpenOption())
    .addOption(
      new Option(
        '--ingest',
        'also take feedback of users and traces, with the token that is printed or TOUCHSTONE_INGEST_TOKEN: docs/traces.md',
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
    .summary('write a whole run as JSONL, or for another tool')
    .description(
      'Writes a whole run as JSONL, without loss, to standard output or a file; or in the form of another tool, and names every part that has no place there. Nothing is sent anywhere.',
    )
    .argument('[run]', 'its id, the beginning or end of it, latest or latest~1', 'latest')
    .addOption(
      new Option(
        '--to <format>',
        'csv, hugging-face, inspect, inspect-json, langfuse, langsmith, otel, parquet or promptfoo; with --dataset: deepeval, inspect, langfuse, langsmith or promptfoo',
      ),
    )
    .addOption(
      new Option('--dataset <files...>', 'with --to: write the cases of these files in place of a run'),
    )
    .addOption(
      new Option(
        '-o, --output <file>',
        'the file or folder to write (default: standard output; with --to, named after the run)',
      ),
    )
    .addOption(new Option('--dry-run', 'with --to: say what becomes of every part, and write nothing'))
    .addOption(option.jsonOption())
    .addOption(new Option('--salvage', 'of a damaged run: write the intact records, and list the others'))
    .addOption(option.storeOption())
    .addHelpText('after', examples.export)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/export.ts')).exportCommand(run, flags)),
    );

  program
    .command('import')
    .summary('add an exported run, or move in from another tool')
    .description(
      'Adds a run that `touchstone export` wrote to the store: all of it, or nothing if the file is truncated or was changed. A file or folder of another tool becomes a project, and its recorded answers a run; every part that has no equivalent is named.',
    )
    .argument('<file>', 'a file or a folder; `-` is an exported run on standard input')
    .addOption(new Option('--from <tool>', 'the tool that wrote it (default: recognised by its content)'))
    .addOption(new Option('--to <folder>', 'the folder of the project (default: named after the file)'))
    .addOption(new Option('--dry-run', 'say what becomes of every part, and write nothing'))
    .addOption(new Option('--force', 'replace files of the project that are there and differ'))
    .addOption(
      new Option(
        '--trust',
        'run a file that is code, such as promptfooconfig.ts, and import what it exports',
      ),
    )
    .addOption(
      new Option('--port-code <folder>', 'write a stub for each check in code, with the code as a comment'),
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
    .description('Removes runs permanently, with all their records. Asks first, unless --yes.')
    .argument('<run...>', 'their ids, or the beginning or end of them')
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.delete)
    .action(async (runs, flags) =>
      exitWith(await (await import('../commands/delete.ts')).deleteCommand(runs, flags)),
    );

  program
    .command('erase')
    .summary('erase the texts of a person, or what holds a text')
    .description(
      'Erases the texts of end users, and of all records that hold a text: cases, answers, judgements, feedback, labels and what was made of them; traces are removed. Scores, verdicts and other numbers stay. Shows what it would erase and asks first, unless --yes.',
    )
    .addOption(
      new Option(
        '--text <text>',
        'an exact text, in the same letters; - for the lines of standard input; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(
      new Option('--user <id>', 'an end user, as the application knows them; may be repeated').argParser<
        string[]
      >(gather),
    )
    .addOption(new Option('--dry-run', 'say what would be erased, and change nothing'))
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(new Option('--project <name>', 'of a server: the project (default: main)'))
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
    .summary('print a script for completion in your shell')
    .description('Prints a script that makes your shell complete commands, options, their values and files.');
  command
    .addArgument(command.createArgument('<shell>', 'your shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', examples.completion)
    .action(async (shell) => {
      const { printCompletion } = await import('../completion.ts');
      exitWith(await printCompletion(program, shell));
    });
}
