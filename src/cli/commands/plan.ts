import { type Command, Option } from 'commander';
import { examples } from '../help-texts.ts';
import * as option from '../options.ts';
import { percentage } from '../parse-option.ts';
import type { ExitWith } from './exit-with.ts';

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
    .action(async (run, flags) => exitWith(await (await import('../plan.ts')).planCommand(run, flags)));
}
