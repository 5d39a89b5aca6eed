import { messageOf, TouchstoneError } from '../errors.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import { type Target, TargetFailure } from '../targets/target.ts';

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
export function withoutSecretsInError(error: unknown, { text, json }: SecretRedactor): unknown {
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
