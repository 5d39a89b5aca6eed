import { z } from 'zod';
import type { PlannedRun } from '../../../library/api/project/plan-run.ts';
import type { Reply } from '../fit-reply.ts';
import { idOf, quote } from '../quote.ts';
import { defineTool, localOf, runInput } from '../tool.ts';

/** The questions that a run asks: the input of `plan_run`, and with what it may cost that of `start_run`. */
export const plannedInput = {
  targets: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
  filter: z.string().max(1000).optional().describe('Such as category=tax or id=refund-*.'),
  limit: z.int().min(1).optional().describe('Only the first questions.'),
  attempts: z.int().min(1).max(100).optional(),
  failedOf: runInput.optional().describe('A run: only what did not pass in it is asked again.'),
};

/** `plan_run`: what a run would ask and cost, and what it could show. */
export const planRun = defineTool({
  name: 'plan_run',
  description:
    'What a run would ask, cost and take, without asking anything; and the smallest gain that a run of this size can show. cost.usd is null where no price is known.',
  input: z.strictObject(plannedInput),
  output: ['trials', 'calls', 'judgeCalls', 'cost', 'timeMs', 'smallestGain', 'mayStart'],
  limit: 4000,
  isLocal: true,
  call: async (asked, call) => {
    const { config, call: inProcess } = localOf(call);
    return describe(await inProcess('plan', config, asked));
  },
});

/** The price of a planned run. */
interface PlannedCost {
  /** US dollars, targets and judges together; null when no price is known. */
  readonly usd: number | null;
  /** The runs whose mean price was used. */
  readonly from: readonly string[];
  /** The targets without a known price, and `judges`. */
  readonly unknown: readonly string[];
}

/** Adds up what is known of the price of a plan, and names what is not. */
export function costOf(plan: PlannedRun): PlannedCost {
  const { price, batched, judging } = plan;
  const parts = [price?.cost, batched?.cost, judging?.cost];
  const known = parts.filter((cost) => typeof cost === 'number');
  return {
    usd: known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0),
    from: price?.from ?? [],
    unknown: unpricedOf(plan).map(idOf),
  };
}

function unpricedOf({ price, batched, judging, targets, underConditions = [] }: PlannedRun): string[] {
  const inBatches = batched?.targets ?? [];
  const others = [...targets, ...underConditions].filter((name) => !inBatches.includes(name));
  return [
    ...(price === null ? others : price.unknown),
    ...(batched?.cost === null ? inBatches : []),
    ...(judging?.cost === null ? ['judges'] : []),
  ];
}

function describe(plan: PlannedRun): Reply {
  const {
    cases,
    targets,
    underConditions = [],
    attempts,
    kept,
    calls,
    leastCalls,
    judging,
    notices = [],
  } = plan;
  return {
    cases,
    targets: [...targets, ...underConditions].map(idOf),
    attempts,
    trials: calls + kept,
    ...(kept > 0 && { kept }),
    calls,
    leastCalls,
    judgeCalls: judging?.calls ?? 0,
    cost: costOf(plan),
    timeMs: plan.timeMs === null ? null : Math.round(plan.timeMs),
    smallestGain: plan.smallestGain === null ? null : Number(plan.smallestGain.toFixed(4)),
    ...(notices.length > 0 && { warnings: notices.map((each) => quote('file', each, 200)) }),
  };
}
