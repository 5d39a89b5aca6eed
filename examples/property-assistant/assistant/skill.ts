import type { Question } from './question.ts';
import type { Toolbox } from './toolbox.ts';

/** A word or run of words that speaks for a skill, and how strongly. */
export type Signal = [phrase: string, weight: number];

/** One thing the assistant can do: the signals that call for it, and the answer it makes with the tools. */
export interface Skill {
  name: string;
  signals: Signal[];
  answer(question: Question, toolbox: Toolbox): Promise<string>;
}
