import { TouchstoneError } from '../../errors.ts';
import { findSecretArgument, holdsKnownKey } from '../../lib/written-secrets.ts';

const secretNames = /(^|[_-])(api[_-]?key|key|token|secret|password)$/i;

/** Settings of a program in which a secret may have been written down. */
export interface WrittenProgram {
  /** The program and its arguments. */
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Throws `target-invalid` for a secret that is written out: a config is shared, and stored with every run. */
export function refuseWrittenSecrets({ command, env }: WrittenProgram): void {
  const found = Object.entries(env).find(
    ([name, value]) => value !== '' && (secretNames.test(name) || holdsKnownKey(value)),
  );
  const argument = findSecretArgument(command);
  if (found === undefined && argument === undefined) return;
  const setting = found === undefined ? `command (${argument})` : `env.${found[0]}`;
  throw new TouchstoneError('target-invalid', `\`${setting}\` looks like a secret that is written out.`, {
    remedy: 'Set it in the environment that Touchstone runs in: the program is handed all of that.',
  });
}
