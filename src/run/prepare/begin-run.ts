import { randomBytes } from 'node:crypto';
import { millisecondsNow } from '../../lib/time-now.ts';
import type { Run } from '../../schema/run.ts';
import { touchstoneVersion } from '../../version.ts';
import type { Evaluation } from '../evaluation.ts';
import { drawOrder } from '../../gate/sequential/case-order.ts';

/** How answers are scored: the part of an evaluation that no target is called for. */
export type ScoringRules = Pick<
  Evaluation,
  | 'metrics'
  | 'scorecard'
  | 'caseRule'
  | 'reusesJudgements'
  | 'gate'
  | 'unread'
  | 'weights'
  | 'watchAccounts'
  | 'secrets'
>;

/** What is asked, of whom and how often. */
export type RunSubject = Pick<
  Run,
  | 'description'
  | 'git'
  | 'dataset'
  | 'targets'
  | 'user'
  | 'attempts'
  | 'caseRule'
  | 'seed'
  | 'isInterleaved'
  | 'order'
  | 'settings'
  | 'rescoredFrom'
>;

/** The record of a run that begins now. */
export function beginRun(
  subject: RunSubject,
  { metrics, scorecard, gate, unread = [], weights, secrets }: ScoringRules,
): Run {
  const now = new Date(millisecondsNow());
  const {
    description,
    git,
    dataset,
    targets,
    user,
    attempts,
    caseRule,
    seed,
    isInterleaved,
    order,
    settings,
    rescoredFrom,
  } = subject;
  const begun: Run = {
    id: `${formatDay(now)}-${randomSuffix()}`,
    status: 'planning',
    createdAt: now.toISOString(),
    description,
    touchstoneVersion,
    ...(git !== undefined && { git }),
    dataset,
    targets,
    ...(user !== undefined && { user }),
    metrics: metrics.map(({ metric: _rule, ...metric }) => metric),
    scorecard: scorecard === null ? null : withoutRule(scorecard),
    attempts,
    ...(caseRule !== undefined && { caseRule }),
    seed,
    ...(isInterleaved !== undefined && { isInterleaved }),
    ...drawOrder(gate, order),
    settings,
    gate,
    ...(unread.length > 0 && { unread: [...unread] }),
    ...(weights !== undefined && { weights }),
    ...(rescoredFrom !== undefined && { rescoredFrom }),
  };
  return secrets === undefined ? begun : secrets.json(begun);
}

/** `20260102-030405`. */
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

/** Four characters without look-alikes, so that run ids can be read aloud. */
function randomSuffix(): string {
  const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
  // Not the global crypto: all of Web Cryptography would be loaded for four letters.
  return Array.from(randomBytes(4), (byte) => alphabet[byte % alphabet.length]).join('');
}
