import type { Json } from '../../schema/json.ts';
import type { Random } from '../../stats/random.ts';
import type { ToolError, ToolUse } from '../../targets/target.ts';

interface AnyFault {
  /** Kebab-case; what `--faults` takes. */
  readonly kind: string;
  /** Raised by any change that can alter what a target is given. */
  readonly version: number;
  /** One line for help and documentation. */
  readonly summary: string;
}

/** The tool is not run: nothing happens in the world, and an error comes back. */
export interface FailingFault extends AnyFault {
  fail(use: ToolUse, random: Random): ToolError;
}

/** The tool is run, and its result is spoilt on the way. */
export interface CorruptingFault extends AnyFault {
  /** Another result of the same call; the same where there is nothing in it to spoil. */
  corrupt(result: Json, random: Random): Json;
}

/** One way in which tools go wrong in the real world, put into those of a target on purpose. */
export type Fault = FailingFault | CorruptingFault;

/** Spoils a result, also one that comes as JSON in a text, as from tools of servers; other texts in a way of their own. */
export function throughText(
  result: Json,
  spoil: (value: Json) => Json,
  spoilText: (text: string) => string,
): Json {
  if (typeof result !== 'string') return spoil(result);
  const parsed = parseStructure(result);
  return parsed === undefined ? spoilText(result) : JSON.stringify(spoil(parsed));
}

/** The object or list that a text is the JSON of; undefined for any other text. */
function parseStructure(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // A text that begins with a bracket.
  }
}
