import { isDeepStrictEqual } from 'node:util';
import { wait } from '../../core/lib/waiting.ts';
import { createRandom, type Random } from '../../core/stats/random.ts';
import type { HandledOutcome, Target, ToolInterceptor, ToolOutcome, ToolUse } from '../targets/target.ts';
import type { Fault } from './faults/fault.ts';
import { withCall, withPartial } from './with-call.ts';

/** The fault to inject into the tools of a target, and its rate (see `createFaultSchedule`). */
export interface ToolFaults {
  readonly fault: Fault;
  readonly rate: number | undefined;
  /** The variant of the fault, such as `30s`. */
  readonly variant?: string;
}

/** The time that a failing call takes, so that a target which repeats it at once does not repeat it endlessly. */
const failureMs = 20;

/**
 * Wraps a target so that faults are injected into its tools. The seed of a trial determines which uses are faulted,
 * turn after turn.
 */
export function withToolFaults(target: Target, { fault, rate, variant }: ToolFaults): Target {
  const ofSession = new WeakMap<object, FaultSchedule>();
  return withCall(target, async (request, context) => {
    const { seed, session } = request;
    const schedule = ofSession.get(session.memory) ?? createFaultSchedule({ seed, kind: fault.kind, rate });
    ofSession.set(session.memory, schedule);
    const runTool =
      context.interceptTool ?? (async (_use: ToolUse, run: () => Promise<ToolOutcome>) => await run());
    const interceptTool: ToolInterceptor = async (use, run) => {
      const random = schedule(use.name);
      if (random === undefined) return await runTool(use, run);
      if ('fail' in fault) await wait(failureMs, context.signal);
      const outcome = await injectFault(fault, {
        use,
        random,
        signal: context.signal,
        variant,
        run: async () => await runTool(use, run),
      });
      isTriggered ||= outcome.fault !== undefined;
      return outcome;
    };
    let isTriggered = false;
    const triggerPart = () => (isTriggered ? {} : { untouched: true as const });
    try {
      const reply = await target.call(request, { ...context, interceptTool });
      return { ...reply, ...triggerPart() };
    } catch (error) {
      throw withPartial(error, triggerPart(), context.signal);
    }
  });
}

interface FaultedUse {
  readonly use: ToolUse;
  readonly random: Random;
  readonly signal: AbortSignal;
  readonly variant: string | undefined;
  readonly run: () => Promise<HandledOutcome>;
}

async function injectFault(
  fault: Fault,
  { use, random, signal, variant, run }: FaultedUse,
): Promise<HandledOutcome> {
  if ('fail' in fault) return { ...fault.fail(use, random), fault: fault.kind };
  if ('delaysMs' in fault) {
    await wait(fault.delaysMs[variant ?? ''] ?? Object.values(fault.delaysMs)[0] ?? 0, signal);
    return { ...(await run()), fault: fault.kind };
  }
  const outcome = await run();
  if ('error' in outcome) return outcome;
  const result = fault.corrupt(outcome.result, random);
  if (isDeepStrictEqual(result, outcome.result)) return outcome;
  return { result, fault: fault.kind, withheld: outcome.result };
}

/** The settings that determine which uses of tools are faulted. */
interface FaultPlan {
  readonly seed: number;
  /** The kind of the fault; each kind has random numbers of its own. */
  readonly kind: string;
  /** The share of uses that are faulted, each independently; see `createFaultSchedule` for when there is none. */
  readonly rate: number | undefined;
}

/**
 * A function to call before every use of a tool, in order. Returns random numbers for a use that is faulted, undefined
 * for any other.
 */
type FaultSchedule = (tool: string) => Random | undefined;

/**
 * Decides use by use which ones are faulted in a conversation, by its seed alone. Without a rate the seed also
 * determines whether the trouble lasts. In one half of the conversations it is transient: only the first use of each
 * tool is faulted, which shows whether the target tries again. In the other half it is permanent: every use is faulted,
 * which shows whether the target makes results up.
 */
export function createFaultSchedule({ seed, kind, rate }: FaultPlan): FaultSchedule {
  const random = createRandom(seed).fork(kind);
  const isPermanent = random.fork('lasting').integer(2) === 1;
  const used = new Set<string>();
  let uses = 0;
  return (tool) => {
    const ofUse = random.fork(uses);
    const isFirst = !used.has(tool);
    uses += 1;
    used.add(tool);
    const isFaulted = rate === undefined ? isFirst || isPermanent : ofUse.next() < rate;
    return isFaulted ? ofUse : undefined;
  };
}
