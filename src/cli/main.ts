import { Command, CommanderError, Option } from 'commander';
import { touchstoneVersion } from '../version.ts';
import { amount, gather, percentage, wholeNumber } from './parse-option.ts';
import { printError } from './print-error.ts';

const wrongUsage = 4;

const program = new Command('touchstone')
  .description('Evaluates chatbots and tool-using agents: golden questions in, a verdict you can defend out.')
  .version(touchstoneVersion)
  .enablePositionalOptions()
  .showHelpAfterError('(touchstone --help shows what there is)')
  .addHelpText(
    'after',
    `
First steps:
  $ touchstone init my-eval        lays out a config, ten questions and a bot
  $ cd my-eval && touchstone run   asks them, scores the answers, prints the report
  $ touchstone show --verbose      every question, answer and verdict of the last run

Exit codes: 0 pass · 1 gate failed · 2 not measured · 3 inconclusive · 4 wrong usage or configuration · 130 interrupted`,
  );

const storeOption = () =>
  new Option('--store <folder>', "folder that keeps the runs (default: the config's, or .touchstone)");
const jsonOption = () => new Option('--json', 'print one JSON document; messages go to standard error');
const verboseOption = () =>
  new Option('-v, --verbose', 'show question, answer, tools and every verdict of each case');
const outputOption = () =>
  new Option(
    '-o, --output <file>',
    'also write the report to a .json or .md file; may be repeated',
  ).argParser<string[]>(gather);
const filterOption = () =>
  new Option(
    '--filter <expr>',
    'only some cases: category=hybrid, id=tax-*, tag!=slow; may be repeated',
  ).argParser<string[]>(gather);
const limitOption = () => new Option('--limit <n>', 'only the first n cases').argParser(wholeNumber(1));
const failUnderOption = () =>
  new Option('--fail-under <percent>', 'exit with 1 when the overall score is lower').argParser(percentage);

program
  .command('init')
  .summary('lay out a config, a dataset and a bot to start from')
  .description('Lays out a config, a golden set and a bot to start from. Overwrites nothing.')
  .argument('[folder]', 'where to; created when it is not there', '.')
  .addOption(
    new Option('--target <kind>', 'what your bot is')
      .choices(['module', 'command', 'http'])
      .default('module'),
  )
  .addOption(jsonOption())
  .action(async (folder, flags) => exitWith(await (await import('./init.ts')).initCommand(folder, flags)));

program
  .command('run')
  .summary('ask the questions, score the answers, print the report')
  .description(
    'Asks every question of the golden set, records and scores the answers, prints the report, applies the gate.',
  )
  .argument('[config]', 'a config file, or a folder with one (default: this folder)')
  .addOption(
    new Option('--dataset <file>', 'golden set in place of the config’s; `-` is standard input').argParser<
      string[]
    >(gather),
  )
  .addOption(new Option('--eval-set <file>', 'the same as --dataset').argParser<string[]>(gather).hideHelp())
  .addOption(
    new Option('--dataset-format <format>', 'when the file name does not say it').choices([
      'jsonl',
      'json',
      'csv',
      'yaml',
    ]),
  )
  .addOption(new Option('--target <name...>', 'only these targets of the config'))
  .addOption(new Option('--attempts <k>', 'how often each target tries each case').argParser(wholeNumber(1)))
  .addOption(filterOption())
  .addOption(limitOption())
  .addOption(new Option('--concurrency <n>', 'trials in flight for each target').argParser(wholeNumber(1)))
  .addOption(new Option('--time-limit <ms>', 'most milliseconds for one call').argParser(wholeNumber(1)))
  .addOption(new Option('--max-cost <usd>', 'stop when the answers have cost this much').argParser(amount))
  .addOption(failUnderOption())
  .addOption(new Option('--resume [run]', 'go on with an interrupted run: the last one, or the one named'))
  .addOption(new Option('--dry-run', 'say what would be called, and call nothing'))
  .addOption(verboseOption())
  .addOption(outputOption())
  .addOption(jsonOption())
  .addOption(storeOption())
  .addHelpText(
    'after',
    `
Examples:
  $ touchstone run                                   the config in this folder
  $ touchstone run examples/python-bot --verbose     the config in another
  $ touchstone run --dataset new.csv --limit 20      other questions, the first 20
  $ touchstone run --attempts 5 --filter category=hybrid
  $ touchstone run --fail-under 85 --output report.md
  $ touchstone run --resume                          after Ctrl-C or a crash: only what is missing`,
  )
  .action(async (config, { evalSet, ...flags }) => {
    const dataset = flags.dataset ?? evalSet;
    exitWith(await (await import('./run.ts')).runCommand(config, { ...flags, dataset }));
  });

program
  .command('score')
  .summary('score recorded answers; calls nothing')
  .description('Scores recorded answers without calling anything: no target, no key.')
  .argument('<file>', 'rows with question, expectations and answer; or only answers, with --dataset')
  .addOption(
    new Option('--dataset <file>', 'golden set, when the file holds only answers').argParser<string[]>(
      gather,
    ),
  )
  .addOption(new Option('--config <config>', 'config whose scorecard, metrics and gate to use'))
  .addOption(filterOption())
  .addOption(limitOption())
  .addOption(failUnderOption())
  .addOption(verboseOption())
  .addOption(outputOption())
  .addOption(jsonOption())
  .addOption(storeOption())
  .action(async (file, flags) => exitWith(await (await import('./score.ts')).scoreCommand(file, flags)));

program
  .command('runs')
  .summary('list the runs that are kept')
  .description('Lists the runs that are kept, the newest first.')
  .addOption(new Option('--limit <n>', 'only the newest n').argParser(wholeNumber(1)))
  .addOption(jsonOption())
  .addOption(storeOption())
  .action(async (flags) => exitWith(await (await import('./runs.ts')).runsCommand(flags)));

program
  .command('show')
  .summary('print the report of a run again')
  .description('Prints the report of a run that is kept.')
  .argument('[run]', 'its id, the beginning or end of it, or latest', 'latest')
  .addOption(filterOption())
  .addOption(verboseOption())
  .addOption(outputOption())
  .addOption(jsonOption())
  .addOption(storeOption())
  .action(async (run, flags) => exitWith(await (await import('./show.ts')).showCommand(run, flags)));

program
  .command('export')
  .summary('write a whole run as JSONL')
  .description('Writes a whole run as JSONL, without loss, to standard output or a file.')
  .argument('[run]', 'its id, the beginning or end of it, or latest', 'latest')
  .addOption(new Option('-o, --output <file>', 'the file to write (default: standard output)'))
  .addOption(storeOption())
  .action(async (run, flags) => exitWith(await (await import('./export.ts')).exportCommand(run, flags)));

program
  .command('import')
  .summary('add an exported run to the store')
  .description('Adds a run that `touchstone export` wrote to the store.')
  .argument('<file>', 'the JSONL file; `-` is standard input')
  .addOption(jsonOption())
  .addOption(storeOption())
  .action(async (file, flags) => exitWith(await (await import('./import.ts')).importCommand(file, flags)));

program
  .command('delete')
  .summary('remove runs for good')
  .description('Removes runs with all that belongs to them, for good.')
  .argument('<run...>', 'their ids')
  .addOption(new Option('-y, --yes', 'do not ask'))
  .addOption(jsonOption())
  .addOption(storeOption())
  .action(async (runs, flags) => exitWith(await (await import('./delete.ts')).deleteCommand(runs, flags)));

function exitWith(exitCode: number): void {
  process.exitCode = exitCode;
}

for (const command of program.commands) command.exitOverride();
program.exitOverride();

try {
  await program.parseAsync();
} catch (error) {
  const isUsage = error instanceof CommanderError;
  process.exitCode = isUsage
    ? error.exitCode === 0
      ? 0
      : wrongUsage
    : printError(error, process.argv.includes('--json'));
}
// A target may have left timers or sockets behind: the command is over when its result is out.
process.exit();
