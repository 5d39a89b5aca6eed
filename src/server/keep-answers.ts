import type { Run } from '../core/schema/run.ts';
import type { Store } from '../stores/store.ts';

/**
 * Creates a memory for the answers to the last few questions, since a page asks the same ones again and again. An answer that
 * fails is not cached.
 * @param most - The number of answers that are cached.
 * @param isKept - Returns whether an answer is small enough to be cached; by default, every answer is.
 */
export function keepAnswers<Answer>(
  most: number,
  isKept: (answer: Answer) => boolean = () => true,
): (question: string, find: () => Promise<Answer>) => Promise<Answer> {
  const kept = new Map<string, Promise<Answer>>();
  return async (question, find) => {
    const answer = kept.get(question) ?? find();
    kept.delete(question);
    kept.set(question, answer);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    const forget = () => kept.delete(question);
    answer.then((found) => isKept(found) || forget(), forget);
    return await answer;
  };
}

/**
 * Creates a memory for answers that need the whole of some records, and follow from the store alone: an answer is cached until
 * anything in the store changes.
 * @param most - The number of answers that are cached.
 */
export function keepWhileUnchanged<Answer>(
  most: number,
): (
  store: Pick<Store, 'address' | 'readVersion'>,
  question: unknown,
  find: () => Promise<Answer>,
) => Promise<Answer> {
  const keep = keepAnswers<Answer>(most);
  return async (store, question, find) =>
    await keep(JSON.stringify([store.address, await store.readVersion(), question]), find);
}

/**
 * Creates a memory for answers about runs, which are cached once all of these are finished.
 * @param most - The number of answers that are cached.
 * @param isKept - Returns whether an answer is small enough to be cached; by default, every answer is.
 */
export function keepWhenFinished<Answer>(
  most: number,
  isKept?: (answer: Answer) => boolean,
): (
  store: Pick<Store, 'address'>,
  runs: readonly Pick<Run, 'id' | 'finishedAt'>[],
  question: unknown,
  find: () => Promise<Answer>,
) => Promise<Answer> {
  const keep = keepAnswers(most, isKept);
  return async ({ address }, runs, question, find) => {
    const of = runs.map(({ id, finishedAt }) => [id, finishedAt]);
    // A run that is not finished changes.
    const isOpen = runs.some(({ finishedAt }) => finishedAt === undefined);
    return await (isOpen ? find() : keep(JSON.stringify([address, of, question]), find));
  };
}
