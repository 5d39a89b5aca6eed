import { z } from 'zod';
import { withoutAnyUndefined } from '../../../core/lib/objects.ts';
import { type Expectation, expectationsOf, isEmptyList } from '../../../core/schema/expectation.ts';
import { isAnswerEmpty } from '../../../core/schema/expected.ts';
import { type StripPrefix, stripPrefixOption } from '../../../core/schema/expected-calls.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { isRecord } from '../matching/expectation.ts';
import { turnChecks } from '../conversation/turn-checks.ts';
import { correctness } from '../judged/correctness.ts';
import { expectedBehavior } from '../judged/expected-behavior.ts';
import { defineMetric, type Metric, type MetricInput, type MetricNeeds } from '../metric.ts';
import { retrievalRecall } from '../retrieval/retrieval-recall.ts';
import { stateMatch } from '../state/state-match.ts';
import { entities } from '../text/entities.ts';
import { forbidden } from '../text/forbidden.ts';
import { keywords } from '../text/keywords.ts';
import { refusal } from '../text/refusal.ts';
import { expectedNumbers } from '../values/expected-numbers.ts';
import { answerMatch } from './answer-match.ts';
import { notApplicable, type Scored } from '../verdicts.ts';

/** One expectation with the metric that checks it. */
interface Part {
  readonly expectation: Expectation;
  readonly name: string;
  readonly metric: Metric;
  /** True when an answer that fails this part scores 0 as a whole. All other parts are averaged. */
  readonly isRule: boolean;
}

interface PartVerdict {
  readonly part: Part;
  readonly verdict: Verdict;
}

/**
 * Scores how much of what a case expects of the answer is there, from 0 to 1: the mean over the expected keywords,
 * entities, numbers, answer, documents and turns, as far as the case states them; 0 when the answer breaks a rule (a
 * forbidden text, a wrong refusal, a wrong final state). Not applicable to a case that expects nothing of the answer;
 * not measured when one of its parts is not. This is the response-quality component of three-component scoring.
 */
export const responseQuality = defineMetric({
  name: 'response-quality',
  family: 'content',
  parts: [
    { name: 'keywords', aspect: 'expected-terms' },
    { name: 'entities', aspect: 'expected-terms' },
    { name: 'expected answer', aspect: 'expected-answer' },
  ],
  version: 8,
  reads: ['answer', 'keywords', 'entities', 'numbers', 'forbidden', 'refusal', 'documents', 'state', 'turns'],
  summary:
    'How much of what the question expects of the answer is there: keywords, entities, numbers, the expected answer, documents, turns; 0 where a forbidden text, a wrong refusal or a wrong final state breaks it.',
  words: 'everything the question expects, overall, all expectations, default score, quality',
  options: () => z.strictObject({ stripPrefix: stripPrefixOption }),
  create: ({ stripPrefix }, needs) => {
    const parts = createParts(needs, stripPrefix);
    const judge = parts.find(({ metric }) => metric.judge !== undefined)?.metric.judge;
    const concurrency = Math.max(0, ...parts.map(({ metric }) => metric.concurrency ?? 0));
    return {
      ...(judge !== undefined && { judge, alsoReads: ['behavior'] as const }),
      ...(concurrency > 0 && { concurrency }),
      questions: (input) =>
        partsOf(input, parts).flatMap(({ metric }) => [...(metric.questions?.(input) ?? [])]),
      score: async (input, context) => {
        const asked = partsOf(input, parts);
        if (asked.length === 0) return withoutParts(input);
        const verdicts = asked.map(async (part) => ({
          part,
          verdict: await part.metric.score(input, context),
        }));
        return joinVerdicts(await Promise.all(verdicts));
      },
    };
  },
});

/**
 * Creates the metrics of all parts. The expected answer goes to the judge of the configuration; without one, it is
 * compared by words, and a description of what should happen is read by nothing.
 */
function createParts(needs: MetricNeeds, stripPrefix: StripPrefix): Part[] {
  const isJudged = needs.judge?.() !== undefined;
  const answer = withSilence(isJudged ? make(correctness, needs) : make(answerMatch, needs));
  const graded = { isRule: false };
  const rule = { isRule: true };
  return [
    { expectation: 'keywords', name: 'keywords', metric: make(keywords, needs), ...graded },
    { expectation: 'entities', name: 'entities', metric: make(entities, needs), ...graded },
    { expectation: 'numbers', name: 'numbers', metric: make(expectedNumbers, needs), ...graded },
    { expectation: 'answer', name: 'expected answer', metric: answer, ...graded },
    ...(isJudged
      ? [
          {
            expectation: 'behavior' as const,
            name: 'expected behavior',
            metric: make(expectedBehavior, needs),
            ...graded,
          },
        ]
      : []),
    { expectation: 'documents', name: 'documents', metric: make(retrievalRecall, needs), ...graded },
    { expectation: 'turns', name: 'turns', metric: make(turnChecks, needs, { stripPrefix }), ...graded },
    { expectation: 'forbidden', name: 'forbidden texts', metric: make(forbidden, needs), ...rule },
    { expectation: 'refusal', name: 'refusal', metric: make(refusal, needs), ...rule },
    { expectation: 'state', name: 'final state', metric: make(stateMatch, needs), ...rule },
  ];
}

/** Returns the metric of the expected answer, where silence, expected or given, needs neither words nor a judge. */
function withSilence(metric: Metric): Metric {
  return {
    ...metric,
    questions: (input) =>
      verdictOnSilence(input) === undefined ? [...(metric.questions?.(input) ?? [])] : [],
    score: (input, context) => verdictOnSilence(input) ?? metric.score(input, context),
  };
}

function verdictOnSilence({ case: { expected }, trial }: MetricInput): Verdict | undefined {
  const isSilent = (trial.answer ?? '').trim() === '';
  if (isAnswerEmpty(expected)) {
    return isSilent
      ? { status: 'scored', value: 1, passed: true, explanation: 'it says nothing, as expected' }
      : { status: 'scored', value: 0, passed: false, explanation: 'no answer is expected, and one is given' };
  }
  if (!isSilent) return undefined;
  const { refused } = trial;
  const explanation =
    refused === undefined ? 'there is no answer' : `the provider of the model refused to answer: ${refused}`;
  return { status: 'scored', value: 0, passed: false, explanation };
}

interface MetricFactory {
  readonly definition: {
    readonly options: { parse(options: unknown): unknown };
    readonly create: (options: never, needs: MetricNeeds) => Metric;
  };
}

function make(
  { definition: { options, create } }: MetricFactory,
  needs: MetricNeeds,
  given: Record<string, unknown> = {},
): Metric {
  return create(options.parse(given) as never, needs);
}

function partsOf({ case: testCase }: MetricInput, parts: readonly Part[]): readonly Part[] {
  const expected = expectationsOf(testCase);
  return parts.filter(({ expectation }) => expected.includes(expectation));
}

/**
 * Returns the verdict on a case without parts: full marks when an empty list states that nothing is needed, else not
 * applicable.
 */
function withoutParts({ case: { expected } }: MetricInput): Verdict {
  const { tools: _tools, calls: _calls, ...ofAnswer } = expected;
  return Object.values(ofAnswer).some(isEmptyList)
    ? { status: 'scored', value: 1, passed: true, explanation: 'nothing is expected of the answer' }
    : notApplicable('the question expects nothing of the answer');
}

/** Joins the verdicts of all parts. A broken rule decides by itself; otherwise every part must be measured. */
function joinVerdicts(all: readonly PartVerdict[]): Verdict {
  const judgements = all.flatMap(({ verdict }) =>
    verdict.status === 'not-applicable' ? [] : (verdict.judgements ?? []),
  );
  const isBroken = all.some(
    ({ part, verdict }) => part.isRule && verdict.status === 'scored' && verdict.value < 1,
  );
  const gap = all.find(({ verdict }) => verdict.status !== 'scored');
  if (gap !== undefined && !isBroken) return { ...describeGap(gap), ...keep(judgements) };
  const value = isBroken ? 0 : Math.min(meanOf(all), mostOf(all));
  return {
    status: 'scored',
    value,
    passed: all.every(({ verdict }) => verdict.status === 'scored' && isMet(verdict)),
    explanation: all.flatMap(explain).join('; ') || undefined,
    evidence: { parts: Object.fromEntries(all.map(({ part, verdict }) => [part.name, show(verdict)])) },
    ...samplesOf(all, isBroken),
    ...keep(judgements),
  };
}

/** The most that an answer is worth that states another number, date, identifier or choice than the expected one. */
const contradicted = 0.2;

function mostOf(all: readonly PartVerdict[]): number {
  const differs = all.some(
    ({ part, verdict }) =>
      part.expectation === 'answer' &&
      verdict.status === 'scored' &&
      verdict.passed === false &&
      isRecord(verdict.evidence) &&
      verdict.evidence['differs'] !== undefined,
  );
  return differs ? contradicted : 1;
}

function isMet({ value, passed = value >= 1 - 1e-9 }: Scored): boolean {
  return passed;
}

/**
 * Returns the mean of the parts that are not rules. Rules that hold add nothing to other parts; a case with rules
 * alone gets full marks for keeping them.
 */
function meanOf(all: readonly PartVerdict[]): number {
  const values = all.flatMap(({ part, verdict }) =>
    part.isRule || verdict.status !== 'scored' ? [] : [verdict.value],
  );
  return values.length === 0 ? 1 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Describes an expectation that was not measured, for instance because the target reported no documents. */
function describeGap({ part, verdict }: PartVerdict): Extract<Verdict, { status: 'failed' }> {
  const { reason, code } =
    verdict.status === 'failed'
      ? verdict
      : { code: 'expectation-not-measured', ...(verdict as { reason: string }) };
  return { status: 'failed', code, reason: `${part.name}: ${reason}` };
}

function explain({ part: { name }, verdict }: PartVerdict): string[] {
  if (verdict.status !== 'scored') return [];
  const { value, explanation } = verdict;
  if (value >= 1 - 1e-9) return [];
  return [`${name}: ${explanation ?? `${Math.round(value * 100)} %`}`];
}

function show(verdict: Verdict): Json {
  return withoutAnyUndefined({ ...verdict, judgements: undefined }) as Json;
}

function keep(judgements: readonly string[]): { judgements?: string[] } {
  return judgements.length === 0 ? {} : { judgements: [...judgements] };
}

/** Returns the value of the whole for each sample of the judge. */
function samplesOf(all: readonly PartVerdict[], isBroken: boolean): Pick<Scored, 'samples'> {
  const judged = all.find(({ verdict }) => verdict.status === 'scored' && verdict.samples !== undefined);
  if (judged?.verdict.status !== 'scored' || judged.verdict.samples === undefined) return {};
  const samples = judged.verdict.samples.map(({ value }) => ({
    value: isBroken ? 0 : meanOf(all.map((each) => (each === judged ? withValue(each, value) : each))),
  }));
  return samples.length < 2 ? {} : { samples };
}

function withValue({ part, verdict }: PartVerdict, value: number): PartVerdict {
  return { part, verdict: { ...verdict, value } as Verdict };
}
