import * as option from './options.ts';
import { type Command, Option } from 'commander';
import { proposalStates } from '../../core/schema/proposal/kept-proposal.ts';
import { pickReasons } from '../../core/schema/proposal/pick-reason.ts';
import type { ExitWith } from './options.ts';
import { gather, share, wholeNumber } from './parse-option.ts';

/** Adds the command `touchstone traces` with its own commands. */
export function addTraces(program: Command, exitWith: ExitWith): void {
  const traces = program
    .command('traces')
    .summary('import production traces, to propose cases from them')
    .description('Stores and shows production traces: what users asked, and what the bot did to answer.')
    .addHelpText('after', traceExamples.traces);
  const load = async () => await import('../commands/traces/traces.ts');
  traces
    .command('import')
    .description('Adds the traces in an OTLP JSON file, redacted, and skips spans that are already stored.')
    .argument('<file>', 'a file of traces; `-` is standard input')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).importCommand(file, flags)));
  traces
    .command('list')
    .description('Lists the newest traces.')
    .addOption(
      new Option('--limit <n>', 'list at most this many traces').argParser(wholeNumber(1)).default(50),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  traces
    .command('show')
    .description('Prints a trace with its feedback, the cases made from it, and how later runs did on them.')
    .argument('<trace>', 'the id of a trace, or its first characters')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (id, flags) => exitWith(await (await load()).showCommand(id, flags)));
  traces
    .command('forget')
    .description(
      'Erases traces and the proposals made from them, and lists the lines of golden sets with cases made from them.',
    )
    .addOption(new Option('--trace <id>', 'a trace; may be repeated').argParser<string[]>(gather))
    .addOption(
      new Option('--user <id>', 'a user, by the id in the traces; may be repeated').argParser<string[]>(
        gather,
      ),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).forgetCommand(flags)));
}

/** Adds the command `touchstone propose`. */
export function addPropose(program: Command, exitWith: ExitWith): void {
  const propose = program
    .command('propose')
    .summary('turn interesting traces into case proposals')
    .description(
      'Picks stored traces by feedback, errors, cost, how unlike the golden set they are, and at random, and proposes a case from each, for a person to approve.',
    )
    .addHelpText('after', traceExamples.propose);
  for (const each of proposeOptions()) propose.addOption(each);
  propose.action(async (flags) =>
    exitWith(await (await import('../commands/proposals/propose.ts')).proposeCommand(flags)),
  );
}

function proposeOptions(): Option[] {
  return [
    datasetOption(),
    new Option('--reason <reasons...>', 'pick only for these reasons').choices(pickReasons),
    new Option('--trace <id>', 'propose a case from this trace; may be repeated').argParser<string[]>(gather),
    new Option('--limit <n>', 'propose at most this many cases').argParser(wholeNumber(1)).default(50),
    new Option('--random <share>', 'the share of traces to pick at random')
      .argParser(share)
      .default(0.01, '1%'),
    new Option(
      '--seed <n>',
      'the seed of the random picks (default: a random one, which is printed)',
    ).argParser(wholeNumber(0)),
    new Option(
      '--unlike <share>',
      'for the reason "unlike": the share of words missing from the nearest case',
    )
      .argParser(share)
      .default(0.8, '80%'),
    new Option('--by <name>', 'who proposes, and so may not approve (default: the name in git)'),
    new Option('--dry-run', 'print what would be proposed, and store nothing'),
    configOption(),
    option.jsonOption(),
    option.storeOption(),
  ];
}

function datasetOption(): Option {
  return new Option('--dataset <file>', "the golden set, which may be a new file (default: the config's)");
}

function configOption(): Option {
  return new Option('--config <config>', 'the config of the golden set (default: the one in this folder)');
}

/** Adds the command `touchstone proposals` with its own commands. */
export function addProposals(program: Command, exitWith: ExitWith): void {
  const proposals = program
    .command('proposals')
    .summary('approve or reject proposed cases, and write the approved ones to a golden set')
    .description(
      'Shows proposed cases, approves or rejects them, and writes the approved ones to a golden set. The Proposals page of `touchstone view` does the same with keyboard shortcuts.',
    )
    .addHelpText('after', traceExamples.proposals);
  const load = async () => await import('../commands/proposals/proposals.ts');
  proposals
    .command('list')
    .description('Lists proposals, the oldest first.')
    .addOption(new Option('--state <state>', 'only proposals in this state').choices(proposalStates))
    .addOption(new Option('--dataset <file>', 'only proposals for this golden set'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  proposals
    .command('show')
    .description(
      'Prints a proposal: its case, its expectations with the evidence for them, and what lint finds.',
    )
    .argument('<proposal>', proposalArgument)
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (id, flags) => exitWith(await (await load()).showCommand(id, flags)));
  const decide = proposals
    .command('decide')
    .description('Approves or rejects a proposal, or undoes the decision.')
    .argument('<proposal>', proposalArgument);
  for (const each of decideOptions()) decide.addOption(each);
  decide.action(async (id, flags) => exitWith(await (await load()).decideCommand(id, flags)));
  const write = proposals
    .command('export')
    .description(
      'Appends approved cases to a golden set of JSON Lines, each once, and checks them with lint.',
    )
    .argument('[file]', "the golden set, which may be a new file (default: the config's)");
  for (const each of exportOptions()) write.addOption(each);
  write.action(async (file, flags) => exitWith(await (await load()).exportCommand(file, flags)));
}

const proposalArgument = 'the id of a proposal, or its first or last characters';

function decideOptions(): Option[] {
  return [
    new Option('--approve', 'approve it'),
    new Option(
      '--tick <numbers>',
      'with --approve: the numbers of the expectations to add to the case, or all, or none',
    ).default('none'),
    new Option('--case <file>', 'with --approve: the case as edited, as JSON, without expectations'),
    new Option('--reject', 'reject it'),
    new Option('--undo', 'undo the decision'),
    new Option('--note <text>', 'a note'),
    new Option('--by <name>', 'who decides (default: the name in git)'),
    allowOwnOption(),
    option.jsonOption(),
    option.storeOption(),
  ];
}

/** Returns the option by which people may approve their own proposals. */
export function allowOwnOption(): Option {
  return new Option('--allow-own', 'let people approve their own proposals');
}

function exportOptions(): Option[] {
  return [
    new Option('--patch', 'print a patch for `git apply` instead of writing the file'),
    new Option('--dry-run', 'print what would be written, and write nothing'),
    new Option(
      '--held-out <share>',
      'the share of new cases to hold out, by the hash of their questions',
    ).argParser(share),
    new Option('--held-out-file <file>', 'the file for the cases that are held out'),
    configOption(),
    option.jsonOption(),
    option.storeOption(),
  ];
}

/** The examples of the commands about traces and proposals. */
const traceExamples = {
  traces: `
Examples:
  $ touchstone view --ingest                      a server on this machine that takes traces (OTLP)
  $ touchstone traces import spans.json           skips spans that are stored already
  $ touchstone traces show 5b8eff                 its answer, feedback and cases, and later runs
  $ touchstone traces forget --user u-17          erases, and lists the cases made from them

What is stored, and for how long: docs/traces.md.`,
  propose: `
Examples:
  $ touchstone propose --dry-run                  what would be proposed, and why
  $ touchstone propose --seed 7 --random 2%       the same draw again
  $ touchstone propose --reason escalated negative-feedback
  $ touchstone propose --trace 5b8efff798038103d269b633813fc60c --dataset golden.jsonl

More: docs/traces.md.`,
  proposals: `
Examples:
  $ touchstone proposals list --state open
  $ touchstone proposals show 1f2e                the expectations have numbers
  $ touchstone proposals decide 1f2e --approve --tick 1,3
  $ touchstone proposals export golden.jsonl      the approved cases, each once
  $ touchstone proposals export --patch | git apply

Exit codes: 0 done; 2 a case could not be written. More: docs/traces.md.`,
};
