type Answer = Readonly<Record<string, unknown>>;

const again: Readonly<Record<string, string>> = {
  yes: 'it is so',
  no: 'it is not so',
  first: 'the first is better',
  second: 'the second is better',
  tie: 'they are equal',
};

/**
 * Writes an answer as a judge's reply in the form that the prompt asks for: with the verdict in words (a score falls on
 * the scale from 0 to 1) and with the id of the request. Use it in a model of your own that plays a judge.
 * @param prompt - The last message of the request.
 */
export function writeJudgeReply(given: object, prompt: string): string {
  const answer = given as Answer;
  const id = /"id": "(\w+)"\}\s*$/.exec(prompt)?.[1];
  const parts = Object.entries(answer).map(([key, value]) => [key, isAnswer(value) ? inWords(value) : value]);
  return JSON.stringify({ ...inWords(answer), ...Object.fromEntries(parts), id });
}

function inWords(answer: Answer): Answer {
  const { score, verdict, better } = answer;
  const said = verdict ?? better;
  if (typeof score === 'number') return { in_words: wordOf(score), ...answer };
  return typeof said === 'string' ? { in_words: again[said], ...answer } : answer;
}

function wordOf(score: number): string {
  if (score < 0.5) return 'low';
  return score > 0.5 ? 'high' : 'middle';
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
