import type { ToolResult } from '../../core/schema/tools/tool-result.ts';
import { type CallTest, compileResultTest, type MatchedCall } from './match-call.ts';

/** Prepared results whose patterns are compiled. */
export interface PreparedResults {
  /** Begins to give them out, as each conversation does. */
  begin(): PreparedQueue;
  /** Returns the places of those that have answered no call so far. */
  unused(): number[];
}

/** The prepared results of one conversation. */
export interface PreparedQueue {
  /** Returns what answers a call: the nth matching call takes the nth that matches, and the last repeats. Undefined for none. */
  take(call: MatchedCall): ToolResult | undefined;
  /** Returns a function that undoes what was taken since, for another try at a question. */
  mark(): () => void;
}

/** Compiles prepared results. Throws `matcher-invalid`. */
export function prepareResults(results: readonly ToolResult[]): PreparedResults {
  const compiled = results.map((result): { result: ToolResult; matches: CallTest } => ({
    result,
    matches: compileResultTest(result),
  }));
  const used = new Set<number>();
  return {
    begin: () => {
      let uses = results.map(() => 0);
      return {
        take: (call) => {
          const fitting = [...compiled.keys()].filter((index) => compiled[index]?.matches(call) === true);
          const left = fitting.find((index) => (uses[index] ?? 0) < (results[index]?.times ?? 1));
          const last = fitting.at(-1);
          const repeated = last !== undefined && results[last]?.times === undefined ? last : undefined;
          const index = left ?? repeated;
          if (index === undefined) return undefined;
          uses[index] = (uses[index] ?? 0) + 1;
          used.add(index);
          return results[index];
        },
        mark: () => {
          const marked = [...uses];
          return () => {
            uses = [...marked];
          };
        },
      };
    },
    unused: () => [...results.keys()].filter((index) => !used.has(index)),
  };
}
