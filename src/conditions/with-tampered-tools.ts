import { isDeepStrictEqual } from 'node:util';
import { wait } from '../lib/waiting.ts';
import { createRandom, type Random } from '../stats/random.ts';
import type { AroundTool, HandledOutcome, Target, ToolOutcome, ToolUse } from '../targets/target.ts';
import type { Fault } from './faults/fault.ts';
import { sameBut, withPartial } from './with-call.ts';

/** What happens to the tools of a target, and how often (see `createStrikes`). */
export interface Tampering {
  readonly fault: Fault;
  readonly rate: number | undefined;
}

/** A call that fails takes a moment, so that one that is tried again at once is not tried without end. */
const failureMs = 20;

/** The same target with faults in its tools. The seed of a trial says which uses are hit, turn after turn. */
export function withTamperedTools(target: Target, { fault, rate }: Tampering): Target {
  const ofSession = new WeakMap<object, Strikes>();
  return sameBut(target, async (request, context) => {
    const { seed, session } = request;
    const strikes = ofSession.get(session.memory) ?? createStrikes({ seed, kind: fault.kind, rate });
    ofSession.set(session.memory, strikes);
    const runTool =
      context.aroundTool ?? (async (_use: ToolUse, run: () => Promise<ToolOutcome>) => await run());
    const aroundTool: AroundTool = async (use, run) => {
      const random = strikes(use.name);
      if (random === undefined) return await runTool(use, run);
      if ('fail' in fault) await wait(failureMs, context.signal);
      const outcome = await strike(fault, { use, random, run: async () => await runTool(use, run) });
      isTouched ||= outcome.fault !== undefined;
      return outcome;
    };
    let isTouched = false;
    const note = () => (isTouched ? {} : { untouched: true as const });
    try {
      const reply = await target.call(request, { ...context, aroundTool });
      return { ...reply, ...note() };
    } catch (error) {
      throw withPartial(error, note(), context.signal);
    }
  });
}

interface Struck {
  readonly use: ToolUse;
  readonly random: Random;
  readonly run: () => Promise<HandledOutcome>;
}

async function strike(fault: Fault, { use, random, run }: Struck): Promise<HandledOutcome> {
  if ('fail' in fault) return { ...fault.fail(use, random), fault: fault.kind };
  const outcome = await run();
  if ('error' in outcome) return outcome;
  const result = fault.corrupt(outcome.result, random);
  if (isDeepStrictEqual(result, outcome.result)) return outcome;
  return { result, fault: fault.kind, withheld: outcome.result };
}

/** Which uses of tools are hit. */
interface StrikePlan {
  readonly seed: number;
  /** The kind of what hits them: each has random numbers of its own. */
  readonly kind: string;
  /** The share of uses that are hit, each by itself; see `createStrikes` for when there is none. */
  readonly rate: number | undefined;
}

/** Asked before every use of a tool, in order: random numbers for a use that is hit, undefined for one that is spared. */
type Strikes = (tool: string) => Random | undefined;

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
