import { type Command, Option } from 'commander';
import { examples } from '../help-texts.ts';
import * as option from '../options.ts';
import { gather } from '../parse-option.ts';
import { points } from '../parse-points.ts';
import type { ExitWith } from './exit-with.ts';

/** `touchstone compare`. */
export function addCompare(program: Command, exitWith: ExitWith): void {
  program
    .command('compare')
    .summary('say whether a run is better than another, and how sure that is')
    .description(
      'Holds runs against the first, question by question: better, worse, no visible difference, or not enough data; with every measure, and what flipped. Calls nothing.',
    )
    .argument(
      '<run|file...>',
      'two or more: ids or parts of them, latest, latest~1, baselines, or exported files',
    )
    .addOption(
      new Option(
        '--target <a=b>',
        'which targets belong together, where names differ; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(
      new Option(
        '--fail-on-regression',
        'exit with 1 when B is shown to be worse by more than the margin, 3 when that is open',
      ),
    )
    .addOption(
      new Option('--margin <points>', 'difference that would not matter, in points (default: 5)').argParser(
        points,
      ),
    )
    .addOption(new Option('-v, --verbose', 'show every flipped question and every category'))
    .addOption(
      new Option(
        '-o, --output <file>',
        'also write the comparison to a .md or .json file; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.compare)
    .action(async (runs, flags) =>
      exitWith(await (await import('../compare.ts')).compareCommand(runs, flags)),
    );
}
