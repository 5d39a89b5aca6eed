import { TouchstoneError } from '../../../core/errors.ts';
import type { Mode } from '../../../core/schema/modes/mode.ts';
import type { MarkedMode, MarkedTask } from './read-marked.ts';

/** The least number of answers with a mode that a metric is made from. */
const leastToLearn = 8;

/** Throws `mode-too-small` for a mode that the tune half has too few answers of, with how many more to read. */
export function requireEnough(mode: Mode, { answers, tasks }: MarkedMode): void {
  const found = answers.filter(({ present, half }) => present && half === 'tune').length;
  if (found >= leastToLearn) return;
  const { share, isOfFailed } = shareToRead(tasks);
  const more = share === null ? null : Math.ceil((leastToLearn - found) / (share / 2));
  const percent = share === null ? '' : `${(share * 100).toFixed(1).replace(/\.0$/, '')} %`;
  const advice =
    more === null
      ? 'read more conversations'
      : `read about ${more} more ${isOfFailed ? 'failures' : 'conversations'} (${percent} have it, half of them teach)`;
  throw new TouchstoneError(
    'mode-too-small',
    `${mode.id} has ${found} ${found === 1 ? 'note' : 'notes'} to learn from; ${advice}, or draw by \`--draw category\`.`,
  );
}

/** Returns the share of the failures that were read, or else of all conversations, that have the mode; null without any. */
function shareToRead(tasks: readonly MarkedTask[]): {
  readonly share: number | null;
  readonly isOfFailed: boolean;
} {
  const marked = tasks.flatMap(({ items }) => items.filter(({ people }) => people.size > 0));
  const failed = marked.filter(({ item }) => item.stratum.startsWith('failed'));
  const of = failed.length > 0 ? failed : marked;
  const having = of.filter(({ people }) => [...people.values()].every(Boolean)).length;
  return { share: having === 0 ? null : having / of.length, isOfFailed: failed.length > 0 };
}

/** The numbers that the next labels are expected to have, if the judge is right about nine of ten answers. */
export interface ExpectedLabels {
  readonly labels: number;
  /** The numbers of labels of answers with the mode and without; a certificate wants 50 of each. */
  readonly having: number;
  readonly free: number;
  /** The number of answers of the run. */
  readonly answers: number;
}

/** The share of answers about which a judge is expected to be right. */
const expectedAccuracy = 0.9;

/**
 * Returns what to expect of labels that are drawn half and half by the judge's verdict, from the newest review task whose draw was
 * random; null without one.
 */
export function expectLabels(tasks: readonly MarkedTask[], labels: number): ExpectedLabels | null {
  const drawn = tasks.find(({ items }) =>
    items.some(({ item, people }) => people.size > 0 && item.probability !== null),
  );
  if (drawn === undefined) return null;
  const answers = drawn.task.frame.count;
  const share = drawn.task.strata.reduce((sum, { name, size }) => {
    const own = drawn.items.filter(({ item, people }) => item.stratum === name && people.size > 0);
    const having = own.filter(({ people }) => [...people.values()].every(Boolean)).length;
    return own.length === 0 ? sum : sum + (size / answers) * (having / own.length);
  }, 0);
  const [havingFailed, freeFailed] = [share * expectedAccuracy, (1 - share) * (1 - expectedAccuracy)];
  const failed = Math.min(labels / 2, (havingFailed + freeFailed) * answers);
  const passed = Math.min(labels - failed, (1 - havingFailed - freeFailed) * answers);
  const inFailed = failed * (havingFailed / (havingFailed + freeFailed));
  const inPassed = passed * ((share - havingFailed) / (1 - havingFailed - freeFailed));
  const having = Math.round(inFailed + inPassed);
  const all = Math.round(failed + passed);
  return { labels: all, having, free: all - having, answers };
}
