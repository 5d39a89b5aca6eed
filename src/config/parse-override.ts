import { TouchstoneError } from '../errors.ts';
import { pathSteps } from '../lib/value-at-path.ts';

/** A setting that takes another value. */
export interface SettingOverride {
  /** Where it is in the config, such as `targets.0.system`; an item of a list by its number or its name. */
  readonly given: string;
  readonly value: unknown;
}

/**
 * Reads `targets.0.system=Be short.`: a path and a value, which is JSON where it can be read so, else a text.
 * Throws `usage-invalid` where there is no path, or no value.
 */
export function parseOverride(text: string): SettingOverride {
  const [, given = '', value = ''] = /^([^=]*)=([\s\S]*)$/.exec(text) ?? [];
  if (pathSteps(given).length > 0) return { given: given.trim(), value: readValue(value) };
  throw new TouchstoneError('usage-invalid', `--set ${text}: this names no setting and its value.`, {
    remedy: 'Write a path into the config and a value: `--set targets.0.model.model=gpt-5-mini`.',
  });
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
