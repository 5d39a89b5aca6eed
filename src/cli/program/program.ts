import { Command, Option } from 'commander';
import { touchstoneVersion } from '../../core/version.ts';
import { addAb, addCompare, addPrefer, addTrends } from './compare-commands.ts';
import { exitCodes, firstSteps } from './help-sections.ts';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { addArchiveCommands, addCompletion, addRecordCommands } from './record-commands.ts';
import { addCalibrate, addFeedback, addLabels, addPredict, addReview } from './review-commands.ts';
import { addDraft, addInit, addLint, addPlan } from './dataset-commands.ts';
import { addRescore, addRun, addScore, addWorker } from './run-commands.ts';
import { addServer } from './server-commands.ts';
import { addProposals, addPropose, addTraces } from './trace-commands.ts';

/**
 * Creates the whole command line. The code of a command is loaded only when the command is used, so `--help` stays fast.
 * @param exitWith - Receives the exit code of the executed command.
 */
export function createProgram(exitWith: ExitWith): Command {
  const program = new Command('touchstone')
    .description(
      'Evaluates chatbots and tool-using agents: golden questions in, a verdict you can defend out.',
    )
    .version(touchstoneVersion)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', firstSteps + exitCodes);
  program.commandsGroup('Ask and score:');
  addInit(program, exitWith);
  addRun(program, exitWith);
  addScore(program, exitWith);
  addRescore(program, exitWith);
  addWorker(program, exitWith);
  program.commandsGroup('Look:');
  addRecordCommands(program, exitWith);
  addTrends(program, exitWith);
  program.commandsGroup('Compare and decide:');
  addCompare(program, exitWith);
  addAb(program, exitWith);
  addPrefer(program, exitWith);
  addGateCommands(program, exitWith);
  program.commandsGroup('Questions:');
  addLint(program, exitWith);
  addPlan(program, exitWith);
  addDraft(program, exitWith);
  addTraces(program, exitWith);
  addPropose(program, exitWith);
  addProposals(program, exitWith);
  program.commandsGroup('People:');
  addReview(program, exitWith);
  addLabels(program, exitWith);
  addCalibrate(program, exitWith);
  addFeedback(program, exitWith);
  addPredict(program, exitWith);
  program.commandsGroup('Find:');
  addFindCommands(program, exitWith);
  const last = 'Records, other tools, teams:';
  program.commandsGroup(last);
  addArchiveCommands(program, exitWith);
  addServer(program, exitWith);
  addCompletion(program, exitWith);
  program.addHelpCommand(
    new Command('help').argument('[command]').description('print the options of a command').helpGroup(last),
  );
  return program;
}

const runArgument = 'the id of a run, or its first or last characters; or latest, latest~1';

/** Adds the commands that decide on runs: `gate` and `baseline`. */
function addGateCommands(program: Command, exitWith: ExitWith): void {
  program
    .command('gate')
    .summary('apply the gate to a run: pass, fail, inconclusive or not measured')
    .description(
      'Applies the gate to a stored run and prints the decision, with the arithmetic behind every rule. Makes no calls and changes nothing.',
    )
    .argument('[run]', runArgument, 'latest')
    .addOption(
      new Option(
        '--config <config>',
        'config with the gate to apply (default: the gate the run was made with)',
      ),
    )
    .addOption(option.failUnderOption())
    .addOption(option.baselineOption())
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.gate + exitCodes)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/gate.ts')).gateCommand(run, flags)),
    );

  const baseline = program
    .command('baseline')
    .summary('save runs as baselines to compare later runs with')
    .description('Saves runs under a name, as baselines to compare later runs with.')
    .addHelpText('after', examples.baseline);
  addBaselineCommands(baseline, exitWith);
}

function addBaselineCommands(baseline: Command, exitWith: ExitWith): void {
  const load = async () => await import('../commands/baseline.ts');
  baseline
    .command('set')
    .description('Saves a run as a baseline, and replaces any earlier baseline of that name.')
    .argument('<name>', 'such as main')
    .argument('[run]', runArgument, 'latest')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (name, run, flags) => exitWith(await (await load()).setBaseline(name, run, flags)));
  baseline
    .command('list')
    .description('Lists the baselines of the store.')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  baseline
    .command('remove')
    .description('Removes a baseline, but not the run it was made from.')
    .argument('<name>', 'the name given to `baseline set`')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (name, flags) => exitWith(await (await load()).removeCommand(name, flags)));
  baseline
    .command('export')
    .description('Writes a baseline to a file for your repository, so that CI needs no store.')
    .argument('<name>', 'the name given to `baseline set`')
    .argument('<file>', 'such as baselines/main.json')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (name, file, flags) => exitWith(await (await load()).exportCommand(name, file, flags)));
}

/** The commands that list what a config can name, each with its summary. */
const lists: readonly (readonly [command: string, summary: string])[] = [
  ['metrics', 'find a metric: what it checks, what it needs, an example'],
  ['targets', 'find the kind of target that your bot is'],
  ['models', 'find a provider of models'],
  ['judges', 'find a judge'],
  ['scorecards', 'find a scorecard'],
  ['users', 'find a simulated or scripted user'],
];

/** Adds `touchstone metrics`, `targets`, `models`, `judges`, `scorecards`, `users` and `docs`. */
function addFindCommands(program: Command, exitWith: ExitWith): void {
  for (const [name, summary] of lists) addList(program, exitWith, { name, summary });
  program
    .command('docs')
    .summary('search this documentation, without a network')
    .description(
      'Finds sections of the documentation that came with this version. Without words: lists its pages.',
    )
    .argument('[word...]', 'what you want to know: how many questions')
    .addOption(new Option('--page <name>', 'print a page, such as gate or guides/cost'))
    .addOption(option.jsonOption())
    .addHelpText('after', examples.docs)
    .action(async (words, flags) =>
      exitWith(await (await import('../commands/find/docs.ts')).docsCommand(words, flags)),
    );
}

function addList(
  program: Command,
  exitWith: ExitWith,
  { name, summary }: { readonly name: string; readonly summary: string },
): void {
  const command = program
    .command(name)
    .summary(summary)
    .description(
      `Lists the ${name} there are, finds some by what they are for, or describes one by its name.`,
    )
    .argument('[word...]', 'a name, or what you want to check, in your own words')
    .addOption(option.jsonOption());
  if (name === 'metrics') {
    command
      .addOption(
        new Option(
          '--reads <expectation>',
          'only metrics that read this expectation of a case, such as documents',
        ),
      )
      .addOption(new Option('--no-judge', 'only metrics that work without a judge'))
      .addHelpText('after', examples.metrics);
  }
  command.action(async (words, flags) =>
    exitWith(await (await import('../commands/find/definitions.ts')).definitionsCommand(name, words, flags)),
  );
}
