import { z } from 'zod';
import { shorten } from '../../lib/terminal-text.ts';
import { useOrNameSchema } from '../../schema/use.ts';
import type { Verdict } from '../../schema/verdict.ts';
import { defineMetric } from '../metric.ts';
import { type Check, type CheckResult, checkParts, createChecks, runCheck } from './checks.ts';
import { type CheckedTurn, checkedTurnsOf } from './turns-of.ts';

interface TurnResult {
  readonly turn: CheckedTurn;
  readonly results: readonly CheckResult[];
}

/**
 * Share of the turns with expectations whose answer meets all of them. Each turn is a small case: what the user said, what a
 * good answer holds; and a small trial: the answer, the tools that were used for it, its time.
 */
export const turnChecks = defineMetric({
  name: 'turn-checks',
  version: 1,
  reads: ['turns'],
  summary: 'Share of the turns of a scripted conversation that meet all that the script expects of them.',
  options: () =>
    z.strictObject({
      metrics: z
        .partialRecord(z.enum(checkParts), useOrNameSchema)
        .default({})
        .describe(
          'Which metric checks which expectation, in place of the usual one: `{ answer: correctness, keywords: { use: ' +
            'keywords, match: word } }`.',
        ),
      every: z
        .array(useOrNameSchema)
        .default([])
        .describe('Metrics that check every turn with expectations, beside those for what it expects.'),
    }),
  create: (options, needs) => {
    const checks = createChecks(options, needs);
    const metrics = checks.map(({ metric }) => metric);
    const judge = metrics.find((metric) => metric.judge !== undefined)?.judge;
    const concurrency = Math.max(0, ...metrics.map((metric) => metric.concurrency ?? 0));
    return {
      ...(judge !== undefined && { judge }),
      ...(concurrency > 0 && { concurrency }),
      questions: (input) =>
        checkedTurnsOf(input).flatMap((turn) =>
          checksOf(turn, checks).flatMap(({ metric }) => [...(metric.questions?.(turn.input) ?? [])]),
        ),
      score: (input, context) => {
        const turns = checkedTurnsOf(input);
        if (turns.length === 0) return { status: 'not-applicable', reason: reasonOf(input.case) };
        const results = turns.map((turn) =>
          checksOf(turn, checks).map((check) => runCheck(check, turn, context)),
        );
        const toVerdict = (all: readonly (readonly CheckResult[])[]) =>
          verdictOf(turns.map((turn, index) => ({ turn, results: all[index] ?? [] })));
        return isSettled(results) ? toVerdict(results) : Promise.all(results.map(waitForAll)).then(toVerdict);
      },
    };
  },
});

async function waitForAll(results: readonly (CheckResult | Promise<CheckResult>)[]): Promise<CheckResult[]> {
  return await Promise.all(results.map((result) => Promise.resolve(result)));
}

function checksOf({ expected }: CheckedTurn, checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ part }) => part === undefined || expected[part] !== undefined);
}

function isSettled(
  results: readonly (readonly (CheckResult | Promise<CheckResult>)[])[],
): results is readonly (readonly CheckResult[])[] {
  return results.every((each) => each.every((result) => !(result instanceof Promise)));
}

function reasonOf({ user }: CheckedTurn['input']['case']): string {
  if (user?.script === undefined) return 'the case has no script';
  return 'no turn that was said has expectations';
}

function verdictOf(turns: readonly TurnResult[]): Verdict {
  const missing = turns.flatMap(({ turn, results }) =>
    results.flatMap((result) => (result.outcome === 'not-measured' ? [{ turn, result }] : [])),
  )[0];
  if (missing !== undefined) {
    const { code, note } = missing.result;
    return { status: 'failed', code: code ?? 'not-measured', reason: `${titleOf(missing.turn)}: ${note}` };
  }
  const checked = turns.filter(({ results }) => results.some(({ outcome }) => outcome !== 'not-applicable'));
  if (checked.length === 0) {
    return { status: 'not-applicable', reason: 'none of the checks has anything to say of any turn' };
  }
  const failed = checked.filter(({ results }) => results.some(({ outcome }) => outcome === 'failed'));
  return {
    status: 'scored',
    value: (checked.length - failed.length) / checked.length,
    passed: failed.length === 0,
    explanation: failed.length === 0 ? undefined : failed.map(explain).join('; '),
    evidence: {
      turns: turns.map(({ turn, results }) => ({
        turn: turn.number,
        said: turn.said,
        checks: results.map(({ name, outcome, note }) => ({ metric: name, outcome, note: note ?? null })),
      })),
    },
    ...judgementsOf(turns),
  };
}

function explain({ turn, results }: TurnResult): string {
  const notes = results
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ name, note }) => (note === undefined ? `${name} failed` : `${name}: ${note}`));
  return `${titleOf(turn)}: ${notes.join(', ')}`;
}

function titleOf({ number, said }: CheckedTurn): string {
  return `turn ${number} ("${shorten(said, 40)}")`;
}

function judgementsOf(turns: readonly TurnResult[]): { judgements?: string[] } {
  const judgements = turns.flatMap(({ results }) => results.flatMap((result) => result.judgements ?? []));
  return judgements.length === 0 ? {} : { judgements };
}
