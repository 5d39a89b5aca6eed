import { pickReasons } from '../../../core/schema/proposal/pick-reason.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { defineCommand } from '../../program/define-command.ts';
import { flag, parsed, repeated, text } from '../../program/input.ts';
import { share, wholeNumber } from '../../program/parse-option.ts';
import { goldenConfig, json, store } from '../../program/shared-inputs.ts';
import { storeOf } from '../../program/store-of.ts';

/** `touchstone propose`: stored traces that are picked, and a case proposed from each. */
export const propose = defineCommand({
  name: 'propose',
  summary: 'propose questions from interesting traces',
  description:
    'Picks stored traces by feedback, errors, cost, how unlike the golden set they are, and at random, and proposes a question from each, for a person to approve.',
  inputs: {
    dataset: text('<file>', "the golden set, which may be a new file (default: the config's)"),
    reason: text('<reasons...>', 'pick only for these reasons').oneOf(pickReasons),
    trace: repeated('<id>', 'propose a question from this trace; may be repeated'),
    limit: parsed('<n>', 'propose at most this many questions', wholeNumber(1)).default(50),
    random: parsed('<share>', 'the share of traces to pick at random', share).default(0.01, '1%'),
    seed: parsed(
      '<n>',
      'the seed of the random picks (default: a random one, which is printed)',
      wholeNumber(0),
    ),
    unlike: parsed(
      '<share>',
      'for the reason "unlike": the share of words missing from the nearest question',
      share,
    ).default(0.8, '80%'),
    by: text('<name>', 'who proposes, and so may not approve (default: the name in git)'),
    dryRun: flag('print what would be proposed, and store nothing'),
    config: goldenConfig,
    json,
    store,
  },
  help: `
Examples:
  $ touchstone propose --dry-run                  what would be proposed, and why
  $ touchstone propose --seed 7 --random 2%       the same draw again
  $ touchstone propose --reason escalated negative-feedback
  $ touchstone propose --trace 5b8efff798038103d269b633813fc60c --dataset golden.jsonl

More: docs/production.md.`,
  run: async (input, output) => {
    const api = await import('../../../library/api/cases/propose.ts');
    const { withStore, withWritableStore } = await import('../../../library/api/open-store.ts');
    const { readGitPerson } = await import('../../git-person.ts');
    const { describeReport } = await import('../../texts/proposing.ts');
    const { dataset, config, limit, seed, dryRun: isDryRun = false } = input;
    const by = input.by ?? (await readGitPerson(process.cwd()));
    const report = await (isDryRun ? withStore : withWritableStore)(storeOf(input), (opened) =>
      api.propose({
        store: opened,
        isDryRun,
        limit,
        share: input.random,
        distance: input.unlike,
        onNotice: (message) => console.error(`note: ${toTerminalText(message)}`),
        dataset,
        config,
        by,
        seed,
        reasons: input.reason,
        traces: input.trace,
      }),
    );
    return await output.print(input.json, report, () => describeReport(report, isDryRun));
  },
});
