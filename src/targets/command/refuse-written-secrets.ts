import { TouchstoneError } from '../../errors.ts';

const secretNames = /(^|[_-])(api[_-]?key|key|token|secret|password)$/i;

/** Throws `target-invalid` for a variable with a secret that is written out: a config is shared, and stored with every run. */
export function refuseWrittenSecrets(variables: Readonly<Record<string, string>>): void {
  const found = Object.entries(variables).find(([name, value]) => value !== '' && secretNames.test(name));
  if (found === undefined) return;
  throw new TouchstoneError(
    'target-invalid',
    `\`env.${found[0]}\` looks like a secret that is written out.`,
    {
      remedy: 'Set it in the environment that Touchstone runs in: the program is handed all of that.',
    },
  );
}
