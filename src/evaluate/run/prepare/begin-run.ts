import { randomBytes } from 'node:crypto';
import { drawOrder } from '../../../decide/gate/watch/case-order.ts';
import { millisecondsNow } from '../../../core/lib/time.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { Claim, Sharing, Store } from '../../../stores/store.ts';
import { touchstoneVersion } from '../../../core/own-package.ts';
import type { Evaluation, RunLabel } from '../evaluation.ts';

/** The part of an evaluation that scores answers and calls no target. */
export type ScoringRules = Pick<
  Evaluation,
  | 'metrics'
  | 'scorecard'
  | 'caseRule'
  | 'caseChecks'
  | 'reusesJudgements'
  | 'gate'
  | 'unread'
  | 'weights'
  | 'watchAccounts'
  | 'readRefused'
  | 'secrets'
>;

/** The part of a run's record that describes what is asked, which targets are asked, and how often. */
export type RunSubject = Pick<
  Run,
  | 'description'
  | 'git'
  | 'dataset'
  | 'targets'
  | 'tools'
  | 'user'
  | 'attempts'
  | 'caseRule'
  | 'seed'
  | 'isInterleaved'
  | 'order'
  | 'settings'
  | 'rescoredFrom'
  | 'failedOf'
> & {
  /** The name, the note, the tags and the command line of the run. */
  readonly label?: RunLabel;
  /** The time of the first of its answers, when all of them were recorded with their times. */
  readonly recordedAt?: string;
};

/** Builds the record of a run that begins now, or that has the date of its recorded answers. */
export function beginRun(
  subject: RunSubject,
  { metrics, scorecard, gate, unread = [], weights, secrets }: ScoringRules,
): Run {
  const now = new Date(millisecondsNow());
  const { recordedAt } = subject;
  const begun = recordedAt === undefined ? now : new Date(recordedAt);
  const {
    description,
    git,
    dataset,
    targets,
    tools,
    user,
    attempts,
    caseRule,
    seed,
    isInterleaved,
    order,
    settings,
    rescoredFrom,
    failedOf,
    label = {},
  } = subject;
  const record: Run = {
    id: `${formatDay(begun)}-${randomSuffix()}`,
    status: 'planning',
    createdAt: begun.toISOString(),
    ...(recordedAt !== undefined && { importedAt: now.toISOString() }),
    description,
    ...label,
    touchstoneVersion,
    git,
    dataset,
    targets,
    ...(tools !== undefined && { tools }),
    user,
    metrics: metrics.map(({ metric: _rule, ...metric }) => metric),
    scorecard: scorecard === null ? null : withoutRule(scorecard),
    attempts,
    caseRule,
    seed,
    isInterleaved,
    ...drawOrder(gate, order),
    settings,
    gate,
    ...(unread.length > 0 && { unread: [...unread] }),
    ...(weights !== undefined && { weights }),
    ...(rescoredFrom !== undefined && { rescoredFrom }),
    ...(failedOf !== undefined && { failedOf }),
  };
  return secrets === undefined ? record : secrets.json(record);
}

/** Formats a time in UTC as `20260102-030405`. */
function formatDay(time: Date): string {
  const digits = time.toISOString().slice(0, 19).replace(/\D/g, '');
  return digits.replace(/^(\d{8})/, '$1-');
}

function withoutRule({
  evaluate: _rule,
  ...scorecard
}: NonNullable<Evaluation['scorecard']>): Run['scorecard'] {
  return scorecard;
}

/** Draws four characters that are not easily confused, so that run ids can be read aloud. */
function randomSuffix(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  // The global crypto would load all of Web Cryptography for four characters.
  return Array.from(randomBytes(4), (byte) => alphabet[byte % alphabet.length]).join('');
}

/**
 * Adds a run and claims it as `claimRun` does. Deletes the run again when it cannot be claimed.
 */
export async function createClaimedRun(run: Run, store: Store, sharing?: Sharing): Promise<Claim> {
  await store.createRun(run, sharing);
  try {
    return await store.claimRun(run.id);
  } catch (error) {
    await store.deleteRun(run.id);
    throw error;
  }
}

/**
 * Returns one warning for each target that is judged by the very model it runs on, since models favour their own
 * answers.
 */
export function warnOfSelfJudging({ targets, metrics }: Pick<Evaluation, 'targets' | 'metrics'>): string[] {
  const judges = new Set(metrics.flatMap(({ metric }) => metric.judge?.models ?? []));
  return targets.flatMap(({ name, use }) => {
    const shared = [...modelsIn(use)].find((model) => judges.has(model));
    if (shared === undefined) return [];
    return [
      `${name} is judged by ${shared}, the model it runs on, and models favour their own answers. Use another judge.`,
    ];
  });
}

/** Yields the names of the models in a target's options: the value of every key `model`, however deeply nested. */
function* modelsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (key === 'model' && typeof member === 'string') yield member;
    else yield* modelsIn(member);
  }
}
