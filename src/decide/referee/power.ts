import { binomialCdf, binomialProbability } from '../../core/stats/binomial.ts';
import { createRandom, normalQuantile } from '../../core/stats/index.ts';
import { isShown } from './tests.ts';

/** A better version, seen by a held-out set. */
export interface SeenGain {
  readonly questions: number;
  readonly level: number;
  /** The share of the questions that it breaks. */
  readonly broken: number;
}

/** The chance with which a gain has to be confirmed to count as seen. */
const wanted = 0.8;

/** Returns the chance that a gain in the share of passed questions is confirmed by the sign test. */
export function chanceOfConfirming(gain: number, { questions, level, broken }: SeenGain): number {
  const differs = Math.min(1, gain + 2 * broken);
  const lost = broken / differs;
  let chance = 0;
  let allowed = -1;
  for (let different = 1; different <= questions; different += 1) {
    // One question more allows one more loss at most.
    if (binomialCdf({ successes: allowed + 1, trials: different, p: 0.5 }) <= level) allowed += 1;
    if (allowed < 0) continue;
    const confirmed = lost === 0 ? 1 : binomialCdf({ successes: allowed, trials: different, p: lost });
    chance += chanceOf(different, questions, differs) * confirmed;
  }
  return chance;
}

function chanceOf(successes: number, trials: number, p: number): number {
  if (p >= 1) return successes === trials ? 1 : 0;
  return binomialProbability({ successes, trials, p });
}

/** Returns the smallest gain that is confirmed with a chance of 80 %; undefined when none is. */
export function smallestGain(seen: SeenGain): number | undefined {
  return smallest(1 - 2 * seen.broken, (gain) => chanceOfConfirming(gain, seen));
}

/** Returns the fewest questions with which a gain is confirmed with a chance of 80 %. */
export function questionsFor(gain: number, seen: Omit<SeenGain, 'questions'>): number {
  let [low, high] = [0, 1];
  const isSeen = (questions: number) => chanceOfConfirming(gain, { ...seen, questions }) >= wanted;
  for (; !isSeen(high); high *= 2) low = high;
  // The chance has small steps back, where one more question asks for one more win.
  for (low = Math.max(low, 1); low < high && !isSeen(low); ) low += 1;
  return low;
}

/** Lives that are simulated for each gain of scores. */
const lives = 400;

/**
 * Returns the smallest gain in the mean score that is confirmed with a chance of about 80 %, by simulation of differences
 * that are normal and cut off at −1 and 1; undefined when none is.
 * @param deviation - The standard deviation of the differences of single questions.
 */
export function smallestScoreGain(
  { questions, level }: Omit<SeenGain, 'broken'>,
  deviation: number,
): number | undefined {
  const test = { claim: { kind: 'improvement' }, measure: 'score', level } as const;
  return smallest(1, (gain) => {
    const random = createRandom(20_260_728);
    let confirmed = 0;
    for (let life = 0; life < lives; life += 1) {
      const differences = Array.from({ length: questions }, () =>
        Math.max(-1, Math.min(1, gain + deviation * normalQuantile(random.next()))),
      );
      if (isShown(test, differences)) confirmed += 1;
    }
    return confirmed / lives;
  });
}

function smallest(most: number, chanceAt: (gain: number) => number): number | undefined {
  if (chanceAt(most) < wanted) return undefined;
  let [low, high] = [0, most];
  for (let step = 0; step < 20; step += 1) {
    const gain = (low + high) / 2;
    if (chanceAt(gain) >= wanted) high = gain;
    else low = gain;
  }
  return high;
}
