import { TouchstoneError } from '../../../core/errors.ts';
import { hashText } from '../../../core/lib/content-hash.ts';
import { newestOf, pickContestants } from '../../prefer/compared-targets.ts';
import { type AnswerOf, type PairOfAnswers, planComparison } from '../../prefer/read-pairs.ts';
import { parseTrialFilter } from '../../../look/queries/filters.ts';
import { findTrials } from '../../../look/queries/trials.ts';
import type { Subject } from '../../../core/schema/review/label.ts';
import type { DrawRule, Frame } from '../../../core/schema/review/review-task.ts';
import { pairCriterion, type Rubric } from '../../../core/schema/review/rubric.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Store } from '../../../stores/store.ts';
import { drawEntries, type FrameEntry } from '../draw/draw.ts';
import { hashAnswer } from '../../../decide/analysis/hash-answer.ts';
import { answerKey } from '../frame.ts';
import {
  type DrawChoice,
  invalid,
  requireScale,
  type ReviewPlan,
  type TaskSettings,
  toPlan,
} from '../plan-review.ts';

/** The settings of a task about pairs of answers. */
export interface PairTaskSettings extends TaskSettings {
  /** The names of the targets whose answers are compared; all targets of the runs by default. */
  readonly targets?: readonly string[];
}

/** The rubric about pairs that is asked when none is named. */
export const usualPairRubric: Omit<Rubric, 'version'> = {
  id: 'preference',
  criterion: pairCriterion,
  question: 'Which of the two answers helps the person more?',
  scale: { type: 'pair' },
  examples: [],
  maySeeContext: true,
  maySeeExpected: false,
  settle: 'agreement',
};

/**
 * Plans a review task over pairs of answers: the answers of every two targets to the same case in the same attempt. Pairs without two
 * different answers are skipped and counted. Stores nothing. Throws `review-invalid` for settings that cannot be met,
 * and `usage-invalid` for fewer than two targets or an invalid filter.
 */
export async function planPairs(
  store: Store,
  runs: readonly Run[],
  settings: PairTaskSettings,
): Promise<ReviewPlan> {
  const { rubrics, draw: choice = { type: 'random' }, filter = [], targets, labels, seed } = settings;
  requireScale(rubrics, true);
  const rule = ruleOf(choice);
  const contestants = pickContestants(runs, targets);
  const matching = filter.length === 0 ? undefined : await readMatching(store, runs, filter);
  const comparison = await planComparison(contestants, store);
  const entries: FrameEntry[] = [];
  const excluded = new Map<string, number>();
  let hash = '';
  for await (const pair of comparison.read()) {
    const reason = whyExcluded(pair, matching);
    if (reason === 'filtered') continue;
    if (reason !== undefined) {
      excluded.set(reason, (excluded.get(reason) ?? 0) + 1);
      continue;
    }
    const subject = subjectOfPair(pair);
    hash = hashText(`${hash} ${answerKey(subject)} ${answerKey(subject.against)}`);
    entries.push({ subject, passed: null, uncertainty: 0 });
  }
  const counts = Array.from(excluded, ([reason, count]) => ({ reason, count }));
  if (entries.length === 0) {
    const why = counts.map(({ reason, count }) => `${reason}: ${count}`).join(', ');
    throw invalid(`There are no pairs of answers to label${why === '' ? '' : ` (${why})`}.`);
  }
  const frame: Frame = {
    run: newestOf(contestants).id,
    filter: [...filter],
    count: entries.length,
    hash,
    excluded: counts,
  };
  const draw = drawEntries(entries, { rule, count: labels, seed });
  if (draw.drawn.length === 0) throw invalid('The draw is empty.');
  const pairs = { targets: contestants.map(({ name, run, target }) => ({ name, run, target })) };
  return toPlan(settings, { rule, read: { frame, entries }, draw, judged: [], pairs });
}

/** Returns the rule of a draw. Others than these depend on a verdict on a single answer. */
function ruleOf(choice: DrawChoice): DrawRule {
  if (choice.type === 'random' || choice.type === 'every-nth') return choice;
  throw new TouchstoneError('review-invalid', 'Pairs of answers are drawn at random.', {
    remedy: 'Use `--draw random` or `--draw every-nth --nth 20`, or leave it out.',
  });
}

/** The ordinals of the trials that a filter matches, by run. */
type Matching = ReadonlyMap<string, ReadonlySet<number>>;

async function readMatching(
  store: Store,
  runs: readonly Run[],
  filter: readonly string[],
): Promise<Matching> {
  const matching = new Map<string, ReadonlySet<number>>();
  for (const run of runs)
    matching.set(run.id, new Set(await findTrials(store, run, { where: parseTrialFilter(filter, run) })));
  return matching;
}

function whyExcluded({ a, b }: PairOfAnswers, matching: Matching | undefined): string | undefined {
  const isMatch = ({ contestant, trial }: AnswerOf) =>
    trial !== undefined && matching?.get(contestant.run)?.has(trial.ordinal) === true;
  if (matching !== undefined && !(isMatch(a) && isMatch(b))) return 'filtered';
  const trials = [a.trial, b.trial];
  if (trials.some((trial) => trial?.status !== 'completed' || trial.answer === null)) return 'no two answers';
  if (trials.some((trial) => trial?.erased !== undefined)) return 'their texts were erased';
  if (trials.some((trial) => trial?.spoilt !== undefined)) return 'the simulated user was at fault';
  const [one, other] = trials.map((trial) => trial?.answer?.trim());
  return one === other ? 'the same answer twice' : undefined;
}

function subjectOfPair({ case: testCase, a, b }: PairOfAnswers) {
  const { category } = testCase;
  const { caseHash, caseId } = a.trial as Trial;
  return {
    ...answerOf(a),
    caseHash,
    caseId,
    ...(category !== undefined && { category }),
    against: answerOf(b),
  } satisfies Subject;
}

function answerOf({ contestant, trial }: AnswerOf) {
  const { key, target, attempt, ordinal } = trial as Trial;
  return {
    trialKey: key,
    answerHash: hashAnswer(trial as Trial),
    target,
    attempt,
    run: contestant.run,
    ordinal,
  };
}
