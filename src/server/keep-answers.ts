/**
 * Creates a memory for the answers to the last few questions, since a page asks the same ones again and again. An answer that
 * fails is not kept.
 * @param most - The number of answers that are kept.
 */
export function keepAnswers<Answer>(
  most: number,
): (question: string, find: () => Promise<Answer>) => Promise<Answer> {
  const kept = new Map<string, Promise<Answer>>();
  return async (question, find) => {
    const answer = kept.get(question) ?? find();
    kept.delete(question);
    kept.set(question, answer);
    const [oldest] = kept.keys();
    if (kept.size > most && oldest !== undefined) kept.delete(oldest);
    answer.catch(() => kept.delete(question));
    return await answer;
  };
}
