import { Command, Option } from 'commander';
import { touchstoneVersion } from '../version.ts';
import { examples, exitCodes, firstSteps } from './help-texts.ts';
import * as option from './options.ts';
import { amount, gather, weights, wholeNumber } from './parse-option.ts';

/**
 * The whole command line. Each command is loaded when it is used, so that `--help` costs little.
 * @param exitWith - Told the exit code of the command that was run.
 */
export function createProgram(exitWith: (exitCode: number) => void): Command {
  const program = new Command('touchstone')
    .description(
      'Evaluates chatbots and tool-using agents: golden questions in, a verdict you can defend out.',
    )
    .version(touchstoneVersion)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', firstSteps + exitCodes);
  addInit(program, exitWith);
  addRun(program, exitWith);
  addScore(program, exitWith);
  addRescore(program, exitWith);
  addRecordCommands(program, exitWith);
  addArchiveCommands(program, exitWith);
  return program;
}

type ExitWith = Parameters<typeof createProgram>[0];

function addInit(program: Command, exitWith: ExitWith): void {
  program
    .command('init')
    .summary('lay out a config, a dataset and a bot to start from')
    .description('Lays out a config, a golden set and a bot to start from. Overwrites nothing.')
    .argument('[folder]', 'where to; created when it is not there', '.')
    .addOption(
      new Option('--target <kind>', 'what your bot is: a function, a program, or an endpoint')
        .choices(['module', 'command', 'http'])
        .default('module'),
    )
    .addOption(option.jsonOption())
    .addHelpText('after', examples.init)
    .action(async (folder, flags) => exitWith(await (await import('./init.ts')).initCommand(folder, flags)));
}

function addRun(program: Command, exitWith: ExitWith): void {
  program
    .command('run')
    .summary('ask the questions, score the answers, print the report')
    .description(
      'Asks every question of the golden set, records and scores the answers, prints the report, applies the gate.',
    )
    .argument('[config]', 'a config file, or a folder with one (default: this folder)')
    .addOption(option.datasetOption("golden set in place of the config's; `-` is standard input"))
    .addOption(
      new Option('--eval-set <file>', 'the same as --dataset').argParser<string[]>(gather).hideHelp(),
    )
    .addOption(
      new Option('--dataset-format <format>', 'when the file name does not say it').choices([
        'jsonl',
        'json',
        'csv',
        'yaml',
      ]),
    )
    .addOption(new Option('--target <name...>', 'only these targets of the config'))
    .addOption(
      new Option('--attempts <k>', 'how often each target tries each case').argParser(wholeNumber(1)),
    )
    .addOption(option.faultsOption())
    .addOption(option.perturbOption())
    .addOption(option.filterOption())
    .addOption(option.limitOption())
    .addOption(new Option('--concurrency <n>', 'trials in flight for each target').argParser(wholeNumber(1)))
    .addOption(new Option('--time-limit <ms>', 'most milliseconds for one call').argParser(wholeNumber(1)))
    .addOption(
      new Option(
        '--max-cost <usd>',
        'stop once the answers of the run have cost this much; --resume with a higher one goes on',
      ).argParser(amount),
    )
    .addOption(option.failUnderOption())
    .addOption(
      new Option(
        '--resume [run]',
        'go on with an interrupted run: the last one, or the one named; kept answers stay',
      ),
    )
    .addOption(option.noCacheOption())
    .addOption(new Option('--dry-run', 'say what would be called, and call nothing'))
    .addOption(option.verboseOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.run + exitCodes)
    .action(async (config, { evalSet, ...flags }) => {
      const dataset = flags.dataset ?? evalSet;
      exitWith(await (await import('./run.ts')).runCommand(config, { ...flags, dataset }));
    });
}

function addScore(program: Command, exitWith: ExitWith): void {
  program
    .command('score')
    .summary('score recorded answers; calls no target')
    .description('Scores recorded answers: no target is called; metrics with a judge ask the judge.')
    .argument('<file>', 'rows with question, expectations and answer; or only answers, with --dataset')
    .addOption(option.datasetOption('golden set, when the file holds only answers'))
    .addOption(new Option('--config <config>', 'config whose scorecard, metrics and gate to use'))
    .addOption(option.filterOption())
    .addOption(option.limitOption())
    .addOption(option.noCacheOption())
    .addOption(option.failUnderOption())
    .addOption(option.verboseOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.score + exitCodes)
    .action(async (file, flags) => exitWith(await (await import('./score.ts')).scoreCommand(file, flags)));
}

function addRescore(program: Command, exitWith: ExitWith): void {
  program
    .command('rescore')
    .summary('score stored answers anew; calls no target')
    .description(
      'Scores the stored answers of a run by the metrics, scorecard, judge and gate of the config, as a run of its own. With --weights, says what other weights would make of it.',
    )
    .argument('[run]', 'its id, the beginning or end of it, or latest', 'latest')
    .addOption(new Option('--config <config>', 'config whose rules to use (default: the one in this folder)'))
    .addOption(
      new Option(
        '--weights <name=weight,...>',
        'show which answers would flip under these weights; the other criteria share the rest',
      ).argParser<ReadonlyMap<string, number>>(weights),
    )
    .addOption(new Option('--keep', 'with --weights: keep the result as a run'))
    .addOption(option.noCacheOption())
    .addOption(option.failUnderOption())
    .addOption(option.verboseOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.rescore + exitCodes)
    .action(async (run, flags) => exitWith(await (await import('./rescore.ts')).rescoreCommand(run, flags)));
}

function addRecordCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('runs')
    .summary('list the runs that are kept')
    .description('Lists the runs that are kept, the newest first.')
    .addOption(new Option('--limit <n>', 'only the newest n').argParser(wholeNumber(1)))
    .addOption(new Option('--watch', 'show how runs go on, until Ctrl-C'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.runs)
    .action(async (flags) => exitWith(await (await import('./runs.ts')).runsCommand(flags)));

  program
    .command('show')
    .summary('print the report of a run again')
    .description('Prints the report of a run that is kept.')
    .argument('[run]', 'its id, the beginning or end of it, or latest', 'latest')
    .addOption(option.filterOption())
    .addOption(new Option('--failed', 'list only what did not pass'))
    .addOption(
      new Option(
        '--disagreements [kind]',
        'list the answers on which metrics contradict each other, the two verdicts side by side',
      ),
    )
    .addOption(option.verboseOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.show)
    .action(async (run, flags) => exitWith(await (await import('./show.ts')).showCommand(run, flags)));
}

function addArchiveCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('export')
    .summary('write a whole run as JSONL')
    .description('Writes a whole run as JSONL, without loss, to standard output or a file.')
    .argument('[run]', 'its id, the beginning or end of it, or latest', 'latest')
    .addOption(new Option('-o, --output <file>', 'the file to write (default: standard output)'))
    .addOption(option.storeOption())
    .addHelpText('after', examples.export)
    .action(async (run, flags) => exitWith(await (await import('./export.ts')).exportCommand(run, flags)));

  program
    .command('import')
    .summary('add an exported run to the store')
    .description(
      'Adds a run that `touchstone export` wrote to the store: all of it, or nothing when the file is cut short or was changed.',
    )
    .argument('<file>', 'the JSONL file; `-` is standard input')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.import)
    .action(async (file, flags) => exitWith(await (await import('./import.ts')).importCommand(file, flags)));

  program
    .command('delete')
    .summary('remove runs for good')
    .description('Removes runs with all that belongs to them, for good. Asks first, unless --yes.')
    .argument('<run...>', 'their ids, or the beginning or end of them')
    .addOption(new Option('-y, --yes', 'do not ask'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.delete)
    .action(async (runs, flags) => exitWith(await (await import('./delete.ts')).deleteCommand(runs, flags)));
}
