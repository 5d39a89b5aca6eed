import type { LookReport } from '../../../core/schema/referee/look-request.ts';
import type { LedgerLook, LedgerState } from '../../../decide/referee/ledger-state.ts';
import { describeGain } from './gain-seen.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import type { RefereeChoice, RefereeProject } from './open-project.ts';
import { compareWorkingSets } from './working-set.ts';

/** A look to take. */
export interface LookOptions extends RefereeChoice {
  /** The target to look at; by default the only one that is not the incumbent. */
  readonly candidate?: string;
  /** A share, such as 0.05: the claim that it loses less than that, in place of the claim that it is better. */
  readonly margin?: number;
  /** True to give up a look that was stopped, which costs it. */
  readonly withdraws?: boolean;
  /** True to leave the incumbent as it is when the candidate is confirmed. */
  readonly keepsIncumbent?: boolean;
  readonly signals?: StopSignals;
}

/** Describes the answer to a look, with what the working set says next to it. */
export async function reportLook(
  { project, state }: { readonly project: RefereeProject; readonly state: LedgerState },
  asked: LedgerLook,
  {
    isRepeated = false,
    ...result
  }: Pick<LookReport, 'answer' | 'open'> & Partial<Pick<LookReport, 'isRepeated'>>,
): Promise<LookReport> {
  const workingSet = await compareWorkingSets(project, asked.incumbent, asked.candidate);
  const { set, answered } = state;
  return {
    ...result,
    look: asked.look,
    looks: set.looks,
    surprises: { seen: answered.surprises, most: set.surprises },
    claim: asked.claim,
    candidate: asked.candidate,
    incumbent: asked.incumbent,
    asks: asked.asks,
    questions: set.questions,
    level: asked.level,
    isRepeated,
    isAdopted: state.incumbent.version.fingerprint === asked.candidate.fingerprint,
    workingSet,
    gain: describeGain(set, asked.level, workingSet?.broken),
    seal: 'folder',
  };
}
