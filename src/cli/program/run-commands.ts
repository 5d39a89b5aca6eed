import { type Command, Option } from 'commander';
import { exitCodes } from './help-sections.ts';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { amount, caseRule, duration, gather, weights, wholeNumber } from './parse-option.ts';

function workersOption() {
  return new Option(
    '--workers <n>',
    'split the trials over n processes, each with the given concurrency: docs/workers.md',
  ).argParser(wholeNumber(1));
}

function queueOption() {
  return new Option(
    '--queue <url>',
    'the queue that hands out work to the workers, redis://… or postgres://… (default: TOUCHSTONE_QUEUE; without a queue, workers look for work in the store)',
  );
}

function spoolOption() {
  return new Option(
    '--spool <folder>',
    'where a worker saves answers while it cannot reach the store (default: .touchstone/spool)',
  );
}

function judgeSamplesOption() {
  return new Option(
    '--judge-samples <k>',
    "judge each answer k times, to measure the judge's noise",
  ).argParser(wholeNumber(1));
}

/** Adds the command `touchstone worker`. */
export function addWorker(program: Command, exitWith: ExitWith): void {
  program
    .command('worker')
    .summary('help with a run that another process has started')
    .description(
      'Joins a run in progress: makes and scores its trials, in the same store, until none are left. Needs the same config and files as the run. The limits of the run apply to all workers together.',
    )
    .argument('[run]', 'the id of a run, or its first or last characters; or latest, latest~1', 'latest')
    .addOption(new Option('--config <file>', 'a config file, or a folder with one (default: this folder)'))
    .addOption(
      new Option('--judge-samples <k>', 'the same number that the run was started with').argParser(
        wholeNumber(1),
      ),
    )
    .addOption(option.noCacheOption())
    .addOption(queueOption())
    .addOption(spoolOption())
    .addOption(
      new Option(
        '--stop-within <duration>',
        'how long to wait for calls in flight after SIGTERM or Ctrl-C, before cancelling them: 10s, 2min … (default: 30s)',
      ).argParser(duration),
    )
    .addOption(
      new Option(
        '--health-port <port>',
        'serve /healthz (alive) and /healthz/ready (evaluates in the same way as the run) on this port',
      ).argParser(wholeNumber(1, 65_535)),
    )
    .addOption(
      new Option(
        '--health-host <address>',
        'the address to serve --health-port on (default: 127.0.0.1, this machine only)',
      ),
    )
    .addOption(option.otelOption())
    .addOption(option.otelContentOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.worker)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/worker.ts')).workerCommand(run, flags)),
    );
}

/** Adds the command `touchstone run`. */
export function addRun(program: Command, exitWith: ExitWith): void {
  program
    .command('run')
    .summary('ask the questions, score the answers, print the report')
    .description(
      'Asks every question of the golden set, records and scores the answers, prints the report and applies the gate.',
    )
    .argument('[config]', 'a config file, or a folder with one (default: this folder)')
    .optionsGroup('What is asked:')
    .addOption(option.datasetOption("golden set to use instead of the config's; `-` is standard input"))
    .addOption(
      new Option('--eval-set <file>', 'the same as --dataset').argParser<string[]>(gather).hideHelp(),
    )
    .addOption(option.datasetFormatOption('--dataset, if its name does not show it'))
    .addOption(option.metadataOption())
    .addOption(option.skipDuplicatesOption())
    .addOption(new Option('--target <name...>', 'only these targets of the config'))
    .addOption(option.filterOption())
    .addOption(option.limitOption())
    .optionsGroup('How often, and under which conditions:')
    .addOption(
      new Option('--attempts <k>', 'how many times each target tries each case').argParser(wholeNumber(1)),
    )
    .addOption(
      new Option('--passes <c of k>', 'attempts that must pass for a case to pass: "4 of 5"').argParser(
        caseRule,
      ),
    )
    .addOption(new Option('--no-curtail', 'make all attempts, even when the verdict can no longer change'))
    .addOption(judgeSamplesOption())
    .addOption(option.faultsOption())
    .addOption(option.perturbOption())
    .optionsGroup('Limits:')
    .addOption(new Option('--concurrency <n>', 'trials in flight for each target').argParser(wholeNumber(1)))
    .addOption(
      new Option('--time-limit <ms>', 'time limit of one call in milliseconds').argParser(wholeNumber(1)),
    )
    .addOption(
      new Option(
        '--max-cost <usd>',
        'cost limit for targets, judges and simulated users; to continue, use --resume with a higher limit',
      ).argParser(amount),
    )
    .addOption(
      new Option(
        '--max-time <duration>',
        'start no new trial after 30min, 2h …; --resume continues',
      ).argParser(duration),
    )
    .optionsGroup('The decision:')
    .addOption(option.failUnderOption())
    .addOption(option.baselineOption())
    .addOption(option.sequentialOption())
    .addOption(option.noSequentialOption())
    .optionsGroup('The run:')
    .addOption(option.resumeOption())
    .addOption(option.noCacheOption())
    .addOption(new Option('--dry-run', 'show what would be called, and call nothing'))
    .addOption(workersOption())
    .addOption(queueOption())
    .addOption(spoolOption())
    .addOption(option.viewOption())
    .addOption(option.watchOption())
    .addOption(option.otelOption())
    .addOption(option.otelContentOption())
    .addOption(option.storeOption())
    .optionsGroup('The report:')
    .addOption(option.verboseOption())
    .addOption(option.methodsOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addHelpText('after', examples.run + exitCodes)
    .action(async (config, { evalSet, ...flags }) => {
      const runFlags = { ...flags, dataset: flags.dataset ?? evalSet };
      if (runFlags.watch === true)
        exitWith(await (await import('../commands/watch-run.ts')).watchRun(config, runFlags));
      else exitWith(await (await import('../commands/run.ts')).runCommand(config, runFlags));
    });
}

/** Adds the command `touchstone rescore`. */
export function addRescore(program: Command, exitWith: ExitWith): void {
  program
    .command('rescore')
    .summary('score stored answers again; calls no target')
    .description(
      'Scores the stored answers of a run with the metrics, scorecard, judge and gate of the config, and stores the result as a new run. With --weights, shows what other weights would change.',
    )
    .argument('[run]', 'the id of a run, or its first or last characters; or latest, latest~1', 'latest')
    .addOption(
      new Option('--config <config>', 'config with the rules to use (default: the one in this folder)'),
    )
    .addOption(
      new Option(
        '--weights <name=weight,...>',
        'show which answers would flip under these weights; the other criteria share the rest',
      ).argParser<ReadonlyMap<string, number>>(weights),
    )
    .addOption(new Option('--keep', 'with --weights: store the result as a run'))
    .addOption(judgeSamplesOption())
    .addOption(option.noCacheOption())
    .addOption(option.failUnderOption())
    .addOption(option.baselineOption())
    .addOption(option.verboseOption())
    .addOption(option.methodsOption())
    .addOption(option.outputOption())
    .addOption(option.otelOption())
    .addOption(option.otelContentOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.rescore + exitCodes)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/rescore.ts')).rescoreCommand(run, flags)),
    );
}

/** Adds the command `touchstone score`. */
export function addScore(program: Command, exitWith: ExitWith): void {
  program
    .command('score')
    .summary('score recorded answers; calls no target')
    .description('Scores recorded answers. Calls no target; metrics that need a judge call it.')
    .argument('<file>', 'a file with questions, expectations and answers; or only answers, with --dataset')
    .addOption(option.datasetOption('golden set, if the file has only answers'))
    .addOption(option.metadataOption())
    .addOption(new Option('--config <config>', 'config with the scorecard, metrics and gate to use'))
    .addOption(option.filterOption())
    .addOption(option.limitOption())
    .addOption(option.noCacheOption())
    .addOption(option.failUnderOption())
    .addOption(option.baselineOption())
    .addOption(option.verboseOption())
    .addOption(option.methodsOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.score + exitCodes)
    .action(async (file, flags) =>
      exitWith(await (await import('../commands/score.ts')).scoreCommand(file, flags)),
    );
}
