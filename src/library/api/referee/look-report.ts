import type { LookAnswer, TargetVersion } from '../../../core/schema/referee/referee.ts';
import type { LedgerLook, LedgerState } from '../../../decide/referee/ledger-state.ts';
import type { RefereeClaim } from '../../../decide/referee/tests.ts';
import { describeGain, type GainSeen } from './gain-seen.ts';
import type { RefereeProject } from './open-project.ts';
import { compareWorkingSets, type WorkingSetChange } from './working-set.ts';

/** The answer of the referee: one bit, or that there is none yet. */
export interface LookReport {
  readonly answer: LookAnswer | 'open';
  readonly look: number;
  readonly looks: number;
  readonly surprises: { readonly seen: number; readonly most: number };
  readonly claim: RefereeClaim;
  readonly candidate: TargetVersion;
  readonly incumbent: TargetVersion;
  /** The answers of the incumbent: `again` when its answers were old; `gone` when they were, and no target of the config is it. */
  readonly asks: 'recorded' | 'again' | 'gone';
  readonly questions: number;
  readonly level: number;
  /** True for the answer of an earlier look, which cost nothing. */
  readonly isRepeated: boolean;
  /** Why there is no answer yet. */
  readonly open?: 'stopped' | 'judge' | 'fault';
  /** True when the candidate is the incumbent now. */
  readonly isAdopted: boolean;
  readonly workingSet?: WorkingSetChange;
  readonly gain: GainSeen;
  readonly seal: 'folder';
}

/** Describes the answer to a look, with what the working set says beside it. */
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
