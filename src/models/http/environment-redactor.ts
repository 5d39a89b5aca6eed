import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../lib/redact-secrets.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Makes a redactor for the named variables, and for all others that are named like secrets and hold something long: a
 * prompt may quote a secret that is not the model's. Short values are left alone, or they would garble texts that
 * have nothing to do with them.
 */
export function createEnvironmentRedactor(
  environment: Environment,
  used: readonly (string | undefined)[] = [],
): SecretRedactor {
  const isSecret = (name: string, value: string) =>
    used.includes(name) ? value.length >= 4 : value.length >= 16 && isSecretName(name);
  return createSecretRedactor(
    Object.entries(environment).flatMap(([name, value]): [string, string][] =>
      value !== undefined && isSecret(name, value) ? [[name, value]] : [],
    ),
  );
}
