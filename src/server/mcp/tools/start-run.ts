import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withStore } from '../../../library/api/open-store.ts';
import { findRun, listRunHeads } from '../../../look/queries/runs.ts';
import { formatMoney, formatPlural } from '../../../look/report/format.ts';
import type { Store } from '../../../stores/store.ts';
import { inAgentsTurn } from '../agents-turn.ts';
import { OwnError } from '../errors.ts';
import type { Reply } from '../fit-reply.ts';
import { checkSpending, costOfRun, spentOfDay } from '../spending.ts';
import { beginningOf, defineTool, runInput, type ToolCall } from '../tool.ts';
import { describeCost, plannedInput } from './plan-run.ts';

const input = z.strictObject({
  ...plannedInput,
  resume: runInput
    .optional()
    .describe('A run that has ended early: it is continued, and nothing is asked twice.'),
  maxCost: z.number().min(0).max(100_000).describe('The most that it may spend, in US dollars.'),
  note: z.string().max(500).optional().describe('What has changed since the run before.'),
});
type Asked = z.output<typeof input>;

/** `start_run`: the questions asked, in a process of its own. */
export const startRun = defineTool({
  name: 'start_run',
  description:
    'Starts a run, or continues one (resume), in a process of its own, and returns its id at once; one at a time. maxCost is required; above what agents may spend, or at an unknown price, a person is asked.',
  input,
  output: ['run', 'planned', 'maxCost', 'next'],
  limit: 1000,
  isWriting: true,
  isOpenWorld: true,
  isBeginning: true,
  // The second one sees the run of the first.
  call: async (asked, call) =>
    await withStore(
      await call.project.store(),
      async (store) =>
        await inAgentsTurn(store, call.context.mcpReq.signal, async () => await start(asked, call)),
    ),
});

async function start(asked: Asked, call: ToolCall): Promise<Reply | InputRequiredResult> {
  const { maxCost, note, ...wanted } = asked;
  if (asked.resume !== undefined) refuseOthers(asked);
  const state = await withStore(
    await call.project.store(),
    async (store) => await lookBefore(asked, store, call),
  );
  const request = { ...wanted, ...(state.resumed !== undefined && { resume: state.resumed }) };
  const { signal } = call.context.mcpReq;
  const { plan, ...planned } = await beginningOf(call).plan({ ...request, isBrief: true }, signal);
  const cost = describeCost(plan);
  const question = await checkSpending(
    {
      input: asked,
      question: `Spend up to ${formatMoney(maxCost)} on ${formatPlural(plan.calls, 'call')}?`,
      byHand: `touchstone run … --max-cost ${maxCost}`,
      maxCost,
      planned: cost.usd,
      isUnpriced: cost.unknown.length > 0,
      agents: plan.agents,
      spent: state.spent,
    },
    call,
  ).catch(async (error: unknown) => {
    await planned.drop();
    throw error;
  });
  if (question !== undefined) return question;
  const run = await planned.start({ maxCost, before: state.before, note });
  await call.project.onChange?.('run-start', run);
  return {
    run,
    planned: { calls: plan.calls, kept: plan.kept, judgeCalls: plan.judging?.calls ?? 0, cost },
    maxCost,
    next: `run_status ${run} until it has ended; stop_run ${run} stops it.`,
  };
}

/** Throws `usage-invalid`: a run that is continued asks what it was begun for. */
function refuseOthers({ resume: _resume, maxCost: _maxCost, note: _note, ...others }: Asked): void {
  if (Object.values(others).every((each) => each === undefined)) return;
  throw new OwnError(
    'usage-invalid',
    'resume continues a run as it was begun.',
    'Leave out targets, filter, limit, attempts and failedOf.',
  );
}

interface Before {
  /** The id of the run to continue. */
  readonly resumed?: string;
  /** Its cost until now, in US dollars. */
  readonly before: number;
  /** The spending of agents in the last 24 hours. */
  readonly spent: number;
}

/** Looks at the runs of a project before another one is started. Throws `run-in-progress` while one is under way. */
async function lookBefore({ resume }: Asked, store: Store, call: ToolCall): Promise<Before> {
  const { starts: readStarts, isShared } = beginningOf(call);
  const starts = await readStarts();
  const heads = await listRunHeads(store, { limit: 50 });
  const busy = heads.find(
    ({ run, isEnded }) =>
      (run.status === 'running' || run.status === 'planning') &&
      !isEnded &&
      (!isShared || starts.some((start) => start.run === run.id)),
  );
  if (busy !== undefined)
    throw new OwnError(
      'run-in-progress',
      `Run ${busy.run.id} is under way; one at a time.`,
      `Follow it by run_status, or stop it by stop_run.`,
    );
  const spent = await spentOfDay(starts, store);
  if (resume === undefined) return { before: 0, spent };
  const { id } = await findRun(store, resume);
  return { resumed: id, before: (await costOfRun(id, store)) ?? 0, spent };
}
