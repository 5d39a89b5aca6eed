import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import {
  formatDuration,
  formatPercent,
  formatPlural,
  formatPoints,
  missing,
} from '../../look/report/format.ts';
import { notesRubricId } from '../../core/schema/modes/mode.ts';
import { readingsForWidth, readingsToSee } from '../../core/stats/shares/readings.ts';
import type { ReviewPlan } from '../../people/reviews/plan-review.ts';
import type { ReviewProgress, Sameness } from '../../people/reviews/progress.ts';
import { expectedSeconds } from '../../people/reviews/progress.ts';
import type { DrawRule, ReviewTask, Stratum } from '../../core/schema/review/review-task.ts';
import type { ReviewState } from '../../library/api/reviews.ts';

/** Describes a plan before anything is stored. */
export function describePlan({ task, rubrics, labels, hours, halfWidth, notes }: ReviewPlan): string {
  const questions = rubrics.map(({ id, question, criterion, scale }) =>
    scale.type === 'pair' ? `  ${id}: ${question}` : `  ${id}: ${question} (metric ${criterion})`,
  );
  const several = Math.round(task.items * task.overlap.share);
  const doubled =
    several > 0 && task.overlap.people > 1 ? `, ${several} of them by ${task.overlap.people} people` : '';
  const isPairs = task.pairs !== undefined;
  const isNotes = task.rubrics.some(({ id }) => id === notesRubricId);
  const noun = isPairs ? 'pair of answers' : 'answer';
  const nouns = isPairs ? 'pairs of answers' : 'answers';
  const lines = [
    `Review task ${task.id} over run ${task.frame.run}, ${formatPlural(task.frame.count, noun, nouns)}:`,
    ...(task.pairs === undefined
      ? []
      : [`  ${task.pairs.targets.map(({ name }) => name).join(', ')}: blind, the sides drawn for each pair`]),
    ...questions,
    '',
    ...tableOf(task.strata, isPairs ? 'pairs' : 'answers'),
    '',
    `${formatPlural(task.items, noun, nouns)} to label${doubled}: ${formatPlural(labels, 'label')}, about ${formatDuration(hours * 3_600_000)} at ${expectedSeconds} s each.`,
    `Drawn ${describeDraw(task.draw)}, with seed ${task.seed}.`,
    ...(isNotes ? describeReadings(task) : describeWidth(halfWidth, isPairs)),
    ...notes.map((note) => `note: ${note}`),
  ];
  return toText(lines);
}

function describeDraw(draw: DrawRule): string {
  switch (draw.type) {
    case 'random':
      return 'at random';
    case 'stratified':
      return `by the verdict of ${draw.metric}, half and half${draw.byCategory ? ', and by category' : ''}`;
    case 'outcome':
      return `by the outcome of the scorecard, half and half${describePart(draw)}`;
    case 'neyman':
      return `by the verdict of ${draw.metric}, more where the labels of ${draw.pilot} differ`;
    case 'uncertainty':
      return `by the uncertainty of ${draw.metric}, with a share of ${formatPercent(draw.floor)} whatever it is`;
    case 'every-nth':
      return `as every answer number ${draw.n}, from a random start`;
    case 'by-hand':
      return 'by hand';
  }
}

/** The shares of conversations that a kind of failure is supposed to be of. */
const supposedShares = [0.02, 0.05, 0.1];

/** Says how many conversations it takes to meet a kind of failure, and to know how often it occurs. */
function describeReadings({ frame: { count: size } }: ReviewTask): string[] {
  const kinds = supposedShares.map((share) => `${share * 100} %`).join(', ');
  const toSee = supposedShares.map((share) => readingsToSee({ share, size })).join(', ');
  const toKnow = supposedShares.map((share) => readingsForWidth({ share, size })).join(', ');
  return [
    `A kind of failure in ${kinds} of these conversations is met at least once, with a chance of 95 %, by reading ${toSee} of them at random;`,
    `its share is known to about ± 5 points by reading ${toKnow}.`,
  ];
}

function describePart({ by, clusters }: Extract<DrawRule, { readonly type: 'outcome' }>): string {
  if (by === undefined) return '';
  return by === 'category'
    ? ', and by category'
    : `, and by ${clusters?.count ?? 0} clusters of similar conversations`;
}

function describeWidth(halfWidth: ReviewPlan['halfWidth'], isPairs: boolean): string[] {
  if (halfWidth === null || halfWidth.most === null) return [];
  const most = `± ${formatPoints(halfWidth.most)} points`;
  if (halfWidth.expected === null)
    return [
      isPairs
        ? `The win rate will be known to at most ${most} (95 % interval, for these answers, with two targets).`
        : `The share that people pass will be known to at most ${most} (95 % interval, for these answers).`,
    ];
  const expected = `± ${formatPoints(halfWidth.expected)} points`;
  return [
    `The corrected pass rate will be known to about ${expected} if the judge is right about 9 of 10 answers, at most ${most} (95 % interval, for these answers).`,
  ];
}

function tableOf(strata: readonly Stratum[], noun: string): string[] {
  const rows = strata.map(({ name, size, drawn }) => [
    name,
    String(size),
    String(drawn),
    size === 0 ? missing : (drawn / size).toFixed(3),
  ]);
  return alignColumns([['stratum', noun, 'to label', 'share'], ...rows]);
}

/** Aligns columns: the first to the left, the others to the right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map(
    (row) =>
      `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ')}`,
  );
}

function describeTask({ task, progress }: ReviewState): string {
  const rubrics = task.rubrics.map(({ id }) => id).join(', ');
  const disputes = progress.disputed.length === 0 ? '' : `, ${progress.disputed.length} disputed`;
  const state = task.status === 'closed' ? 'closed, ' : '';
  const due = task.due === undefined ? '' : `, due ${task.due}`;
  return `${task.id}  ${rubrics}, run ${task.frame.run}: ${state}${progress.given} of ${progress.wanted} labels${disputes}${due}`;
}

/** Lists review tasks, a line each. */
export function describeTasks(states: readonly ReviewState[]): string {
  const none = 'No review tasks yet: `touchstone review create --rubric NAME` makes one over the last run.';
  return toText(states.length === 0 ? [none] : states.map(describeTask));
}

/** Says which task was created, and where people label it. */
export function describeCreated({ task }: ReviewPlan, store: string | undefined): string {
  const where = store === undefined ? '' : ` --store ${quoteForShell(store)}`;
  return `Created ${task.id}.\n\nNext: touchstone review open ${task.id}${where}\n`;
}

/** Describes the progress of a task. */
export function describeReview({ task, progress }: ReviewState): string {
  const states = Object.entries(progress.states)
    .filter(([, count]) => count > 0)
    .map(([status, count]) => `${count} ${status}`);
  const lines = [
    describeTask({ task, progress }),
    `Items: ${states.join(', ')}.${progress.hoursLeft === 0 ? '' : ` About ${formatDuration(progress.hoursLeft * 3_600_000)} of work left.`}`,
    '',
    ...describePeople(progress),
    ...progress.agreement.map(
      ({ rubric, ...sameness }) => `Agreement of people by ${rubric.id}: ${describeSameness(sameness)}`,
    ),
    ...describeDisputes(task, progress),
  ];
  return toText(lines);
}

function describePeople({ people }: ReviewProgress): string[] {
  if (people.length === 0) return ['No labels yet.'];
  const head = [
    'person',
    'labelled',
    'skipped',
    'second look',
    'controls',
    'decided',
    'median',
    'longest sitting',
  ];
  const rows = people.map((each) => [
    toTerminalText(each.person),
    ...[each.labelled, each.skipped, each.repeats, each.controls, each.decided].map(String),
    each.medianSeconds === null ? missing : `${Math.round(each.medianSeconds)} s`,
    formatDuration(each.longestSittingMs),
  ]);
  const tired = people.filter(({ longestSittingMs }) => longestSittingMs > longestAdvisedMs);
  return [
    ...alignColumns([head, ...rows]),
    ...tired.map(({ person }) => `note: ${person} labelled for more than 90 minutes without a break.`),
    '',
    ...people
      .filter(({ steadiness }) => steadiness.pairs > 0)
      .map(({ person, steadiness }) => `${person} with themselves: ${describeSameness(steadiness)}`),
  ];
}

const longestAdvisedMs = 5_400_000;

function describeSameness({ pairs, same, share }: Sameness): string {
  if (share.status === 'undefined') return 'not measured, no item has labels of two people yet';
  const interval = `[${formatPoints(share.lower)}, ${formatPoints(share.upper)}]`;
  return `${formatPercent(share.estimate)} ${interval}, the same in ${same} of ${formatPlural(pairs, 'pair')}`;
}

function describeDisputes({ id }: ReviewTask, { disputed }: ReviewProgress): string[] {
  if (disputed.length === 0) return [];
  const items = disputed.slice(0, 20).map((position) => position + 1);
  const more = disputed.length > items.length ? ', …' : '';
  return [`Disputed, for an adjudicator: item ${items.join(', ')}${more} of ${id}.`];
}

function toText(lines: readonly string[]): string {
  return `${lines.map(toTerminalText).join('\n')}\n`;
}
