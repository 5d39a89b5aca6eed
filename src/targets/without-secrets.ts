import { TouchstoneError } from '../errors.ts';
import { lazily } from '../lib/lazily.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import { createEnvironmentRedactor } from '../models/http/environment-redactor.ts';
import { type Target, TargetFailure, type TargetNeeds } from './target.ts';

/**
 * The same target, with the values of variables that are named like secrets taken out of its failures and of what it writes
 * beside its answers. The answers stay as they are.
 */
export function withoutSecrets(target: Target, environment: TargetNeeds['environment']): Target {
  const redactor = lazily(() => createEnvironmentRedactor(environment));
  return {
    ...target,
    open: async () => {
      try {
        await target.open?.();
      } catch (error) {
        throw redactError(error, redactor());
      }
    },
    call: async (request, context) => {
      try {
        const reply = await target.call(request, context);
        return reply.logs === undefined ? reply : { ...reply, logs: redactor().text(reply.logs) };
      } catch (error) {
        throw redactError(error, redactor());
      }
    },
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
