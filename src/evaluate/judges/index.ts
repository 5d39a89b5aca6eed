export { type AnswerPair, comparePair, type PairVerdict } from './compare-pair.ts';
export type { Ballot, Judge, JudgeAnswer, JudgeContext, JudgeNeeds, JudgeQuestion } from './judge.ts';
export * from './registry.ts';
