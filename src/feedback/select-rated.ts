import type { RatedList, RatedRow } from '../schema/api/feedback-view.ts';
import type { SaidChoice } from '../schema/api/record-counts.ts';
import { periodOf, type PeriodLength } from './periods.ts';
import type { RatedAnswer } from './rated-answers.ts';

/** The answers to list. Conditions that are left out hold for all. */
export interface RatedChoice {
  readonly period?: string | undefined;
  readonly length?: PeriodLength;
  readonly category?: string | undefined;
  readonly target?: string | undefined;
  readonly said?: SaidChoice;
}

/** Returns whether users did to an answer what is asked for. */
const hasSaid: Readonly<Record<SaidChoice, (answer: RatedAnswer) => boolean>> = {
  reacted: ({ signals }) => signals.length > 0,
  every: () => true,
  rated: ({ opinion }) => opinion !== null,
  negative: ({ opinion }) => opinion === 'negative',
  neutral: ({ opinion }) => opinion === 'neutral',
  positive: ({ opinion }) => opinion === 'positive',
  unrated: ({ opinion }) => opinion === null,
  edited: ({ signals }) => signals.includes('edit'),
  escalated: ({ signals }) => signals.includes('escalated'),
};

/** Returns the answers of a period, category and target about which users said something, as numbers of a summary count them. */
export function selectRated(
  answers: readonly RatedAnswer[],
  { period, length = 'week', category, target, said = 'every' }: RatedChoice,
): RatedAnswer[] {
  return answers.filter(
    (answer) =>
      (category === undefined || answer.category === category) &&
      (target === undefined || answer.target === target) &&
      (period === undefined || periodOf(answer.answeredAt, length) === period) &&
      hasSaid[said](answer),
  );
}

/** The longest comment in a list, in UTF-16 code units. */
const longestComment = 300;

/** Lists answers, the newest first. */
export function listRated(answers: readonly RatedAnswer[], limit: number): RatedList {
  const newest = answers.toSorted((one, other) => (one.answeredAt < other.answeredAt ? 1 : -1));
  return { rows: newest.slice(0, limit).map(toRow), count: answers.length };
}

function toRow({ judged: _judged, opinions: _opinions, comments, ...answer }: RatedAnswer): RatedRow {
  const comment = comments.at(-1);
  if (comment === undefined) return answer;
  return {
    ...answer,
    comment: comment.length > longestComment ? `${comment.slice(0, longestComment)}…` : comment,
  };
}
