import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../lib/redact-secrets.ts';
import { TargetFailure } from '../target.ts';

/** Replaces the values of environment variables by their names in all that is kept or shown. */
export interface Redactor extends SecretRedactor {
  failure(thrown: unknown): unknown;
}

const minCharacters = 8;

/**
 * Makes a redactor. A short value of a variable that is not named like a secret, such as a port or the name of a
 * model, is left alone: replacing it would garble answers that have nothing to do with it.
 */
export function createRedactor(variables: ReadonlyMap<string, string>): Redactor {
  const redactor = createSecretRedactor(
    [...variables].filter(([name, value]) => value.length >= minCharacters || isSecretName(name)),
  );
  return { ...redactor, failure: (thrown) => redactFailure(thrown, redactor) };
}

function redactFailure(thrown: unknown, { text }: SecretRedactor): unknown {
  if (!(thrown instanceof TargetFailure)) return thrown;
  const { message, logs } = thrown;
  return thrown.with({ message: text(message), logs: logs && text(logs), cause: undefined });
}
