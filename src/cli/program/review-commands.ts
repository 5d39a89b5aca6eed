import { type Command, Option } from 'commander';
import { examples } from './help-texts.ts';
import * as option from './options.ts';
import type { ExitWith } from './options.ts';
import { coefficient, gather, percentage, wholeNumber } from './parse-option.ts';

const taskArgument = 'the id of a task, or its first or last characters; or latest';

/** Adds the command `touchstone review` with its own commands. */
export function addReview(program: Command, exitWith: ExitWith): void {
  const review = program
    .command('review')
    .summary('have people label a sample of answers')
    .description(
      'Plans, opens and shows review tasks: samples of the answers of a run, which people label with a rubric.',
    )
    .addHelpText('after', examples.review);
  const load = async () => await import('../commands/review/review.ts');
  const create = review
    .command('create')
    .description(
      'Draws a sample of answers to label from a run, prints the plan, and stores it as a review task.',
    );
  for (const each of [...drawOptions(), ...peopleOptions()]) create.addOption(each);
  create.action(async (flags) => exitWith(await (await load()).createCommand(flags)));
  review
    .command('open')
    .description(
      'Opens the page in the browser where people label the answers of a review task, until Ctrl-C. Only this machine can open it, and only with the printed address.',
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
    .description('Closes a review task: it takes no more labels, and the labels it has still count.')
    .argument('<task>', taskArgument)
    .addOption(new Option('--reopen', 'reopen the task'))
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
      'a rubric of the config, or a file with one; may be repeated; required unless you pass --pairs',
    ).argParser<string[]>(gather),
    new Option('--run <run>', 'the run with the answers to label (default: latest)'),
    new Option(
      '--pairs <run...>',
      'label pairs of answers, from two runs or from one run with several targets',
    ),
    new Option('--target <name>', 'with --pairs: only this target; may be repeated').argParser<string[]>(
      gather,
    ),
    new Option('--labels <n>', 'how many answers to label').argParser(wholeNumber(1)).default(200),
    new Option(
      '--draw <rule>',
      "how to draw the answers: by the judge's verdict, half and half (default), by a pilot, … (default for pairs: random)",
    ).choices(['verdict', 'category', 'neyman', 'uncertainty', 'random', 'every-nth', 'by-hand']),
    new Option(
      '--pilot <task>',
      'with --draw neyman: the earlier task whose labels show where more are needed',
    ),
    new Option('--nth <n>', 'with --draw every-nth: draw one in n answers').argParser(wholeNumber(1)),
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
      'how many people label each answer; with --doubled, each doubled answer',
    ).argParser(wholeNumber(1, 5)),
    new Option('--person <name>', 'who may label (default: everyone); may be repeated').argParser<string[]>(
      gather,
    ),
    new Option(
      '--adjudicator <name>',
      'who may decide disputes (default: everyone); may be repeated',
    ).argParser<string[]>(gather),
    new Option('--due <day>', 'when the labels are due, such as 2026-12-31'),
    new Option('--dry-run', 'print the plan and store nothing'),
    new Option('-y, --yes', 'do not ask for confirmation'),
    option.jsonOption(),
    option.storeOption(),
  ];
}

/** Adds the command `touchstone labels` with its own commands. */
export function addLabels(program: Command, exitWith: ExitWith): void {
  const labels = program
    .command('labels')
    .summary("export people's labels to a file for git, or import them")
    .description(
      "Exports and imports people's labels: as JSONL for git, without loss, or as Label Studio tasks or Argilla records.",
    )
    .addHelpText('after', examples.labels);
  const load = async () => await import('../commands/review/labels.ts');
  const format = () =>
    new Option('--format <format>', 'the format of the file')
      .choices(['jsonl', 'label-studio', 'argilla'])
      .default('jsonl');
  labels
    .command('export')
    .description('Writes rubrics, review tasks and labels to a file.')
    .argument('<file>', 'such as labels.jsonl; `-` is standard output')
    .addOption(format())
    .addOption(new Option('--task <task>', `only the labels of one review task: ${taskArgument}`))
    .addOption(new Option('--salvage', 'for a damaged store: write the intact labels, and list the others'))
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
        `for labels from other tools: the review task that they belong to: ${taskArgument}`,
      ),
    )
    .addOption(
      new Option(
        '--blind',
        "for labels from other tools: you confirm that people there saw neither the verdicts of a judge nor each other's labels; without it, these labels do not count towards a certificate",
      ),
    )
    .addOption(new Option('--by <name>', 'with --blind: who confirms it (default: the name in git)'))
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).importCommand(file, flags)));
  labels
    .command('same-meaning')
    .summary('Declares two versions of a rubric equal in meaning.')
    .description(
      'Declares that two versions of a rubric mean the same, so that labels for one count for the other; without versions, lists the versions.',
    )
    .argument('<rubric>', 'the id of the rubric')
    .argument('[versions...]', 'two versions, or their first characters')
    .addOption(new Option('--by <name>', 'who declares it (default: the name in git)'))
    .addOption(new Option('--note <text>', 'a note'))
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
      "Compares the judge of a metric with people's labels: agreement, the corrected pass rate, and every condition for a certificate, which is written only if all are met. Makes no calls.",
    )
    .argument('[run]', 'the run whose pass rate to correct (default: the run that was labelled)')
    .addOption(new Option('--rubric <id>', 'the rubric whose labels to use').makeOptionMandatory())
    .addOption(new Option('--task <task>', `the review task: ${taskArgument}`))
    .addOption(
      new Option(
        '--least-agreement <number>',
        'the agreement that people must reach with each other: the lower limit of kappa or AC1',
      )
        .argParser(coefficient)
        .default(0.4),
    )
    .addOption(
      new Option(
        '--tuned',
        'the judge was tuned on labels: count only the half that is set aside for certifying',
      ),
    )
    .addOption(new Option('--by <name>', 'who calibrates, for the record (default: the name in git)'))
    .addOption(
      new Option(
        '--history',
        'list earlier calibrations with this rubric, refused ones too, and calibrate nothing',
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
    .summary('what users thought of the answers, and how many never said')
    .description('Stores and summarizes user feedback: thumbs, stars, edits, escalations and outcomes.')
    .addHelpText('after', examples.feedback);
  const load = async () => await import('../commands/feedback/feedback.ts');
  feedback
    .command('import')
    .description('Adds the feedback in a JSONL file, and skips records that are already stored.')
    .argument('<file>', 'the JSONL file; `-` is standard input')
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).importCommand(file, flags)));
  feedback
    .command('export')
    .description('Writes all feedback to a JSONL file that can be imported again without loss.')
    .argument('<file>', 'such as feedback.jsonl; `-` is standard output')
    .addOption(new Option('--salvage', 'for a damaged store: write the intact records, and list the others'))
    .addOption(option.storeOption())
    .action(async (file, flags) => exitWith(await (await load()).exportCommand(file, flags)));
  feedback
    .command('show')
    .description('Summarizes feedback by category and period, with bounds for users who gave no feedback.')
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
    .description('Lists the newest feedback, with the answers it is about.')
    .addOption(
      new Option('--limit <n>', 'list at most this many records').argParser(wholeNumber(1)).default(50),
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).listCommand(flags)));
  feedback
    .command('forget-users')
    .description(
      'Removes the key that user ids are hashed with, so that no hash can be traced back to a person.',
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .action(async (flags) => exitWith(await (await load()).forgetUsersCommand(flags)));
}

/** Adds the command `touchstone predict`. */
export function addPredict(program: Command, exitWith: ExitWith): void {
  program
    .command('predict')
    .summary('show whether scores predict what users think of the answers')
    .description(
      "Compares scores and judges' verdicts with users' thumbs and stars: rank correlations, AUC, calibration.",
    )
    .addOption(option.jsonOption())
    .addOption(option.storeOption())
    .addHelpText('after', examples.predict)
    .action(async (flags) =>
      exitWith(await (await import('../commands/feedback/predict.ts')).predictCommand(flags)),
    );
}
