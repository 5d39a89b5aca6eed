import { type Command, Option } from 'commander';
import { examples, exitCodes } from '../help-texts.ts';
import * as option from '../options.ts';
import { weights, wholeNumber } from '../parse-option.ts';
import type { ExitWith } from './exit-with.ts';

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
    .action(async (run, flags) => exitWith(await (await import('../rescore.ts')).rescoreCommand(run, flags)));
}
