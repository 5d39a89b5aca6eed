import { TouchstoneError } from '../errors.ts';
import type { SecretRedactor } from '../lib/redact-secrets.ts';
import type { Json } from '../schema/json.ts';
import { type Reply, type Target, TargetFailure } from './target.ts';

/**
 * The same target, with the values of variables that are named like secrets taken out of its failures and of what it writes
 * beside its answers. The answers stay as they are.
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
    // Not another async function for every call: each that is under way holds what it takes.
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

/** The options that make a target what it is: all but those that change no answer, such as limits. */
export function identifyingOptions(options: object, changeNoAnswer: Readonly<Record<string, unknown>>): Json {
  const kept = Object.entries(options).filter(([name]) => !Object.hasOwn(changeNoAnswer, name));
  return JSON.parse(JSON.stringify(Object.fromEntries(kept)));
}
