import { z } from 'zod';
import { expectedToolName } from '../../schema/case.ts';
import { toolCallsOf } from '../../schema/trial.ts';
import { defineMetric } from '../metric.ts';

/**
 * 1 when every expected tool is among the tools used, else 0. Extra tools cost nothing; no expected tool gives 1.
 * The tool component of three-component scoring.
 */
export const toolUsage = defineMetric({
  name: 'tool-usage',
  family: 'tools',
  version: 1,
  summary: 'Every expected tool was used: 1, else 0.',
  options: () => z.strictObject({}),
  create: () => ({
    score: ({ case: { expected }, trial }) => {
      const wanted = (expected.tools ?? []).map(expectedToolName);
      const used = [...new Set(toolCallsOf(trial.transcript).map((call) => call.name))];
      const missing = wanted.filter((tool) => !used.includes(tool));
      return {
        status: 'scored',
        value: missing.length === 0 ? 1 : 0,
        passed: missing.length === 0,
        explanation: explain(wanted, missing),
        evidence: { expected: wanted, used, missing },
      };
    },
  }),
});

function explain(wanted: string[], missing: string[]): string {
  if (wanted.length === 0) return 'no tool expected';
  return missing.length === 0 ? 'every expected tool was used' : `not used: ${missing.join(', ')}`;
}
