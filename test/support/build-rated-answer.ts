import type { RatedAnswer } from '../../src/people/feedback/rated-answers.ts';

/** Builds an answer without an opinion of a user, for tests, with any further parts that a test needs. */
export function buildRatedAnswer(parts: Partial<RatedAnswer> = {}): RatedAnswer {
  return {
    run: 'r',
    ordinal: 0,
    caseId: 'a',
    category: 'tax',
    target: 'bot',
    answeredAt: '2026-01-07T10:00:00.000Z',
    score: 0.5,
    judged: {},
    opinion: null,
    opinions: 0,
    comments: [],
    signals: [],
    ...parts,
  };
}
