import { z } from 'zod';
import { TouchstoneError } from '../../../core/errors.ts';
import { isSecretName } from '../../../core/lib/redact-secrets.ts';
import { findSecretArgument } from '../../../core/lib/literal-secrets.ts';
import { splitCommand } from '../../../core/lib/programs/split-command.ts';
import { nonEmpty } from '../../../core/schema/json.ts';

const texts = z.record(nonEmpty(), z.string());

/** The options of an MCP server: a program to start, or an address. */
export const mcpServerSchema = z.lazy(() =>
  z
    .strictObject({
      command: z
        .union([nonEmpty(), z.array(z.string()).min(1)])
        .optional()
        .describe(
          'The program and its arguments, a list or one text that is split at spaces; it speaks MCP over stdio.',
        ),
      url: z.url().optional().describe('In place of `command`: the address of a server (streamable HTTP).'),
      env: texts.default({}).describe('Environment variables to add for the program. No secrets.'),
      envFrom: z
        .array(nonEmpty())
        .default([])
        .describe(
          'Names of environment variables to pass to the program, which receives only a few by default.',
        ),
      headers: texts.default({}).describe('Headers to send to `url`. No secrets.'),
      headersFromEnv: texts
        .default({})
        .describe('Headers whose values are secret: the header and the environment variable with its value.'),
      only: z
        .array(nonEmpty())
        .min(1)
        .optional()
        .describe('The tools to offer to the model; all of them by default.'),
      prefix: z
        .string()
        .regex(/^[\w-]*$/)
        .default('')
        .describe('A prefix for the names of its tools, where names clash.'),
      startupTimeLimitMs: z
        .number()
        .positive()
        .default(60_000)
        .describe('The time limit until it has listed its tools, in milliseconds.'),
    })
    .refine(({ command, url }) => (command === undefined) !== (url === undefined), {
      message: 'give one of `command` and `url`',
    }),
);
export type McpServerOptions = z.output<typeof mcpServerSchema>;

/** Returns the name of an MCP server for messages. */
export function nameServer({ command, url }: McpServerOptions): string {
  return `the MCP server ${url === undefined ? [command ?? ''].flat().join(' ') : new URL(url).host}`;
}

/** Throws `target-invalid` for a secret in plain text: a config is shared, and stored with every run. */
export function refuseWrittenSecrets({ command = [], env, headers, url }: McpServerOptions): void {
  const named = Object.entries({ env, headers }).flatMap(([setting, values]) =>
    Object.keys(values).map((name) => ({ name, setting: `mcp.${setting}.${name}` })),
  );
  const address = new URL(url ?? 'http://localhost');
  const query = [...address.searchParams.keys()].map((name) => ({ name, setting: `mcp.url (${name})` }));
  const argument = findSecretArgument(typeof command === 'string' ? splitCommand(command) : command);
  const found =
    [...named, ...query].find(({ name }) => isSecretName(name))?.setting ??
    (argument === undefined ? undefined : `mcp.command (${argument})`);
  const setting = address.username + address.password === '' ? found : 'mcp.url';
  if (setting === undefined) return;
  throw new TouchstoneError('target-invalid', `\`${setting}\` looks like a secret that is written out.`, {
    remedy: 'Keep it in an environment variable, and name that in `envFrom` or `headersFromEnv`.',
  });
}

/** Returns the values of environment variables. Throws `environment-missing` with the names of those that are not set. */
export function readSecrets(
  names: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Map<string, string> {
  const missing = names.filter((name) => !environment[name]);
  if (missing.length === 0) return new Map(names.map((name) => [name, environment[name] ?? '']));
  const are = missing.length === 1 ? 'is' : 'are';
  const message = `An MCP server needs ${missing.join(', ')}, which ${are} not set in the environment.`;
  throw new TouchstoneError('environment-missing', message);
}
