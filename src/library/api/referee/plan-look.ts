import type { HeldOutSet } from '../../../core/schema/referee/referee.ts';
import { isSameQuestion } from '../../../decide/referee/ledger-state.ts';
import type { AgentLimits } from '../../config/config.ts';
import { openStoreOf } from '../../config/open-store-of.ts';
import { costOfPlan, planReady } from '../project/plan-run.ts';
import { isElsewhere } from './held-out-folder.ts';
import { prepareLook } from './look.ts';
import type { LookOptions } from './look-report.ts';
import { openRefereeProject, type RefereeProject } from './open-project.ts';
import { withHeldOut } from './with-held-out.ts';

/** A look before it is taken. */
export interface PlannedLook {
  /** True where questions would be asked that no earlier look has begun to ask. */
  readonly isNew: boolean;
  /** The number of held-out questions; null where a server or another account has them. */
  readonly questions: number | null;
  /** The likely price in US dollars, as {@link priceOf} says it; null when it is not known. */
  readonly price: number | null;
  readonly agents: AgentLimits;
}

/** Says what a look would ask and cost, and what agents may spend. Asks nothing. Throws what `look` throws before it asks anything. */
export async function planLook(options: LookOptions = {}): Promise<PlannedLook> {
  const project = await openRefereeProject(options);
  const { agents } = project.config;
  if (isElsewhere(project.heldOut)) return { isNew: true, questions: null, price: null, agents };
  return await withHeldOut(project, async (_place, state) => {
    const { question, before } = prepareLook({ project, state }, options);
    const isOpen = state.open !== undefined && isSameQuestion(state.open, question);
    const { questions } = state.set;
    return {
      isNew: before?.answer === undefined && !isOpen,
      questions,
      price: await priceOf(project, state.set),
      agents,
    };
  });
}

/** Estimates the price of a look from the price of the working set, judges included; null when a part of it is not known. */
export async function priceOf(
  { config, workspace, evaluation }: RefereeProject,
  { questions }: Pick<HeldOutSet, 'questions'>,
): Promise<number | null> {
  const store = openStoreOf({ config, folder: workspace }, { opening: 'existing' });
  try {
    const plan = await planReady({ evaluation }, store);
    const { usd, unknown } = costOfPlan(plan);
    const asked = plan.cases * evaluation.targets.length;
    return usd === null || unknown.length > 0 || asked === 0 ? null : (usd * questions) / asked;
  } finally {
    await store.close();
  }
}
