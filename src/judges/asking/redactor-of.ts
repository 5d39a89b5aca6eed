import { createSecretRedactor, isSecretName, type SecretRedactor } from '../../lib/redact-secrets.ts';

/** Secrets of the environment, by value: whatever a bot lets slip is not passed on. Short values may be ordinary words. */
export function redactorOf(environment: Readonly<Record<string, string | undefined>>): SecretRedactor {
  const secrets = Object.entries(environment).filter(
    (entry): entry is [string, string] => isSecretName(entry[0]) && (entry[1]?.length ?? 0) >= 8,
  );
  return createSecretRedactor(secrets);
}
