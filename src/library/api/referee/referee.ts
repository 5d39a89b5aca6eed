import { look } from './look.ts';
import type { LookOptions } from './look-report.ts';
import type { LookReport } from '../../../core/schema/referee/look-request.ts';
import type { RefereeChoice } from './open-project.ts';
import { type RefereeStatus, refereeStatus } from './status.ts';

/** The referee of a project: its held-out set answers one question with one bit, counted. */
export interface Referee {
  /** Asks whether a version is better than the incumbent, or not worse by a margin. Throws as `touchstone referee look` ends. */
  look(options?: Omit<LookOptions, keyof RefereeChoice>): Promise<LookReport>;
  /** Returns the state of the held-out set. Calls nothing and changes nothing. */
  status(): Promise<RefereeStatus>;
}

/**
 * Opens the referee of a config, its file or its folder; by default the one in the current folder.
 * @throws TouchstoneError when the config has none, or when its held-out set cannot be used.
 */
export async function openReferee(choice: RefereeChoice = {}): Promise<Referee> {
  await refereeStatus(choice);
  return {
    look: async (options = {}) => await look({ ...choice, ...options }),
    status: async () => await refereeStatus(choice),
  };
}
