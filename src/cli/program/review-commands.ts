import { type Command, Option } from 'commander';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { coefficient, gather, percentage, wholeNumber } from './parse-option.ts';

const taskArgument = 'its id, the beginning or end of it, or latest';

/** Adds the command `touchstone review` with its own commands. */
export function addReview(program: Command, exitWith: ExitWith): void {
  const review = program
    .command('review')
    .summary('have people label answers, with a draw that estimates can use')
    .description('Plans, opens and shows review tasks: answers of a run that people label by a rubric.')
    .addHelpText('after', examples.review);
  const load = async () => await import('../commands/review/review.ts');
  const create = review
    .command('create')
    .description('Draws answers of a run to be labelled, prints the plan, and stores it as a review task.');
  for (const each of [...drawOptions(), ...peopleOptions()]) create.addOption(each);
  create.action(async (flags) => exitWith(await (await load()).createCommand(flags)));
  review
    .command('open')
    .description(
      'Opens the page on which people label the answers of a review task in the browser, until Ctrl-C. Only this machine is served, and only to those who have the printed address.',
    )
    .argument('[task]', taskArgument, 'latest')
    .addOption(option.portOption())
    .addOption(option.noOpenOption())
    .addOption(option.storeOption())
    .action(async (task, flags) =>
      exitWith(await (await import('../commands/review/review-open.ts')).reviewOpenCommand(task, flags)),
    );
  review
    .command('list')
    .description('Lists the review tasks with their progress, the newest first.')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  review
    .command('show')
    .description('Prints the progress of a review task: states, people, agreement and disputes.')
    .argument('[task]', taskArgument, 'latest')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (task, flags) => exitWith(await (await load()).showCommand(task, flags)));
  addClose(review, exitWith);
}

/** Adds the command that ends a review task. */
function addClose(review: Command, exitWith: ExitWith): void {
  review
    .command('close')
    .description('Ends a review task, which then takes no more labels. Its labels stay and count.')
    .argument('<task>', taskArgument)
    .addOption(new Option('--reopen', 'open it again'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (task, flags) =>
      exitWith(await (await import('../commands/review/review.ts')).closeCommand(task, flags)),
    );
}

/** Returns the options on what is drawn, and from where. */
function drawOptions(): Option[] {
  return [
    new Option(
      '--rubric <name|file>',
      'a rubric of the config, or a file with one; may be repeated; needed except with --pairs',
    ).argParser<string[]>(gather),
    new Option('--run <run>', 'the run whose answers are labelled (default: latest)'),
    new Option('--pairs <run...>', 'pairs of answers: of two runs, or of one run with several targets'),
    new Option('--target <name>', 'with --pairs: only this target; may be repeated').argParser<string[]>(
      gather,
    ),
    new Option('--labels <n>', 'how many answers to label').argParser(wholeNumber(1)).default(200),
    new Option(
      '--draw <rule>',
      "how they are drawn: by the judge's verdict, half and half (default), by a pilot, … (pairs: random)",
    ).choices(['verdict', 'category', 'neyman', 'uncertainty', 'random', 'every-nth', 'by-hand']),
    new Option('--pilot <task>', 'with --draw neyman: the task whose labels say where more are needed'),
    new Option('--nth <n>', 'with --draw every-nth: draw one of this many answers').argParser(wholeNumber(1)),
    option.filterOption(),
    new Option('--seed <n>', 'the seed of the draw (default: a random one, which is printed)').argParser(
      wholeNumber(0, 4_294_967_295),
    ),
    new Option('--config <config>', 'config that declares the rubrics (default: the one in this folder)'),
  ];
}

/** Returns the options on who labels, and on what the command does. */
function peopleOptions(): Option[] {
  return [
    new Option('--doubled <percent>', 'share of the answers that two people label, such as 20%').argParser(
      percentage,
    ),
    new Option(
      '--overlap <people>',
      'how many people label an answer, or each of the doubled ones',
    ).argParser(wholeNumber(1, 5)),
    new Option('--person <name>', 'who may label (default: everyone); may be repeated').argParser<string[]>(
      gather,
    ),
    new Option(
      '--adjudicator <name>',
      'who may decide disputes (default: everyone); may be repeated',
    ).argParser<string[]>(gather),
    new Option('--due <day>', 'when it should be done, such as 2026-12-31'),
    new Option('--dry-run', 'print the plan and store nothing'),
    new Option('-y, --yes', 'do not ask'),
    option.jsonOption(),
    option.storeOption(),
  ];
}

/** Adds the command `touchstone labels` with its own commands. */
export function addLabels(program: Command, exitWith: ExitWith): void {
  const labels = program
    .command('labels')
    .summary("write people's labels to a file for git, or read them from one")
    .description(
      "Exports and imports people's labels: as JSONL for git without loss, or as tasks of Label Studio or records of Argilla.",
    )
    .addHelpText('after', examples.labels);
  const load = async () => await import('../commands/review/labels.ts');
  const format = () =>
    new Option('--format <format>', 'the form of the file')
      .choices(['jsonl', 'label-studio', 'argilla'])
      .default('jsonl');
  labels
    .command('export')
    .description('Writes rubrics, review tasks and labels to a file.')
    .argument('<file>', 'such as labels.jsonl; `-` is standard output')
    .addOption(format())
    .addOption(new Option('--task <task>', `only of one review task: ${taskArgument}`))
    .addOption(new Option('--salvage', 'of a damaged store: write the intact labels, and list the others'))
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).exportCommand(file, flags)));
  labels
    .command('import')
    .summary('Adds the labels of a file to the store.')
    .description('Adds the labels of a file to the store: all of them, or none if one cannot be used.')
    .argument('<file>', 'such as labels.jsonl; `-` is standard input')
    .addOption(format())
    .addOption(
      new Option(
        '--task <task>',
        `for labels of other tools: the review task whose items they label: ${taskArgument}`,
      ),
    )
    .addOption(
      new Option(
        '--blind',
        'for labels of other tools: you state that people saw no verdict of a judge and no label of others there; without it, these labels count for no certificate',
      ),
    )
    .addOption(new Option('--by <name>', 'with --blind: who states it (default: the name in git)'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).importCommand(file, flags)));
  labels
    .command('same-meaning')
    .summary('States that two versions of a rubric mean the same.')
    .description(
      'States that two versions of a rubric mean the same, so that labels of one count for the other; without versions, lists them.',
    )
    .argument('<rubric>', 'the id of the rubric')
    .argument('[versions...]', 'two versions, or beginnings of them')
    .addOption(new Option('--by <name>', 'who states it (default: the name in git)'))
    .addOption(new Option('--note <text>', 'a remark'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (rubric, versions, flags) =>
      exitWith(await (await load()).sameMeaningCommand(rubric, versions, flags)),
    );
}

/** Adds the command `touchstone calibrate`. */
export function addCalibrate(program: Command, exitWith: ExitWith): void {
  program
    .command('calibrate')
    .summary('compare a judge with people, and certify it')
    .description(
      "Compares the judge of a metric with people's labels: agreement, the corrected pass rate, and every condition of a certificate, which is written only when all are met. Calls nothing.",
    )
    .argument('[run]', 'the run whose pass rate is corrected (default: the run that was labelled)')
    .addOption(new Option('--rubric <id>', 'the rubric whose labels are used').makeOptionMandatory())
    .addOption(new Option('--task <task>', `the review task: ${taskArgument}`))
    .addOption(
      new Option(
        '--least-agreement <number>',
        'the least lower limit of kappa or AC1 that people must reach with each other',
      )
        .argParser(coefficient)
        .default(0.4),
    )
    .addOption(
      new Option('--tuned', 'the judge was tuned on labels: only the half of them for certifying counts'),
    )
    .addOption(new Option('--by <name>', 'who calibrates, for the record (default: the name in git)'))
    .addOption(
      new Option(
        '--history',
        'list earlier calibrations by the rubric, also refused ones; calibrate nothing',
      ),
    )
    .addOption(
      new Option(
        '-o, --output <file>',
        'where to write the certificate (default: calibrations/JUDGE@FINGERPRINT.json)',
      ),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.calibrate)
    .action(async (run, flags) =>
      exitWith(await (await import('../commands/review/calibrate.ts')).calibrateCommand(run, flags)),
    );
}

/** Adds the command `touchstone feedback` with its own commands. */
export function addFeedback(program: Command, exitWith: ExitWith): void {
  const feedback = program
    .command('feedback')
    .summary('what users said of answers, and how many said nothing')
    .description(
      'Stores and summarizes the feedback of users: thumbs, stars, edits, escalations and outcomes.',
    )
    .addHelpText('after', examples.feedback);
  const load = async () => await import('../commands/feedback/feedback.ts');
  feedback
    .command('import')
    .description('Adds the feedback of a JSONL file. What is stored already is left out.')
    .argument('<file>', 'the JSONL file; `-` is standard input')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).importCommand(file, flags)));
  feedback
    .command('export')
    .description('Writes all feedback to a JSONL file, which an import reads without loss.')
    .argument('<file>', 'such as feedback.jsonl; `-` is standard output')
    .addOption(new Option('--salvage', 'of a damaged store: write the intact records, and list the others'))
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).exportCommand(file, flags)));
  feedback
    .command('show')
    .description('Summarizes feedback by category and period, with what those may think who said nothing.')
    .addOption(
      new Option('--by <period>', 'the length of the periods')
        .choices(['day', 'week', 'month'])
        .default('week'),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).showCommand(flags)));
  feedback
    .command('list')
    .description('Lists the newest records of feedback with the answers that they are about.')
    .addOption(
      new Option('--limit <n>', 'list at most this many records').argParser(wholeNumber(1)).default(50),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  feedback
    .command('forget-users')
    .description('Removes the key with which users are hashed, so that no hash can be traced to a person.')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).forgetUsersCommand(flags)));
}

/** Adds the command `touchstone predict`. */
export function addPredict(program: Command, exitWith: ExitWith): void {
  program
    .command('predict')
    .summary('whether scores predict what users think of answers')
    .description(
      'Compares scores and verdicts of judges with the thumbs and stars of users: rank correlations, AUC, calibration.',
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.predict)
    .action(async (flags) =>
      exitWith(await (await import('../commands/feedback/predict.ts')).predictCommand(flags)),
    );
}
