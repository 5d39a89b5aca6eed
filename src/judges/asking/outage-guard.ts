import { notAskedCode } from '../judge.ts';
import type { Consultation } from './create-judge.ts';

const mostInRow = 20;

/** What is wrong with a reply, and not with getting one; or nothing at all. */
const noOutages: ReadonlySet<string> = new Set([
  'judge-unreadable',
  'judge-quote-missing',
  'judge-invalid-vectors',
  'judge-not-comparable',
  notAskedCode,
]);

/**
 * Stops asking a judge that is not there any more: after 20 failures in a row, retries not counted, every further question
 * fails at once, and costs neither time nor money. A reply that cannot be read is no such failure: the judge is there.
 */
export function createOutageGuard() {
  let failuresInRow = 0;
  let lastReason = '';
  return {
    reset: () => {
      failuresInRow = 0;
    },
    watch: async (
      questions: number,
      consult: () => Promise<readonly Consultation[]>,
    ): Promise<readonly Consultation[]> => {
      if (failuresInRow >= mostInRow) {
        const reason = `not asked: the judge failed ${mostInRow} times in a row, the last time because of: ${lastReason}`;
        const outcome = { status: 'failed', code: 'judge-given-up', reason } as const;
        return Array.from({ length: questions }, () => ({ outcome, calls: [] }));
      }
      const consultations = await consult();
      const outage = consultations.find(
        ({ outcome }) => outcome.status === 'failed' && !noOutages.has(outcome.code),
      );
      failuresInRow = outage === undefined ? 0 : failuresInRow + 1;
      if (outage?.outcome.status === 'failed') lastReason = outage.outcome.reason;
      return consultations;
    },
  };
}
