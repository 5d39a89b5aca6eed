import { formatPlace, messageOf, TouchstoneError } from '../errors.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import type { CaseUser } from '../schema/conversation.ts';
import { type Target, TargetFailure } from '../targets/target.ts';
import type { User } from '../users/user.ts';
import type { Evaluation, Users } from './evaluation.ts';
import type { LoadedCase } from './prepare/load.ts';

/** Whatever a run talks to or relies on: its targets and judges, who talks for it, what measures. */
interface Partner {
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/**
 * Makes sure that all targets, users and judges can be reached, and all metrics are ready, before the first
 * question, and ends all of them after the last. Throws what the first that cannot be reached throws.
 */
export async function withParticipantsOpen<Result>(
  {
    targets,
    users,
    metrics,
    secrets,
  }: Pick<Evaluation, 'targets' | 'metrics' | 'secrets'> & Partial<Pick<Evaluation, 'users'>>,
  work: () => Promise<Result>,
): Promise<Result> {
  const judges = new Set(metrics.flatMap(({ metric }) => metric.judge ?? []));
  const players = [users?.scripted ?? [], users?.simulated?.user ?? []].flat();
  const live = [...targets.map(({ target }) => target), ...metrics.map(({ metric }) => metric)];
  const partners: Partner[] = [...live, ...players, ...judges];
  try {
    const opened = await Promise.allSettled(partners.map(async (partner) => await partner.open?.()));
    const failure = opened.find((result) => result.status === 'rejected');
    if (failure !== undefined) {
      throw secrets === undefined ? failure.reason : withoutSecretsInError(failure.reason, secrets);
    }
    return await work();
  } finally {
    await Promise.allSettled(partners.map(async (partner) => await partner.close?.()));
  }
}

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

/**
 * What a run calls of a target, of whichever kind, with the secrets that are known taken out of all it says: answers, arguments and
 * results of tools, documents, states, logs and errors. What follows (a record, a metric, a judge, a report, a span) is made
 * of that.
 */
export function withoutSecrets(target: Target, redactor: SecretRedactor | undefined): Target {
  if (redactor === undefined) return target;
  const { holdsConversation } = target;
  return {
    ...(holdsConversation !== undefined && { holdsConversation }),
    call: async (request, context) => {
      try {
        return redactor.json(await target.call(request, context));
      } catch (error) {
        throw withoutSecretsInError(error, redactor);
      }
    },
    ...(target.endSession !== undefined && {
      endSession: async (id) => {
        try {
          await target.endSession?.(id);
        } catch (error) {
          throw withoutSecretsInError(error, redactor);
        }
      },
    }),
  };
}

/** An error as it may be shown and kept. */
function withoutSecretsInError(error: unknown, { text, json }: SecretRedactor): unknown {
  if (error instanceof TargetFailure) {
    const { message, logs, partial } = error;
    return error.with({
      message: text(message),
      logs: logs && text(logs),
      partial: partial && json(partial),
    });
  }
  if (error instanceof TouchstoneError) {
    const { code, message, remedy, cause } = error;
    return new TouchstoneError(code, text(message), { remedy: remedy && text(remedy), cause });
  }
  const message = messageOf(error);
  const shown = text(message);
  return shown === message ? error : new Error(shown);
}
