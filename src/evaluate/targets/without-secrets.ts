import { TouchstoneError } from '../../core/errors.ts';
import type { SecretRedactor } from '../../core/lib/redact-secrets.ts';

import { type Reply, type Target, TargetFailure } from './target.ts';

/**
 * Wraps a target so that the values of variables named like secrets are removed from its failures and logs. Its answers
 * stay as they are.
 */
export function withoutSecrets(target: Target, redactor: () => SecretRedactor): Target {
  const redactLogs = (reply: Reply) =>
    reply.logs === undefined ? reply : { ...reply, logs: redactor().text(reply.logs) };
  const rethrow = (error: unknown) => {
    throw redactError(error, redactor());
  };
  return {
    ...target,
    open: async () => {
      try {
        await target.open?.();
      } catch (error) {
        throw redactError(error, redactor());
      }
    },
    // No async function here: each call in flight would keep one more in memory.
    call: (request, context) => target.call(request, context).then(redactLogs, rethrow),
  };
}

function redactError(error: unknown, { text }: SecretRedactor): unknown {
  if (error instanceof TargetFailure) {
    const { message, logs } = error;
    return error.with({ message: text(message), logs: logs && text(logs) });
  }
  if (!(error instanceof TouchstoneError)) return error;
  const { code, message, remedy, cause } = error;
  return new TouchstoneError(code, text(message), { remedy, cause });
}
