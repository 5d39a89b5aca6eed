import { z } from 'zod';
import { costOfPlan, type PlannedCost, type PlannedRun } from '../../../library/api/project/plan-run.ts';
import type { Reply } from '../fit-reply.ts';
import { idOf, quote } from '../quote.ts';
import { beginningOf, defineTool, runInput } from '../tool.ts';

/** The questions that a run asks: the input of `plan_run`, and with what it may cost the input of `start_run`. */
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
  isBeginning: true,
  call: async (asked, call) => {
    const { plan, drop } = await beginningOf(call).plan(asked, call.context.mcpReq.signal);
    await drop();
    return describe(plan);
  },
});

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
    cost: describeCost(plan),
    timeMs: plan.timeMs === null ? null : Math.round(plan.timeMs),
    smallestGain: plan.smallestGain === null ? null : Number(plan.smallestGain.toFixed(4)),
    ...(notices.length > 0 && { warnings: notices.map((each) => quote('file', each, 200)) }),
  };
}

/** Describes the price of a plan. */
export function describeCost(plan: PlannedRun): PlannedCost {
  const cost = costOfPlan(plan);
  return { ...cost, unknown: cost.unknown.map(idOf) };
}
