import { parseJson } from '../../src/core/lib/json/parse-json.ts';
import { millisecondsNow } from '../../src/core/lib/time.ts';
import type { SharedRecords } from '../../src/stores/shared/shared-records.ts';

/** Creates shared records in memory, by the clock of the process: tests may let hours pass in it. */
export function createMemoryShared(): SharedRecords {
  const kept = new Map<string, string>();
  return {
    change: async (name, update) => {
      const text = kept.get(name);
      const before = text === undefined ? undefined : parseJson(text);
      const { value, result } = update(before, millisecondsNow());
      if (value === undefined) kept.delete(name);
      else if (value !== before) kept.set(name, JSON.stringify(value));
      return result;
    },
    list: async (prefix) =>
      Array.from(kept, ([name, text]) => ({ name, value: parseJson(text) }))
        .filter(({ name }) => name.startsWith(prefix))
        .toSorted((one, other) => Buffer.compare(Buffer.from(one.name), Buffer.from(other.name))),
    remove: async (name) => kept.delete(name),
  };
}
