import { createInterface } from 'node:readline/promises';
import { createReview, listReviews, readReview, setReviewStatus } from '../../../library/api/reviews.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { quoteForShell } from '../../../core/lib/text/quote-for-shell.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import type { DrawChoice, ReviewPlan } from '../../../people/reviews/plan-review.ts';
import { withStore } from '../../open-store.ts';
import { claimStdout, type Output } from '../../output.ts';
import { describePlan, describeReview, describeTask } from './print-review.ts';

/** The options shared by all `touchstone review` commands. */
export interface ReviewFlags {
  readonly store?: string;
  readonly json?: boolean;
}

/** The options of `touchstone review create`, as parsed from the command line. Percentages are from 0 to 100. */
export interface CreateFlags extends ReviewFlags {
  readonly run?: string;
  readonly pairs?: readonly string[];
  readonly target?: readonly string[];
  readonly rubric?: readonly string[];
  readonly config?: string;
  readonly labels: number;
  readonly doubled?: number;
  readonly overlap?: number;
  readonly draw?: 'verdict' | 'category' | 'neyman' | 'uncertainty' | 'random' | 'every-nth' | 'by-hand';
  readonly pilot?: string;
  readonly nth?: number;
  readonly filter?: readonly string[];
  readonly seed?: number;
  readonly person?: readonly string[];
  readonly adjudicator?: readonly string[];
  readonly due?: string;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

/** Runs `touchstone review create`: prints the plan of a review task, and stores it. Returns the exit code. */
export async function createCommand(flags: CreateFlags): Promise<number> {
  const output = claimStdout();
  const { rubric = [], pairs, target } = flags;
  if (rubric.length === 0 && pairs === undefined) {
    throw new TouchstoneError('usage-invalid', 'A review task asks a question.', {
      remedy: 'Name a rubric, `--rubric tone`; or let people compare answers: `--pairs latest~1 latest`.',
    });
  }
  await withStore(flags.store, async (store) => {
    let isCreated = false;
    const plan = await createReview({
      store,
      rubrics: rubric,
      labels: flags.labels,
      ...(flags.draw !== undefined && { draw: toDraw(flags, flags.draw) }),
      filter: flags.filter ?? [],
      people: flags.person ?? [],
      adjudicators: flags.adjudicator ?? [],
      ...overlapOf(flags),
      ...(flags.run !== undefined && { run: flags.run }),
      ...(pairs !== undefined && { pairs }),
      ...(target !== undefined && { targets: target }),
      ...(flags.config !== undefined && { rubricConfig: flags.config }),
      ...(flags.seed !== undefined && { seed: flags.seed }),
      ...(flags.due !== undefined && { due: flags.due }),
      confirm: async (planned) => {
        if (flags.json !== true) await output.write(describePlan(planned));
        isCreated = flags.dryRun !== true && (await isConfirmed(flags));
        return isCreated;
      },
    });
    await report(output, { plan, isCreated, flags });
  });
  return 0;
}

function toDraw({ pilot, nth }: CreateFlags, draw: NonNullable<CreateFlags['draw']>): DrawChoice {
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
  const dialog = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await dialog.question('Create this review task? [y/N] ');
  dialog.close();
  return /^y(es)?$/i.test(answer.trim());
}

async function report(
  output: Output,
  {
    plan,
    isCreated,
    flags,
  }: { readonly plan: ReviewPlan; readonly isCreated: boolean; readonly flags: CreateFlags },
): Promise<void> {
  const { items: _items, ...outline } = plan;
  if (flags.json === true) await output.write(jsonDocument({ ...outline, isCreated }));
  else await output.write(isCreated ? describeCreated(plan, flags) : 'Nothing was stored.\n');
}

/** Says which task was created, and where people label it. */
function describeCreated({ task }: ReviewPlan, { store }: CreateFlags): string {
  const where = store === undefined ? '' : ` --store ${quoteForShell(store)}`;
  return `Created ${task.id}.\n\nNext: touchstone review open ${task.id}${where}\n`;
}

/** Runs `touchstone review list`: lists the review tasks with their progress. Returns the exit code. */
export async function listCommand(flags: ReviewFlags): Promise<number> {
  const output = claimStdout();
  const states = await withStore(flags.store, async (store) => await listReviews({ store }));
  const none = 'No review tasks yet: `touchstone review create --rubric NAME` makes one over the last run.';
  const lines = states.length === 0 ? [none] : states.map(describeTask);
  const text = `${lines.map(toTerminalText).join('\n')}\n`;
  await output.write(flags.json === true ? jsonDocument(states) : text);
  return 0;
}

/** Runs `touchstone review close TASK`: ends a review task, or opens it again. Returns the exit code. */
export async function closeCommand(
  taskId: string,
  flags: ReviewFlags & { readonly reopen?: boolean },
): Promise<number> {
  const output = claimStdout();
  const status = flags.reopen === true ? 'open' : 'closed';
  const task = await withStore(
    flags.store,
    async (store) => await setReviewStatus(taskId, status, { store }),
  );
  const text = `${task.id} is ${status}.\n`;
  await output.write(flags.json === true ? jsonDocument(task) : text);
  return 0;
}

/** Runs `touchstone review show [TASK]`: prints the progress of a review task. Returns the exit code. */
export async function showCommand(taskId: string | undefined, flags: ReviewFlags): Promise<number> {
  const output = claimStdout();
  const state = await withStore(flags.store, async (store) => await readReview(taskId, { store }));
  await output.write(flags.json === true ? jsonDocument(state) : describeReview(state));
  return 0;
}
