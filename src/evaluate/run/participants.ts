import { formatPlace, messageOf, TouchstoneError } from '../../core/errors.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';
import type { CaseUser } from '../../core/schema/conversation.ts';
import { type Target, TargetFailure } from '../targets/target.ts';
import type { User } from '../users/user.ts';
import type { Evaluation, Users } from './evaluation.ts';
import { type LoadedCase, withDatasetProblems } from './prepare/load.ts';

/** A target, metric, user or judge of a run. */
interface Participant {
  open?(): Promise<void>;
  close?(): Promise<void>;
}

/**
 * Opens what a run needs, as `openParticipants` does, and learns what the servers of tools offer; its error names what is wrong with the
 * dataset as well.
 */
export async function openForRun(evaluation: Evaluation): Promise<AsyncDisposable> {
  await using opened = new AsyncDisposableStack();
  try {
    opened.use(await openParticipants(evaluation));
    await evaluation.tools?.learn();
    return opened.move();
  } catch (error) {
    throw await withDatasetProblems(error, evaluation.dataset);
  }
}

/**
 * Opens all targets, metrics, users and judges of an evaluation, so that each is ready before the first question. Returns
 * what closes them. When one cannot be opened, closes all of them and throws its error.
 */
export async function openParticipants({
  targets,
  users,
  metrics,
  secrets,
}: Pick<Evaluation, 'targets' | 'metrics' | 'secrets'> &
  Partial<Pick<Evaluation, 'users'>>): Promise<AsyncDisposable> {
  const participants: Participant[] = [
    ...targets.map(({ target }) => target),
    ...metrics.map(({ metric }) => metric),
    ...[users?.scripted ?? [], users?.simulated?.user ?? []].flat(),
    ...new Set(metrics.flatMap(({ metric }) => metric.judge ?? [])),
  ];
  const close = async () => {
    await Promise.allSettled(participants.map(async (participant) => await participant.close?.()));
  };
  const opened = await Promise.allSettled(
    participants.map(async (participant) => await participant.open?.()),
  );
  const failure = opened.find((result) => result.status === 'rejected');
  if (failure === undefined) return { [Symbol.asyncDispose]: close };
  await close();
  throw secrets === undefined ? failure.reason : withoutSecretsInError(failure.reason, secrets);
}

/** Returns the user that plays the user of a case. Throws `user-missing` when the config names none. */
export function findUser({ goal }: CaseUser, { scripted, simulated }: Users): User {
  if (goal === undefined) return scripted;
  if (simulated !== undefined) return simulated.user;
  throw new TouchstoneError(
    'user-missing',
    'A question has a user with a goal, and no `user` is configured to play it.',
  );
}

/**
 * Throws `user-missing` with the place of a case whose user has a goal when the config names no user. Targets that replay
 * whole conversations need none.
 */
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

/** Returns the targets that are asked in batches. */
export function batchedOf(targets: Evaluation['targets'] = []): Evaluation['targets'] {
  return targets.filter(({ target }) => target.batch !== undefined);
}

/** Throws `target-invalid` with the place of a case of several turns when a target is asked in batches, which answer one question each. */
export function refuseConversation(
  { case: { user }, place }: LoadedCase,
  { targets }: Pick<Evaluation, 'targets'>,
): void {
  const batched = user && targets.find(({ target }) => target.batch !== undefined);
  if (batched === undefined) return;
  throw new TouchstoneError(
    'target-invalid',
    `${formatPlace(place)}: a conversation of several turns cannot be held in batches, and the target ${batched.name} is asked in some.`,
    { remedy: 'Leave out `batch` in its model.' },
  );
}

/**
 * Throws `dataset-invalid` with the place of a case that says what tools answer, where nothing reads it or no server has the tool: the
 * real tools would act.
 */
export function refuseToolResults(
  { case: { toolResults = [] }, place }: LoadedCase,
  { tools, targets }: Pick<Evaluation, 'tools' | 'targets'>,
): void {
  const isRecorded = targets.every(({ target }) => target.holdsConversation === true);
  if (toolResults.length === 0 || isRecorded) return;
  if (tools === undefined) {
    throw new TouchstoneError(
      'dataset-invalid',
      `${formatPlace(place)}: the question says what its tools answer, and the config has no \`tools\`: the real ones would be used.`,
      {
        remedy:
          'Add `tools: {}` to the config, and let the tools of the bot pass through Touchstone (docs/tools.md).',
      },
    );
  }
  const problem = toolResults.map(tools.problemOf).find((each) => each !== undefined);
  if (problem === undefined) return;
  throw new TouchstoneError('dataset-invalid', `${formatPlace(place)}: in \`tool_results\`, ${problem}.`);
}

/**
 * Wraps a target of any kind so that known secrets are removed from everything it returns or throws: answers, arguments
 * and results of tools, documents, states, logs and errors. Records, metrics, judges, reports and spans see only that.
 */
export function withoutSecrets(target: Target, redactor: SecretRedactor | undefined): Target {
  if (redactor === undefined) return target;
  const { holdsConversation, takes, takesFrom, batch } = target;
  return {
    holdsConversation,
    takes,
    takesFrom,
    batch,
    ...(target.prepare !== undefined && { prepare: target.prepare.bind(target) }),
    call: async (request, context) => {
      try {
        return redactor.json(await target.call(request, context));
      } catch (error) {
        throw withoutSecretsInError(error, redactor);
      }
    },
    ...(target.beginSession !== undefined && { beginSession: target.beginSession.bind(target) }),
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

/** Returns an error without secrets, as it may be shown and stored. */
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
