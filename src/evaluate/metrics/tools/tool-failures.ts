import { z } from 'zod';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { stripPrefixOption } from '../../../core/schema/expected-calls.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { type ActualCall, readCalls } from './read-calls.ts';
import { isDealtWith } from './rules/rule.ts';
import { formatCall } from './format-call.ts';
import { nonEmpty } from '../../../core/schema/json.ts';
import { notApplicable, reaches, thresholdOption } from '../verdicts.ts';

/**
 * Computes the share of failed tool calls that the target handled, from 0 to 1: a later call of the same tool
 * succeeded, or the user was informed that something did not work. docs/tool-calls.md defines failed calls. Not
 * applicable when no call is known to have failed.
 */
export const toolFailures = defineMetric({
  name: 'tool-failures',
  family: 'tools',
  version: 3,
  summary: 'Share of failed tool calls that were retried with success or reported to the user.',
  words: 'tool errors, retries, failed calls, agent, recovery',
  options: () =>
    z.strictObject({
      dealtWith: z
        .enum(['retried-or-told', 'retried'])
        .default('retried-or-told')
        .describe(
          '`retried-or-told`: informing the user is enough. `retried`: only a successful retry counts.',
        ),
      ignoreTools: z.array(nonEmpty()).default([]).describe('Tools whose calls are ignored.'),
      stripPrefix: stripPrefixOption,
      threshold: thresholdOption(),
    }),
  create: ({ dealtWith, ignoreTools, stripPrefix, threshold }) => ({
    score: (input): Verdict => {
      const calls = readCalls(input, { ignoreTools, stripPrefix });
      const failed = calls.filter(({ outcome }) => outcome === 'failed');
      if (failed.length === 0) return notApplicable(reasonFor(calls));
      const rule = dealtWith === 'retried' ? 'retried' : 'dealt-with';
      const ignored = failed.filter((call) => !isDealtWith(call, input.trial.transcript, rule));
      const value = 1 - ignored.length / failed.length;
      return {
        status: 'scored',
        value,
        passed: reaches(value, threshold),
        explanation: explain(failed, ignored),
        evidence: { failed: failed.map(show), ignored: ignored.map(show) },
      };
    },
  }),
});

function reasonFor(calls: readonly ActualCall[]): string {
  if (calls.length === 0) return 'no tool was called';
  const isKnown = calls.some(({ outcome }) => outcome === 'ok');
  return isKnown ? 'no tool call failed' : 'the target does not report what its tools returned';
}

function explain(failed: readonly ActualCall[], ignored: readonly ActualCall[]): string {
  const dealt = `${failed.length - ignored.length} of ${failed.length} failed calls dealt with`;
  return ignored.length === 0 ? dealt : `${dealt}; ignored: ${ignored.map(show).join(', ')}`;
}

function show({ name, arguments: args, problem }: ActualCall): string {
  return `${formatCall(name, args)} (${shorten(problem ?? '', 80)})`;
}
