import { type Command, Option } from 'commander';
import { examples, exitCodes } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { amount, caseRule, duration, gather, percentage, weights, wholeNumber } from './parse-option.ts';

const formats = ['jsonl', 'json', 'csv', 'xlsx', 'yaml'];

/** `touchstone run`. */
export function addRun(program: Command, exitWith: ExitWith): void {
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
    .addOption(new Option('--dataset-format <format>', 'when the file name does not say it').choices(formats))
    .addOption(option.metadataOption())
    .addOption(option.skipDuplicatesOption())
    .addOption(new Option('--target <name...>', 'only these targets of the config'))
    .addOption(
      new Option('--attempts <k>', 'how often each target tries each case').argParser(wholeNumber(1)),
    )
    .addOption(
      new Option('--passes <c of k>', 'a case passes when so many of its attempts do: "4 of 5"').argParser(
        caseRule,
      ),
    )
    .addOption(new Option('--no-curtail', 'try a case again though its verdict cannot change'))
    .addOption(
      new Option(
        '--judge-samples <k>',
        'judge each answer k times, to tell the noise of the judge',
      ).argParser(wholeNumber(1)),
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
        'most that targets, judges and users may cost; --resume with a higher one goes on',
      ).argParser(amount),
    )
    .addOption(
      new Option('--max-time <duration>', 'start nothing new after 30min, 2h …; --resume goes on').argParser(
        duration,
      ),
    )
    .addOption(option.failUnderOption())
    .addOption(option.baselineOption())
    .addOption(option.sequentialOption())
    .addOption(option.noSequentialOption())
    .addOption(
      new Option(
        '--resume [run]',
        'go on with an interrupted run: the last one, or the one named; kept answers stay',
      ),
    )
    .addOption(option.noCacheOption())
    .addOption(new Option('--dry-run', 'say what would be called, and call nothing'))
    .addOption(option.otelOption())
    .addOption(option.otelContentOption())
    .addOption(option.verboseOption())
    .addOption(option.methodsOption())
    .addOption(option.outputOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.run + exitCodes)
    .action(async (config, { evalSet, ...flags }) => {
      const dataset = flags.dataset ?? evalSet;
      exitWith(await (await import('../commands/run.ts')).runCommand(config, { ...flags, dataset }));
    });
}

/** `touchstone rescore`. */
export function addRescore(program: Command, exitWith: ExitWith): void {
  program
    .command('rescore')
    .summary('score stored answers anew; calls no target')
    .description(
      'Scores the stored answers of a run by the metrics, scorecard, judge and gate of the config, as a run of its own. With --weights, says what other weights would make of it.',
    )
    .argument('[run]', 'its id, the beginning or end of it, latest or latest~1', 'latest')
    .addOption(new Option('--config <config>', 'config whose rules to use (default: the one in this folder)'))
    .addOption(
      new Option(
        '--weights <name=weight,...>',
        'show which answers would flip under these weights; the other criteria share the rest',
      ).argParser<ReadonlyMap<string, number>>(weights),
    )
    .addOption(new Option('--keep', 'with --weights: keep the result as a run'))
    .addOption(
      new Option(
        '--judge-samples <k>',
        'judge each answer k times, to tell the noise of the judge',
      ).argParser(wholeNumber(1)),
    )
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

/** `touchstone score`. */
export function addScore(program: Command, exitWith: ExitWith): void {
  program
    .command('score')
    .summary('score recorded answers; calls no target')
    .description('Scores recorded answers: no target is called; metrics with a judge ask the judge.')
    .argument('<file>', 'rows with question, expectations and answer; or only answers, with --dataset')
    .addOption(option.datasetOption('golden set, when the file holds only answers'))
    .addOption(option.metadataOption())
    .addOption(new Option('--config <config>', 'config whose scorecard, metrics and gate to use'))
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

/** `touchstone plan`. */
export function addPlan(program: Command, exitWith: ExitWith): void {
  program
    .command('plan')
    .summary('how many questions a difference takes')
    .description(
      'Says how many questions and attempts it takes to see a difference between two versions, from what a past run shows.',
    )
    .argument('[run]', 'its id, the beginning or end of it, latest or latest~1', 'latest')
    .addOption(
      new Option('--difference <points>', 'the difference to see, in per cent points')
        .argParser(percentage)
        .default(5),
    )
    .addOption(
      new Option('--power <percent>', 'the chance to see it, if it is there')
        .argParser(percentage)
        .default(80),
    )
    .addOption(new Option('--target <name...>', 'the two targets to tell apart, or one'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.plan)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/plan.ts')).planCommand(run, flags)),
    );
}
