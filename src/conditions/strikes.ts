import { createRandom, type Random } from '../stats/random.ts';

/** Which uses of tools are hit. */
export interface StrikePlan {
  readonly seed: number;
  /** The kind of what hits them: each has random numbers of its own. */
  readonly kind: string;
  /** The share of uses that are hit, each by itself; see `createStrikes` for when there is none. */
  readonly rate: number | undefined;
}

/** Asked before every use of a tool, in order: random numbers for a use that is hit, undefined for one that is spared. */
export type Strikes = (tool: string) => Random | undefined;

/**
 * Decides use by use which ones are hit in a conversation, by its seed and nothing else. Without a rate the seed also says
 * of which sort the trouble is. In one half of the conversations it passes: only the first use of each tool is hit, so that
 * trying again helps, and shows who does. In the other half it lasts: every use is hit, which shows who makes things up.
 */
export function createStrikes({ seed, kind, rate }: StrikePlan): Strikes {
  const random = createRandom(seed).fork(kind);
  const isLasting = random.fork('lasting').integer(2) === 1;
  const used = new Set<string>();
  let uses = 0;
  return (tool) => {
    const ofUse = random.fork(uses);
    const isFirst = !used.has(tool);
    uses += 1;
    used.add(tool);
    const isHit = rate === undefined ? isFirst || isLasting : ofUse.next() < rate;
    return isHit ? ofUse : undefined;
  };
}
