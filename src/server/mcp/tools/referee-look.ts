import type { InputRequiredResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { withStore } from '../../../library/api/open-store.ts';
import type { LookOptions } from '../../../library/api/referee/look-report.ts';
import { formatPlural } from '../../../look/report/format.ts';
import type { LookReport } from '../../../core/schema/referee/look-request.ts';
import { wait } from '../../../core/lib/waiting.ts';
import type { LocalProject } from '../project.ts';
import type { Reply } from '../fit-reply.ts';
import { quote } from '../quote.ts';
import { inAgentsTurn } from '../agents-turn.ts';
import { checkSpending, recordStart, spentOfDay, startsOfDay } from '../spending.ts';
import { defineTool, localOf, type ToolCall } from '../tool.ts';
import { choiceOf } from './referee-status.ts';

/** The longest that one call waits for an answer, in milliseconds: many clients give up after 60 seconds. */
const longestWaitMs = 45_000;

const input = z.strictObject({
  target: z
    .string()
    .max(500)
    .optional()
    .describe('The version to look at; the only one that is not the incumbent by default.'),
  kind: z.enum(['improvement', 'no-regression']).default('improvement'),
  margin: z.number().gt(0).lt(100).optional().describe('Of no-regression: the loss to rule out, in points.'),
});

/** `referee_look`: one bit about a version from the held-out set. */
export const refereeLook = defineTool({
  name: 'referee_look',
  description:
    'Asks the held-out questions of a version and says in one bit whether it is shown to be better than the incumbent, or to lose less than margin points. Looks are counted: only after compare_runs says better. While state is running, call it again with the same input.',
  input,
  output: [
    'answer',
    'state',
    'look',
    'looks',
    'surprises',
    'candidate',
    'incumbent',
    'workingSet',
    'heldOut',
    'seal',
    'next',
  ],
  limit: 1500,
  isWriting: true,
  isIdempotent: true,
  isOpenWorld: true,
  isLocal: true,
  isReferee: true,
  call: async (asked, call) => {
    const local = localOf(call);
    const margin = asked.kind === 'improvement' ? undefined : (asked.margin ?? 5) / 100;
    const choice = {
      ...choiceOf(local),
      candidate: asked.target,
      margin,
    };
    const key = JSON.stringify(choice);
    if (looks.get(local)?.has(key) !== true) {
      const { signal } = call.context.mcpReq;
      const question = await withStore(
        await call.project.store(),
        async (store) =>
          await inAgentsTurn(store, signal, async () => await askForPrice(asked, choice, call)),
      );
      if (question !== undefined) return question;
    }
    const report = await waitFor(
      underWay(local, key, async () => await local.call('look', choice)),
      call,
    );
    if (report === undefined)
      return { state: 'running', next: 'Call referee_look again with the same input.' };
    return describe(report);
  },
});

/**
 * Returns the question to a person where a look needs one; else records what it is likely to cost: what it does cost would say something
 * about the answers. For a look that was answered or begun before, no person is asked.
 */
async function askForPrice(
  asked: z.output<typeof input>,
  choice: LookOptions,
  call: ToolCall,
): Promise<InputRequiredResult | undefined> {
  const local = localOf(call);
  const { isNew, questions, price, agents } = await local.call('planLook', choice);
  if (!isNew) return undefined;
  const starts = startsOfDay(local);
  const spent = await withStore(await call.project.store(), async (store) => await spentOfDay(starts, store));
  const maxCost = price ?? 0;
  const question = await checkSpending(
    {
      input: asked,
      question: `Take a look at ${questions === null ? 'the held-out questions' : formatPlural(questions, 'held-out question')}?`,
      byHand: 'touchstone referee look',
      maxCost,
      planned: price,
      isUnpriced: price === null,
      agents,
      spent,
    },
    call,
  );
  if (question === undefined) recordStart(local, { run: 'referee look', maxCost, before: 0 });
  return question;
}

/** The looks that are under way in each project, by what was asked: a call that is repeated waits for the same one. */
const looks = new WeakMap<LocalProject, Map<string, Promise<LookReport>>>();

function underWay(local: LocalProject, key: string, begin: () => Promise<LookReport>): Promise<LookReport> {
  const known = looks.get(local) ?? new Map<string, Promise<LookReport>>();
  looks.set(local, known);
  const found = known.get(key);
  if (found !== undefined) return found;
  const begun = begin().finally(() => known.delete(key));
  known.set(key, begun);
  return begun;
}

async function waitFor(look: Promise<LookReport>, { context }: ToolCall): Promise<LookReport | undefined> {
  const end = new AbortController();
  const { signal } = context.mcpReq;
  const over = wait(longestWaitMs, AbortSignal.any([end.signal, signal])).catch(() => undefined);
  try {
    return await Promise.race([look, over.then(() => undefined)]);
  } finally {
    end.abort();
    // A look that fails later says so to the next call.
    look.catch(() => {});
  }
}

function describe({
  answer,
  look,
  looks: most,
  surprises,
  candidate,
  incumbent,
  ...report
}: LookReport): Reply {
  const { workingSet, gain, questions, level, isRepeated, isAdopted, open, asks } = report;
  return {
    answer,
    open,
    look,
    looks: most,
    surprises,
    isRepeated,
    candidate: quote('file', candidate.label, 80),
    incumbent: quote('file', incumbent.label, 80),
    incumbentAnswers: asks,
    workingSet,
    heldOut: { questions, level, gainSeen: gain.gain ?? null },
    isAdopted,
    seal: report.seal,
    next: nextStep(answer),
  };
}

function nextStep(answer: LookReport['answer']): string {
  if (answer === 'open')
    return 'Call referee_look again with the same input: it continues, and nothing is asked twice.';
  if (answer === 'confirmed')
    return 'It is shown to be better. Later versions are compared with the incumbent.';
  if (answer === 'not-confirmed')
    return 'No evidence, which does not mean worse. Look again only with another change: the same version gets the same answer.';
  return 'Look again only with another change: the same version gets the same answer.';
}
