import type { CasedTrial } from '../../../core/schema/result.ts';
import type { ToolCounts } from '../../../core/schema/tools/run-tools.ts';
import { toolCallsOf } from '../../../core/schema/trial.ts';

/** Counts the observed calls of tools in trials by where their results came from, abandoned tries included. */
export async function tallyTools(batches: AsyncIterable<readonly CasedTrial[]>): Promise<ToolCounts> {
  const counts = { tool: 0, cassette: 0, mock: 0, refused: 0, fault: 0, past: 0 };
  for await (const batch of batches) {
    for (const { trial } of batch) {
      const { transcript, tries = [], toolTraffic = [] } = trial;
      for (const call of [...toolCallsOf(transcript), ...tries.flatMap(({ toolCalls }) => toolCalls)]) {
        if (call.observed !== true) continue;
        if (call.from !== undefined) counts[call.from] += 1;
        else if (call.fault !== undefined) counts.fault += 1;
      }
      for (const { method, count } of toolTraffic)
        if (method === 'redirect' || method === 'address') counts.past += count;
    }
  }
  return counts;
}
