import { TouchstoneError } from '../../../core/errors.ts';
import type { TargetTools } from '../target.ts';

type Environment = Readonly<Record<string, string | undefined>>;

type Values = Readonly<Record<string, string>>;

/** Returns the values of the placeholders of tools. */
export function toolValues(tools: TargetTools | undefined): Values {
  const addresses = Object.entries(tools?.addresses ?? {});
  return Object.fromEntries(addresses.map(([name, address]) => [`{{tools.${name}}}`, address]));
}

/** Fills placeholders in one pass, so that a value cannot contain one. */
export function fillPlaceholders(template: string, values: Values): string {
  return template.replaceAll(
    /\{\{\s*([\w.-]+)\s*\}\}/g,
    (whole, name: string) => values[`{{${name}}}`] ?? whole,
  );
}

/** Returns the environment of a program, with the addresses of its tools where they are known. */
export function fillEnvironment(environment: Environment, tools: TargetTools | undefined): Environment {
  if (tools === undefined) return environment;
  const values = toolValues(tools);
  const filled = Object.entries(environment).map(([name, value]) => [
    name,
    value && fillPlaceholders(value, values),
  ]);
  const { functions, mcpConfig } = tools.addresses;
  return {
    ...(Object.fromEntries(filled) as Record<string, string | undefined>),
    TOUCHSTONE_TOOLS_URL: functions,
    ...(mcpConfig !== undefined && { TOUCHSTONE_MCP_CONFIG: mcpConfig }),
  };
}

/** Throws `target-invalid` for an address of a tool in the environment of a program that serves many attempts. */
export function refuseAddresses(environment: Environment): void {
  const found = Object.entries(environment).find(([, value = '']) => /\{\{\s*tools\./.test(value));
  if (found === undefined) return;
  throw new TouchstoneError(
    'target-invalid',
    `\`env.${found[0]}\` has the address of a tool, and one process serves many attempts.`,
    {
      remedy:
        'Read the addresses from the field `tools` of each line, or write `mode: once`, or `trial: baggage` under `tools` in the config.',
    },
  );
}
