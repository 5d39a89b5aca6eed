import { hashText } from '../content-hash.ts';

/** The longest name that is made. */
const most = 100;

/** Names that Windows takes for devices, also with an extension. */
const device = /^(?:con|nul|aux|prn|com\d|lpt\d)(?:\.|$)/;

/**
 * Returns the name of a file for a name of anything, right on every system and different from any other name also where a
 * system takes `Main` for `main`: a safe name stays, another one gets `~` and 8 characters of its hash. At most 100 characters,
 * without an extension.
 */
export function fileNameOf(name: string): string {
  const isSafe = /^[a-z0-9_][a-z0-9_.-]*$/.test(name) && !name.endsWith('.') && !device.test(name);
  if (isSafe && name.length <= most) return name;
  const mark = `~${hashText(name).slice(0, 8)}`;
  const readable = name.replaceAll(/[^\w.-]+/g, '_').replace(/^[.-]+/, '');
  const isDevice = device.test(readable.toLowerCase());
  return `${isDevice ? '_' : ''}${readable}`.slice(0, most - mark.length) + mark;
}
