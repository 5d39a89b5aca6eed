import type { Feedback } from '../../src/core/schema/feedback/feedback.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { buildCase, buildRun, buildTrial } from '../../src/library/testing/build-records.ts';
import { buildFeedback } from './store-contract/feedback-contract.ts';
import { addFeedback } from '../../src/stores/feedback/feedback-records.ts';

/** The feedback of a store for tests. */
export interface FeedbackStoreParts {
  readonly store?: Store;
  /** The names of the categories; each has 32 cases in each of two weeks, all of them rated. */
  readonly categories: readonly string[];
  readonly targets: readonly string[];
  /** The comment of the first user; none by default. */
  readonly comment?: string;
}

/** The number of cases of a category in a week, and the days on which they were answered. */
const casesOfWeek = 32;
const days = ['2026-01-02', '2026-01-08'];
const casesOfCategory = casesOfWeek * days.length;

/**
 * Fills a store with a run whose answers users rated: in the first category and with the first target most are liked and have
 * high scores, and fewer in each further one. One answer of each category, target and week is edited, one escalated; one record waits
 * for its answer, and one opinion was replaced by another.
 */
export async function storeFeedback({
  store = createMemoryStore(),
  categories,
  targets,
  comment,
}: FeedbackStoreParts): Promise<Store> {
  const run = buildRun({
    id: 'run-1',
    status: 'completed',
    dataset: { sources: ['golden.jsonl'], cases: categories.length * casesOfCategory, hash: 'h'.repeat(32) },
    targets: targets.map((name, index) => ({
      name,
      use: { use: 'module' },
      fingerprint: `${index}`.repeat(32),
    })),
  });
  await store.createRun(run);
  const cases = categories.flatMap((category) =>
    Array.from({ length: casesOfCategory }, (_, index) =>
      buildCase({ id: `${category} ${index}`, category }),
    ),
  );
  await store.addCases(
    run.id,
    cases.map((testCase, position) => ({
      position,
      hash: testCase.id,
      place: 'golden.jsonl:1',
      case: testCase,
    })),
  );
  const answered = cases.flatMap((testCase, position) =>
    targets.map((target, place) => {
      const ordinal = position * targets.length + place;
      const trial = buildTrial('Yes.', {
        caseId: testCase.id,
        caseHash: testCase.id,
        target,
        ordinal,
        key: `k${ordinal}`,
        startedAt: `${days[Math.floor((position % casesOfCategory) / casesOfWeek)]}T03:04:05.678Z`,
      });
      const rank = Math.floor(position / casesOfCategory) * targets.length + place;
      return { case: testCase, trial, rank, index: position % casesOfWeek };
    }),
  );
  await store.addTrials(run.id, answered);
  const units = categories.length * targets.length;
  await store.addScores(
    run.id,
    answered.map(({ case: testCase, trial, rank }) => {
      const total = 0.9 - (0.8 * rank) / units;
      return {
        case: testCase,
        trial,
        verdicts: {},
        scorecard: { total, lower: total, upper: total, grade: 'A', passed: true, explanation: 'met' },
      };
    }),
  );
  await addFeedback(
    store,
    answered.flatMap((answer) => saidOf(answer, comment)),
  );
  await addFeedback(store, [
    buildFeedback('first-opinion', {
      value: 'down',
      at: '2026-01-01T00:00:00.000Z',
      subject: { trialKey: 'k0' },
    }),
    buildFeedback('lost', { subject: { trialKey: 'nothing' } }),
  ]);
  return store;
}

function saidOf(
  {
    trial,
    rank,
    index,
  }: { readonly trial: { readonly key: string }; readonly rank: number; readonly index: number },
  comment: string | undefined,
): Feedback[] {
  const about = { subject: { trialKey: trial.key } };
  const value = index >= 2 + 3 * rank ? 'up' : 'down';
  const isFirst = rank === 0 && index === 0;
  return [
    buildFeedback(`thumb-${trial.key}`, {
      ...about,
      value,
      ...(isFirst && comment !== undefined && { text: comment }),
    }),
    ...(index === 1 ? [buildFeedback(`edit-${trial.key}`, { ...about, ...of('edit'), text: 'No.' })] : []),
    ...(index === 2 ? [buildFeedback(`person-${trial.key}`, { ...about, ...of('escalated') })] : []),
  ];
}

function of(signal: Feedback['signal']): Partial<Feedback> {
  return { signal, value: undefined };
}
