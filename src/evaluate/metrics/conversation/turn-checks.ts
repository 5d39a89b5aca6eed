import { z } from 'zod';
import type { NamedUse } from '../../../core/lib/define.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { Turn } from '../../../core/schema/conversation.ts';
import type { Expected } from '../../../core/schema/expected.ts';
import { type StripPrefix, stripPrefixOption } from '../../../core/schema/expected-calls.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { useOrNameSchema } from '../../../core/schema/use.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { defineMetric, type Metric, type MetricInput, type MetricNeeds } from '../metric.ts';
import { notApplicable } from '../verdicts.ts';

/**
 * Computes the share, from 0 to 1, of a scripted conversation's turns whose answers meet all expectations of the turn;
 * only turns that were reached and have expectations count. Each turn is scored as a small case (what the user said,
 * what a good answer contains) and a small trial (its answer, tool calls, latency and state). Not applicable without
 * such turns, and when every check of them is not applicable.
 */
export const turnChecks = defineMetric({
  name: 'turn-checks',
  version: 2,
  reads: ['turns'],
  summary: 'Share of the turns of a scripted conversation that meet all that the script expects of them.',
  words:
    'multi-turn, conversation, each turn, dialogue, scripted conversation, memory, follow-up, context retention',
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
        .describe(
          'Metrics that check every turn with expectations, in addition to the ones for what it expects.',
        ),
      stripPrefix: stripPrefixOption,
    }),
  create: (options, needs) => {
    const checks = createChecks(options, needs);
    // The checks of a turn may ask the judge of the config, which is known only once the cases are.
    const metrics = checks.filter(({ part }) => part !== 'checks').map(({ metric }) => metric);
    const judge = metrics.find((metric) => metric.judge !== undefined)?.judge;
    const concurrency = Math.max(0, ...metrics.map((metric) => metric.concurrency ?? 0));
    return {
      judge,
      ...(concurrency > 0 && { concurrency }),
      parts: (input) =>
        checkedTurnsOf(input).flatMap((turn) =>
          checksOf(turn, checks).map(({ metric }) => ({ metric, input: turn.input })),
        ),
      score: async (input, context) => {
        const turns = checkedTurnsOf(input);
        if (turns.length === 0) return notApplicable(reasonOf(input.case));
        const runAll = async (turn: CheckedTurn): Promise<TurnResult> => {
          const results = checksOf(turn, checks).map(async ({ name, metric }) =>
            toResult(name, await metric.score(turn.input, context)),
          );
          return { turn, results: await Promise.all(results) };
        };
        return verdictOf(await Promise.all(turns.map(runAll)));
      },
    };
  },
});

/** The metric that checks each expectation of a turn, unless the option `metrics` names another. */
const usualMetrics = {
  answer: 'exact-match',
  keywords: 'keywords',
  forbidden: 'forbidden',
  tools: 'tool-usage',
  calls: 'tool-calls',
  entities: 'entities',
  numbers: 'expected-numbers',
  documents: 'retrieval-recall',
  state: 'state-match',
  refusal: 'refusal',
  checks: 'case-checks',
} as const;

type CheckPart = keyof typeof usualMetrics;

/** The expectations that a turn can have. */
const checkParts = Object.keys(usualMetrics) as [CheckPart, ...CheckPart[]];

/** A metric that is applied to single turns. */
interface Check {
  readonly name: string;
  readonly metric: Metric;
  /** The expectation that a turn must have to be checked; undefined for a check of every turn. */
  readonly part: CheckPart | undefined;
}

/** The result of one check of one turn. */
interface CheckResult {
  readonly name: string;
  readonly outcome: 'passed' | 'failed' | 'not-applicable' | 'not-measured';
  readonly note?: string;
  /** The code of the reason why the check was not measured. */
  readonly code?: string;
  readonly judgements?: readonly string[];
}

interface CheckOptions {
  readonly metrics: Readonly<Partial<Record<CheckPart, NamedUse | string>>>;
  readonly every: readonly (NamedUse | string)[];
  readonly stripPrefix?: StripPrefix;
}

/** Creates the checks of all expectations, then the checks of every turn. Throws the errors of creating a metric. */
function createChecks({ metrics, every, stripPrefix }: CheckOptions, needs: MetricNeeds): Check[] {
  const ofParts = checkParts.map((part) => {
    const usual = usualMetrics[part];
    const isOfTools = part === 'tools' || part === 'calls';
    const strips = isOfTools && stripPrefix !== undefined ? { use: usual, stripPrefix } : usual;
    const use = metrics[part] ?? strips;
    return { name: nameOf(use), part, metric: needs.metric?.(use) ?? missingMetric };
  });
  const ofAll = every.map((use) => {
    return { name: nameOf(use), part: undefined, metric: needs.metric?.(use) ?? missingMetric };
  });
  return [...ofParts, ...ofAll];
}

function nameOf(use: NamedUse | string): string {
  return typeof use === 'string' ? use : (use.name ?? use.use);
}

/** Stands in for a metric that cannot be created, so that an unchecked expectation never looks as if it were met. */
const missingMetric: Metric = {
  score: () => ({
    status: 'failed',
    code: 'metric-missing',
    reason: 'there is no metric to check this expectation',
  }),
};

function toResult(name: string, verdict: Verdict): CheckResult {
  if (verdict.status === 'not-applicable') return { name, outcome: 'not-applicable', note: verdict.reason };
  const { judgements } = verdict;
  if (verdict.status === 'failed') {
    return {
      name,
      outcome: 'not-measured',
      code: verdict.code,
      note: `${name}: ${verdict.reason}`,
      judgements,
    };
  }
  const { value, unit, passed = unit === undefined ? value >= 1 - 1e-9 : undefined, explanation } = verdict;
  if (passed === undefined) {
    const note = `${name} gives ${value} ${unit} and neither passes nor fails; give it a limit`;
    return { name, outcome: 'not-measured', code: 'no-verdict', note };
  }
  return { name, outcome: passed ? 'passed' : 'failed', note: explanation, judgements };
}

interface TurnResult {
  readonly turn: CheckedTurn;
  readonly results: readonly CheckResult[];
}

function checksOf({ expected }: CheckedTurn, checks: readonly Check[]): readonly Check[] {
  return checks.filter(({ part }) => part === undefined || expected[part] !== undefined);
}

function reasonOf({ user }: CheckedTurn['input']['case']): string {
  if (user?.script === undefined) return 'the question has no script';
  return 'no turn that was reached has expectations';
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
  if (checked.length === 0) return notApplicable('no check applies to any turn');
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

/** A turn with expectations, as a case and a trial of its own. */
interface CheckedTurn {
  /** The position in the script, counted from 1. */
  readonly number: number;
  readonly said: string;
  readonly expected: Expected;
  readonly input: MetricInput;
}

/** Returns the turns of a conversation for which the script states expectations. */
function checkedTurnsOf({ case: testCase, trial }: MetricInput): CheckedTurn[] {
  const { turns = [] } = trial.conversation ?? {};
  return turns.flatMap((turn, index): CheckedTurn[] => {
    const written = turn.script === undefined ? undefined : testCase.user?.script?.[turn.script];
    if (written?.expected === undefined || turn.script === undefined) return [];
    const { say, expected } = written;
    const end = turns[index + 1]?.from;
    const input = {
      case: caseOf(turn, expected, { case: testCase, trial }),
      trial: trialOf(turn, trial, end),
    };
    return [{ number: turn.script + 1, said: say, expected, input }];
  });
}

/** Returns the case of a turn: its question is everything up to and including what the user says in this turn. */
function caseOf({ from }: Turn, expected: Expected, { case: testCase, trial }: MetricInput): Case {
  const { user: _user, ...rest } = testCase;
  return { ...rest, input: trial.transcript.slice(0, from + 1), expected };
}

function trialOf({ from, latency, documents, state }: Turn, trial: Trial, end: number | undefined): Trial {
  const { conversation: _conversation, ...rest } = trial;
  const transcript = trial.transcript.slice(from, end);
  const found = documents?.map((id) => trial.documents?.find((document) => document.id === id) ?? { id });
  return {
    ...rest,
    transcript,
    answer: transcript.findLast(({ role }) => role === 'assistant')?.content ?? null,
    latency,
    documents: found,
    state,
  };
}
