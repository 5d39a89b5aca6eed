import { TouchstoneError } from '../../../core/errors.ts';
import type { HeldOutSet, LookAnswer, TargetVersion } from '../../../core/schema/referee/referee.ts';
import { isOver, nextTest } from '../../../decide/referee/ledger-state.ts';
import { fewestWins, type RefereeClaim, smallestMargin } from '../../../decide/referee/tests.ts';
import { describeGain, type GainSeen } from './gain-seen.ts';
import { noteSeen } from './held-out-folder.ts';
import { priceOf } from './plan-look.ts';
import { whoAsks, withHeldOut } from './with-held-out.ts';
import { openRefereeProject, type RefereeChoice } from './open-project.ts';

/** The state of a held-out set. */
export interface RefereeStatus {
  readonly set: HeldOutSet;
  readonly incumbent: TargetVersion & { readonly since: string };
  readonly looksLeft: number;
  readonly surprises: { readonly seen: number; readonly most: number };
  /** The reason why it answers nothing any more. */
  readonly over?: 'opened' | 'looks' | 'surprises';
  /** The next look at a set that is not over. */
  readonly next?: {
    readonly level: number;
    readonly gain: GainSeen;
    readonly fewestWins: number;
    /** The smallest margin, a share, for which no loss can be shown. */
    readonly smallestMargin: number;
  };
  /** A look that has no answer yet. */
  readonly open?: { readonly look: number; readonly candidate: TargetVersion };
  readonly looks: readonly {
    readonly look: number;
    readonly at: string;
    readonly claim: RefereeClaim;
    readonly candidate: string;
    readonly incumbent: string;
    readonly answer: LookAnswer | 'open';
  }[];
  /** The likely price of a look in US dollars, from runs of the working set; null when none knows one. */
  readonly price: number | null;
  readonly seal: 'folder';
}

/** Returns the state of a project's held-out set. Calls nothing and changes nothing. */
export async function refereeStatus(choice: RefereeChoice = {}): Promise<RefereeStatus> {
  const project = await openRefereeProject(choice);
  return await withHeldOut(project, async (_place, state) => {
    const { set, incumbent, answered, open, looks } = state;
    const { level } = nextTest(state, { kind: 'improvement' });
    const over = state.isOpened ? 'opened' : answered.looks >= set.looks ? 'looks' : 'surprises';
    return {
      set,
      incumbent: { ...incumbent.version, since: incumbent.at },
      looksLeft: isOver(state) ? 0 : set.looks - answered.looks,
      surprises: { seen: answered.surprises, most: set.surprises },
      ...(isOver(state)
        ? { over }
        : {
            next: {
              level,
              gain: describeGain(set, level, undefined),
              fewestWins: fewestWins(level),
              smallestMargin: smallestMargin(set.units, { losses: 0, level }),
            },
          }),
      ...(open !== undefined && { open: { look: open.look, candidate: open.candidate } }),
      looks: looks.map(({ look, at, claim, candidate, incumbent: before, answer }) => ({
        look,
        at,
        claim,
        candidate: candidate.label,
        incumbent: before.label,
        answer: answer ?? 'open',
      })),
      price: await priceOf(project, set),
      seal: 'folder',
    };
  });
}

/** Makes the version that was confirmed last the incumbent. Returns it. */
export async function adoptConfirmed(choice: RefereeChoice = {}): Promise<TargetVersion> {
  const project = await openRefereeProject(choice);
  return await withHeldOut(project, async (place, { looks, incumbent, set }) => {
    const confirmed = looks.findLast(({ answer }) => answer === 'confirmed');
    if (confirmed === undefined || confirmed.candidate.fingerprint === incumbent.version.fingerprint)
      throw new TouchstoneError(
        'look-refused',
        'No version is confirmed that is not the incumbent already.',
        {
          remedy: 'Look at one: `touchstone referee look`.',
        },
      );
    const { candidate: version, look } = confirmed;
    const entries = place.ledger.add(() => [
      { event: 'incumbent', by: whoAsks(), version, run: `look-${look}` },
    ]);
    await noteSeen(project.workspace, entries, {
      set: set.set,
      look,
      candidate: version.label,
      answer: 'adopted',
    });
    return version;
  });
}
