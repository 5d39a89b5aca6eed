import { valueAtPath } from '../../lib/value-at-path.ts';
import type { Json } from '../../schema/json.ts';
import type { ToolCall } from '../../schema/message.ts';
import type { RetrievedDocument } from '../../schema/trial.ts';
import { readDocuments } from '../reply/read-documents.ts';

/**
 * The documents in the results of tools that retrieve, in the order found, each once; undefined when no tool is said to
 * retrieve. Throws `TargetFailure` with `invalid-answer` for a list of something else.
 * @param paths - By the name of the tool: where in its result the list is.
 */
export function findDocuments(
  calls: readonly ToolCall[],
  paths: Readonly<Record<string, string>>,
): RetrievedDocument[] | undefined {
  if (Object.keys(paths).length === 0) return undefined;
  const found = new Map<string, RetrievedDocument>();
  for (const call of calls) {
    const path = Object.hasOwn(paths, call.name) ? paths[call.name] : undefined;
    if (path === undefined) continue;
    for (const document of documentsIn(call, path)) {
      if (!found.has(document.id)) found.set(document.id, document);
    }
  }
  return [...found.values()];
}

function documentsIn({ name, result, fault }: ToolCall, path: string): RetrievedDocument[] {
  if (result === undefined) return [];
  try {
    return readDocuments(valueAtPath(parseText(result), path), `${name}: ${path}`) ?? [];
  } catch (error) {
    // Broken on purpose: that there is no list in it says nothing against the setting.
    if (fault !== undefined) return [];
    throw error;
  }
}

/** Tools of servers often give their JSON as a text. */
function parseText(result: Json): Json {
  if (typeof result !== 'string') return result;
  try {
    return JSON.parse(result);
  } catch {
    return result;
  }
}
