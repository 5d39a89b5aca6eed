import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Random } from '../../../core/stats/random.ts';
import type { ToolError, ToolUse } from '../../targets/target.ts';

interface AnyFault {
  /** The name in kebab case, as `--faults` takes it. */
  readonly kind: string;
  /** The version, raised by any change that can alter what a target receives. */
  readonly version: number;
  /** One line for help and documentation. */
  readonly summary: string;
}

/** A fault by which the tool does not run: it has no effects and returns an error. */
export interface FailingFault extends AnyFault {
  fail(use: ToolUse, random: Random): ToolError;
}

/** A fault by which the tool runs, and its result is corrupted. */
export interface CorruptingFault extends AnyFault {
  /** Returns another result of the same call, or the same one when there is nothing in it to corrupt. */
  corrupt(result: Json, random: Random): Json;
}

/** One way in which real tools fail, injected into the tools of a target on purpose. */
/** A fault by which the tool runs, and its result comes late. */
export interface DelayingFault extends AnyFault {
  /** The times that it may take, the usual one first, in milliseconds. */
  readonly delaysMs: Readonly<Record<string, number>>;
  /** Their names, as after `slow:`. */
  readonly variants: readonly string[];
}

/** One way in which real tools fail, injected into a target's tools on purpose. */
export type Fault = FailingFault | CorruptingFault | DelayingFault;

/**
 * Corrupts a result, including one that is JSON in a text, as MCP servers return it. Other texts are corrupted by a
 * function of their own.
 */
export function corruptResult(
  result: Json,
  corruptValue: (value: Json) => Json,
  corruptText: (text: string) => string,
): Json {
  if (typeof result !== 'string') return corruptValue(result);
  const parsed = parseStructure(result);
  return parsed === undefined ? corruptText(result) : JSON.stringify(corruptValue(parsed));
}

/** Parses the object or list in a text of JSON; undefined for any other text. */
function parseStructure(text: string): Json | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  return tryParseJson(text) as Json | undefined;
}
