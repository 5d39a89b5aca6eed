import { type Command, Option } from 'commander';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { amount, gather, percentage, weights, wholeNumber } from './parse-option.ts';

/** Adds the command `touchstone init`. */
export function addInit(program: Command, exitWith: ExitWith): void {
  program
    .command('init')
    .summary('create a config, a dataset and a bot to start from')
    .description('Creates a config, a golden set and a bot to start from. Overwrites nothing.')
    .argument('[folder]', 'the folder to create them in; created if missing', '.')
    .addOption(
      new Option('--target <kind>', 'what your bot is: a function, a program, or an endpoint')
        .choices(['module', 'command', 'http'])
        .default('module'),
    )
    .addOption(option.jsonOption())
    .addHelpText('after', examples.init)
    .action(async (folder, flags) =>
      exitWith(await (await import('../commands/init.ts')).initCommand(folder, flags)),
    );
}

/** Adds the command `touchstone lint`. */
export function addLint(program: Command, exitWith: ExitWith): void {
  program
    .command('lint')
    .summary('check a dataset before you trust numbers based on it')
    .description(
      'Checks a dataset for duplicates, questions that ask the same thing, expectations that every answer meets or that none can meet, and questions that another file has as well. Makes no calls.',
    )
    .argument('[file...]', "the files to check (default: the config's dataset); `-` is standard input")
    .addOption(
      new Option(
        '--against <file>',
        'a file that must not share a question with the dataset, such as training data; may be repeated',
      ).argParser<string[]>(gather),
    )
    .addOption(
      new Option(
        '--config <config>',
        'config with the metrics that read the dataset (default: the one in this folder)',
      ),
    )
    .addOption(option.datasetFormatOption('the files, if their names do not show it'))
    .addOption(option.metadataOption())
    .addOption(new Option('--skip <rule>', 'turn a rule off; may be repeated').argParser<string[]>(gather))
    .addOption(new Option('--strict', 'exit with 1 for warnings as well'))
    .addOption(new Option('-v, --verbose', 'list every finding, not just the first five of each rule'))
    .addOption(option.jsonOption())
    .addHelpText('after', examples.lint)
    .action(async (files, flags) =>
      exitWith(await (await import('../commands/lint.ts')).lintCommand(files, flags)),
    );
}

/** Adds the command `touchstone plan`. */
export function addPlan(program: Command, exitWith: ExitWith): void {
  program
    .command('plan')
    .summary('work out how many questions you need to see a difference')
    .description(
      'Works out how many questions and attempts you need to see a difference between two versions, from the spread of the scores in a past run.',
    )
    .argument('[run]', 'the id of a run, or its first or last characters; or latest, latest~1', 'latest')
    .addOption(
      new Option('--difference <points>', 'the difference to detect, in percentage points')
        .argParser(percentage)
        .default(5),
    )
    .addOption(
      new Option('--power <percent>', 'the chance of detecting it if it exists')
        .argParser(percentage)
        .default(80),
    )
    .addOption(new Option('--target <name...>', 'the two targets to compare, or one'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.plan)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/plan.ts')).planCommand(run, flags)),
    );
}

/** Adds the command `touchstone draft`. */
export function addDraft(program: Command, exitWith: ExitWith): void {
  program
    .command('draft')
    .summary('draft golden questions from documents or traces, for people to approve')
    .description(
      'Has a model draft golden questions from documents or stored traces, checks each question, and proposes the ones that pass. No question is added to a golden set until a person has approved it.',
    )
    .addOption(
      new Option('--from <path>', 'a folder, or a .md, .txt or .jsonl file; may be repeated; or: traces')
        .argParser<string[]>(gather)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option(
        '--model <model>',
        'the model that drafts and answers: a name, or a file',
      ).makeOptionMandatory(),
    )
    .addOption(
      new Option('--dataset <file>', "the golden set that the questions are for (default: the config's)"),
    )
    .addOption(
      new Option('--count <n>', 'how many questions to draft').argParser(wholeNumber(1, 10_000)).default(20),
    )
    .addOption(
      new Option(
        '--mix <kind=share>',
        'the kinds of question: fact=0.7,unanswerable=0.3; may be repeated',
      ).argParser(weights),
    )
    .addOption(
      new Option(
        '--category <name>',
        'a category to choose from; may be repeated (default: the categories of the golden set)',
      ).argParser<string[]>(gather),
    )
    .addOption(
      new Option('--seed <seed>', 'the seed; a different one drafts different questions (default: 0)'),
    )
    .addOption(
      new Option('--passage <characters>', 'the greatest length of a passage')
        .argParser(wholeNumber(200, 20_000))
        .default(1600),
    )
    .addOption(
      new Option('--concurrency <n>', 'calls at the same time').argParser(wholeNumber(1, 100)).default(4),
    )
    .addOption(new Option('--max-cost <usd>', 'ask nothing more once this is spent').argParser(amount))
    .addOption(new Option('--dry-run', 'print how many calls it takes and what they cost, and ask nothing'))
    .addOption(new Option('--config <config>', 'config of the golden set (default: the one in this folder)'))
    .addOption(
      new Option('-v, --verbose', 'list every question, with the reason why it was proposed or rejected'),
    )
    .addOption(new Option('-o, --output <file>', 'also write every question with its checks to a .json file'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.draft)
    .action(async (flags) => exitWith(await (await import('../commands/draft.ts')).draftCommand(flags)));
}
