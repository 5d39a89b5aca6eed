import type { HeldOutSet } from '../../../core/schema/referee/referee.ts';
import { questionsFor, smallestGain, smallestScoreGain } from '../../../decide/referee/power.ts';

/** The gain that a look would confirm with a chance of 80 %. */
export interface GainSeen {
  /** A share; undefined when not even the greatest gain is seen. */
  readonly gain?: number;
  /** The share of questions that the better version is taken to break, and whether that is known from the working set. */
  readonly broken: number;
  readonly isKnown: boolean;
  /** The number of questions that would see a gain of 10 points; undefined where scores are compared. */
  readonly questionsForTen?: number;
}

/** The share of questions that a better version breaks, where the working set does not say. */
const usuallyBroken = 0.02;
/** The deviation of the differences of scores, where the values are not only 0 and 1. */
const usualDeviation = 0.3;

/** Computes the gain that a test at a level sees. */
export function describeGain(
  { units, isBinary }: HeldOutSet,
  level: number,
  known: number | undefined,
): GainSeen {
  const broken = known ?? usuallyBroken;
  const gain = isBinary
    ? smallestGain({ questions: units, level, broken })
    : smallestScoreGain({ questions: units, level }, usualDeviation);
  const questionsForTen = isBinary ? questionsFor(0.1, { level, broken }) : undefined;
  return { gain, broken, isKnown: known !== undefined, questionsForTen };
}
