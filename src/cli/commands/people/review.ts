import { TouchstoneError } from '../../../core/errors.ts';
import type { DrawChoice } from '../../../people/reviews/plan-review.ts';
import { defineCommand } from '../../program/define-command.ts';
import { argument, flag, type InputOf, parsed, repeated, text } from '../../program/input.ts';
import { percentage, wholeNumber } from '../../program/parse-option.ts';
import { filter, json, open, port, reviewTask, store, yes } from '../../program/shared-inputs.ts';
import { storeOf, storeToRepeat } from '../../program/store-of.ts';

const loadApi = async () => await import('../../../library/api/reviews.ts');
const loadTexts = async () => await import('../../texts/review.ts');

const taskName = argument('[task]', reviewTask).default('latest');

const createInputs = {
  rubric: repeated(
    '<name|file>',
    'a rubric of the config, or a file with one; may be repeated; required unless you pass --pairs or --notes',
  ),
  notes: flag(
    'read conversations and note what went wrong, in place of a rubric: the beginning of failure modes (docs/labels.md)',
  ),
  run: text('<run>', 'the run with the answers to label (default: latest)'),
  pairs: text('<run...>', 'label pairs of answers, from two runs or from one run with several targets'),
  target: repeated('<name>', 'with --pairs: only this target; may be repeated'),
  labels: parsed('<n>', 'how many answers to label (default: 200, with --notes 80)', wholeNumber(1)),
  draw: text(
    '<rule>',
    "how to draw the answers: by the judge's verdict, half and half (default), by a pilot, … (default for pairs: random; for notes: outcome, that of the scorecard)",
  ).oneOf([
    'verdict',
    'category',
    'neyman',
    'uncertainty',
    'outcome',
    'cluster',
    'random',
    'every-nth',
    'by-hand',
  ]),
  pilot: text('<task>', 'with --draw neyman: the earlier task whose labels show where more are needed'),
  nth: parsed('<n>', 'with --draw every-nth: draw one in n answers', wholeNumber(1)),
  filter,
  seed: parsed(
    '<n>',
    'the seed of the draw (default: a random one, which is printed)',
    wholeNumber(0, 4_294_967_295),
  ),
  config: text('<config>', 'config that declares the rubrics (default: the one in this folder)'),
  doubled: parsed('<percent>', 'share of the answers that two people label, such as 20%', percentage),
  overlap: parsed(
    '<people>',
    'how many people label each answer; with --doubled, each doubled answer',
    wholeNumber(1, 5),
  ),
  person: repeated('<name>', 'who may label (default: everyone); may be repeated'),
  adjudicator: repeated('<name>', 'who may decide disputes (default: everyone); may be repeated'),
  due: text('<day>', 'when the labels are due, such as 2026-12-31'),
  dryRun: flag('print the plan and store nothing'),
  yes,
  json,
  store,
};

type CreateFlags = InputOf<typeof createInputs>;

const create = defineCommand({
  name: 'create',
  description:
    'Draws a sample of answers to label from a run, prints the plan, and stores it as a review task.',
  inputs: createInputs,
  run: async (input, output) => {
    const { rubric: rubrics = [], filter: filters = [], pairs, run, seed, due, labels, notes } = input;
    if (rubrics.length === 0 && pairs === undefined && notes !== true) {
      throw new TouchstoneError('usage-invalid', 'A review task asks a question.', {
        remedy:
          'Name a rubric, `--rubric tone`; let people compare answers, `--pairs latest~1 latest`; or note what went wrong, `--notes`.',
      });
    }
    const { createReview } = await loadApi();
    const { describeCreated, describePlan } = await loadTexts();
    let isCreated = false;
    const plan = await createReview({
      ...storeOf(input),
      rubrics,
      notes,
      labels,
      ...(input.draw !== undefined && { draw: toDraw(input, input.draw) }),
      filter: filters,
      people: input.person ?? [],
      adjudicators: input.adjudicator ?? [],
      ...overlapOf(input),
      ...(pairs !== undefined && { pairs }),
      ...(input.target !== undefined && { targets: input.target }),
      ...(due !== undefined && { due }),
      run,
      rubricConfig: input.config,
      seed,
      confirm: async (planned) => {
        if (input.json !== true) await output.write(describePlan(planned));
        isCreated = input.dryRun !== true && (await isConfirmed(input));
        return isCreated;
      },
    });
    const { items: _items, ...outline } = plan;
    const where = await storeToRepeat(input);
    const said = () => (isCreated ? describeCreated(plan, where) : 'Nothing was stored.\n');
    return await output.print(input.json, { ...outline, isCreated }, said);
  },
});

function toDraw({ pilot, nth, notes }: CreateFlags, draw: NonNullable<CreateFlags['draw']>): DrawChoice {
  if (draw === 'outcome') return { type: draw };
  if (draw === 'cluster' || (draw === 'category' && notes === true)) return { type: 'outcome', by: draw };
  if (draw === 'verdict' || draw === 'category')
    return { type: 'stratified', byCategory: draw === 'category' };
  if (draw === 'neyman') return { type: draw, pilot: pilot ?? missingOption(draw, '--pilot TASK') };
  if (draw === 'every-nth') return { type: draw, n: nth ?? missingOption(draw, '--nth 20') };
  return { type: draw };
}

function missingOption(draw: string, option: string): never {
  throw new TouchstoneError('usage-invalid', `\`--draw ${draw}\` needs \`${option}\`.`);
}

/** Returns the number of people for each item: `--overlap` for all items, `--doubled` for a share of them. */
function overlapOf({ doubled, overlap }: CreateFlags) {
  if (doubled === undefined && overlap === undefined) return {};
  return { overlap: { people: overlap ?? 2, share: doubled === undefined ? 1 : doubled / 100 } };
}

async function isConfirmed({ yes, json }: CreateFlags): Promise<boolean> {
  if (yes === true) return true;
  if (!process.stdin.isTTY || json === true) {
    throw new TouchstoneError('usage-invalid', 'The review task was planned, and nothing was stored.', {
      remedy: 'Create it with `--yes`; `--seed` with the printed number repeats the draw.',
    });
  }
  const { askYes } = await import('../../confirm.ts');
  return await askYes('Create this review task?');
}

const openTask = defineCommand({
  name: 'open',
  description:
    'Opens the page in the browser where people label the answers of a review task, until Ctrl-C. Only this machine can open it, and only with the printed address.',
  inputs: { task: taskName, port, open, store },
  run: async ({ task, ...flags }, output) => {
    const { servePages } = await import('../../serve-pages.ts');
    const { findTask } = await import('../../../people/reviews/read-view.ts');
    const pages: Parameters<typeof servePages>[0] = {
      title: 'The review',
      findPath: async (openStore) => {
        const { id } = await findTask((await openStore()).documents, task);
        return `/reviews/${encodeURIComponent(id)}`;
      },
    };
    return await servePages(pages, flags, output);
  },
});

const list = defineCommand({
  name: 'list',
  description: 'Lists the review tasks with their progress, the newest first.',
  inputs: { json, store },
  run: async (input, output) => {
    const states = await (await loadApi()).listReviews({ store: input.store });
    const { describeTasks } = await loadTexts();
    return await output.print(input.json, states, describeTasks);
  },
});

const show = defineCommand({
  name: 'show',
  description: 'Prints the progress of a review task: states, people, agreement and disputes.',
  inputs: { task: taskName, json, store },
  run: async (input, output) => {
    const state = await (await loadApi()).readReview(input.task, { store: input.store });
    const { describeReview } = await loadTexts();
    return await output.print(input.json, state, describeReview);
  },
});

const close = defineCommand({
  name: 'close',
  description: 'Closes a review task: it takes no more labels, and the labels it has still count.',
  inputs: { task: argument('<task>', reviewTask), reopen: flag('reopen the task'), json, store },
  run: async (input, output) => {
    const status = input.reopen === true ? 'open' : 'closed';
    const task = await (await loadApi()).setReviewStatus(input.task, status, { store: input.store });
    return await output.print(input.json, task, () => `${task.id} is ${status}.\n`);
  },
});

/** `touchstone review`: samples of answers that people label. */
export const review = defineCommand({
  name: 'review',
  summary: 'have people label a sample of answers',
  description:
    'Plans, opens and shows review tasks: samples of the answers of a run, which people label with a rubric.',
  help: `
Examples:
  $ touchstone review create --rubric tone --doubled 20% --dry-run   the plan, and nothing stored
  $ touchstone review create --rubric tone --labels 200 --yes        200 answers of the last run
  $ touchstone review create --rubric rubrics/tone.yaml --run dwwq --draw random --yes
  $ touchstone review create --notes --doubled 50%                   80 conversations, half failed
  $ touchstone review create --pairs latest~1 latest --doubled 20%   which of two answers is better
  $ touchstone review open                                           give labels for the newest task
  $ touchstone review show                                           the progress of the newest task

A rubric is declared under \`rubrics\` in the config, or in a file of its own: docs/labels.md.`,
  commands: [create, openTask, list, show, close],
});
