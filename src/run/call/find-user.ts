import { formatPlace, TouchstoneError } from '../../errors.ts';
import type { CaseUser } from '../../schema/user.ts';
import type { User } from '../../users/user.ts';
import type { Evaluation, Users } from '../evaluation.ts';
import type { LoadedCase } from '../prepare/load.ts';

/** Who plays the user of a case. Throws `user-missing` when nobody can. */
export function findUser({ goal }: CaseUser, { scripted, simulated }: Users): User {
  if (goal === undefined) return scripted;
  if (simulated !== undefined) return simulated.user;
  throw new TouchstoneError(
    'user-missing',
    'A case has a user with a goal, and no `user` is configured to play it.',
  );
}

/** Throws `user-missing` with the place of a case whose user nobody can play. Who replays conversations needs no user. */
export function requireUser(
  { case: { user }, place }: LoadedCase,
  { targets, users }: Pick<Evaluation, 'targets' | 'users'>,
): void {
  const isNeeded =
    user?.goal !== undefined && targets.some(({ target }) => target.holdsConversation !== true);
  if (!isNeeded || users.simulated !== undefined) return;
  throw new TouchstoneError(
    'user-missing',
    `${formatPlace(place)}: the user has a goal, and no \`user\` is configured to play it.`,
  );
}
