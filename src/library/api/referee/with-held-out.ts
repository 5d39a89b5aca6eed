import { userInfo } from 'node:os';
import { TouchstoneError } from '../../../core/errors.ts';
import { type LedgerState, readLedgerState } from '../../../decide/referee/ledger-state.ts';
import { claimRun } from '../../../stores/sqlite/claim-run.ts';
import { underWay } from './ask-held-out.ts';
import { checkCases, checkSeen, type HeldOutPlace, isElsewhere, openHeldOut } from './held-out-folder.ts';
import type { RefereeProject } from './open-project.ts';

/** Opens the held-out set of a project for one use, which no other process can make of it meanwhile. */
export async function withHeldOut<Result>(
  project: RefereeProject,
  use: (place: HeldOutPlace, state: LedgerState) => Promise<Result>,
): Promise<Result> {
  requireFolder(project);
  await using place = openHeldOut(project.heldOut);
  await using _claim = claim(place);
  const entries = place.ledger.read();
  await checkSeen(project.workspace, entries);
  const state = readLedgerState(entries);
  if (state === undefined)
    throw new TouchstoneError('look-refused', 'The incumbent of the held-out set was not asked to the end.', {
      remedy: 'Run `touchstone referee init` again: it goes on where it stopped.',
    });
  await checkCases(place.folder, state.set.content);
  return await use(place, state);
}

/** Throws `look-refused` where the held-out set is with the jobs of a server, or with another account. */
export function requireFolder({ heldOut }: RefereeProject): void {
  if (!isElsewhere(heldOut)) return;
  throw new TouchstoneError(
    'look-refused',
    'The held-out set is not for this account: looks are answered where it is.',
    {
      remedy:
        'Ask for one with `touchstone referee look`; where the set is, name its folder: `--held-out FOLDER`.',
    },
  );
}

/** Claims the held-out set for this process. Throws `look-refused` when another one has it. */
export function claim({ store }: HeldOutPlace): AsyncDisposable {
  try {
    return claimRun(store.address, 'referee');
  } catch (error) {
    throw error instanceof TouchstoneError && error.code === 'run-in-progress' ? underWay() : error;
  }
}

/** Returns the name of the person or program at work, for the ledger. */
export function whoAsks(): string {
  return userInfo().username;
}
