import { type Command, Option } from 'commander';
import { examples, exitCodes } from '../help-texts.ts';
import * as option from '../options.ts';
import type { ExitWith } from './exit-with.ts';

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
    .action(async (file, flags) => exitWith(await (await import('../score.ts')).scoreCommand(file, flags)));
}
