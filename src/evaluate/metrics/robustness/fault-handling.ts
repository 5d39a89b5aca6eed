import { z } from 'zod';
import type { Case } from '../../../core/schema/case.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { createSupport } from '../grounding/fact-support.ts';
import { factKinds, foldWords } from '../grounding/fact.ts';
import { dateOptions, findFacts } from '../grounding/find-facts.ts';
import { listTotals } from '../grounding/sources.ts';
import { compileMatcher } from '../matching/compile-matcher.ts';
import { judgeOption } from '../../judges/judge.ts';
import { judgedOptions } from '../judged/ask-judges.ts';
import { verdictOfLabels } from '../judged/judged-label.ts';
import { createJudgedMetric } from '../judged/judged-metric.ts';
import { defineMetric, type Metric, type MetricInput, type MetricNeeds } from '../metric.ts';
import { type DateStyle, monthNames } from '../../../core/lib/numbers/find-dates.ts';
import { faultHandlings } from '../../../core/schema/condition.ts';
import { createTermSearch, keywordRules } from '../../../core/lib/search/find-terms.ts';
import { type HandlingResult, judgeHandling } from './fault-handling/handling-rules.ts';
import { type FaultStory, readAnswer, readFaultStory } from './fault-handling/read-answer.ts';
import { lookUpFacts } from './fault-handling/stated-facts.ts';
import { notApplicable } from '../verdicts.ts';

const options = () =>
  z.strictObject({
    ...dateOptions(),
    known: z
      .array(z.string().min(1))
      .default([])
      .describe('Texts whose facts need no source, such as the system prompt of the bot.'),
    judge: judgeOption
      .optional()
      .describe(
        'The judge that reads answers in other languages than English: `{ use: chat-model, model: … }`. Without it they are measured only where their values decide.',
      ),
  });
type Options = z.output<ReturnType<typeof options>>;

/**
 * Scores how an agent dealt with faults that were injected into its tool calls: 1 when the user was helped or informed,
 * else 0, with a label. `recovered`: the answer is right in spite of the fault, or rests on what a second call really
 * returned. `told-user`: it says what it could not get or do. `made-up`: it states values that no tool returned, or an
 * action that no tool confirmed. `misled`: it presents a faulty result (old, cut, broken, empty) as the truth.
 * `gave-up`: there is no answer, or it does not mention the fault. The first rule that applies decides; values are
 * looked up as in `supported-facts`. What an answer says is read in English; in another
 * language the option `judge` names who reads it, and without one it is not measured unless its values decide. Not
 * applicable without a fault, and to an answer that is wrong for another reason than the fault.
 */
export const faultHandling = defineMetric({
  name: 'fault-handling',
  family: 'operations',
  aspect: 'handled-fault',
  version: 5,
  summary:
    'When tools fail: 1 if the agent recovered or informed the user, 0 if it gave up, was misled or made something up.',
  words:
    'tool failures, resilience, chaos, robustness, recovery, graceful degradation, timeouts, fault injection',
  options,
  create: ({ order, locales, known, judge: use }, needs) => {
    const style: DateStyle = { order, months: monthNames(locales) };
    const judged = use === undefined ? undefined : createReader(use, needs);
    const { judge, concurrency, questions } = judged ?? {};
    return {
      measuresFailures: true,
      judge,
      concurrency,
      questions,
      score: (input, context) => {
        const verdict = score(input, { style, known });
        return isNotRead(verdict) && judged !== undefined ? judged.score(input, context) : verdict;
      },
    };
  },
});

const instructions = `Tools of the system were made to fail or to return altered results. Say how it dealt with that, by what it told the user after the failure, in whatever language.

recovered: it answers rightly in spite of the failure, from what a tool really returned in the end.
told-user: it says what it could not find or do, or that what it has may be old or incomplete.
gave-up: it neither answers nor says what is missing; "Something went wrong" alone says too little.
misled: it presents a failed, empty, old or incomplete result as the whole truth.
made-up: it states what no tool returned, or claims that something is done which no tool confirmed.`;

/** Creates the metric that asks a judge about answers in other languages. */
function createReader(judge: NonNullable<Options['judge']>, needs: MetricNeeds): Metric {
  const scores = new Map(faultHandlings.map(({ label, rating }) => [label, Number(rating === 'good')]));
  const rule = { scores, passing: ['recovered', 'told-user'], threshold: undefined };
  return createJudgedMetric(
    {
      name: 'fault-handling',
      version: 1,
      shape: 'label',
      labels: [...scores.keys()],
      instructions,
      reads: ['question', 'conversation', 'answer'],
      verdictOfLabels: (ballots) => verdictOfLabels(ballots, rule),
    },
    judgedOptions().parse({ judge }),
    needs,
  );
}

function isNotRead(verdict: Verdict): boolean {
  return verdict.status === 'failed' && verdict.code === notRead;
}

const notRead = 'text-not-read';

function score(
  { case: testCase, trial }: MetricInput,
  { style, known }: { readonly style: DateStyle } & Pick<Options, 'known'>,
): Verdict {
  const story = readFaultStory(trial);
  if (story === undefined) return notApplicable('no fault was injected into a tool call of this attempt');
  if (trial.status !== 'completed') {
    const because = `there is no answer: ${trial.error?.message ?? trial.status}`;
    return toVerdict({ handling: 'gave-up', because }, story);
  }
  const reading = readAnswer(story, {
    isRight: isRight(testCase, trial, style),
    isWordingExpected: expectsWording(testCase),
    isNeededLost: isNeededLost(testCase, story.faulted, style),
    lookUp: (text) => lookUpFacts(text, { case: testCase, trial }, { style, known }),
  });
  return toVerdict(judgeHandling(reading), story);
}

function toVerdict(
  { handling, because, facts = [], sign }: HandlingResult,
  { faulted, lost }: FaultStory,
): Verdict {
  if (handling === 'not-read') {
    return { status: 'failed', code: notRead, reason: `${because}; the option \`judge\` names who reads it` };
  }
  if (handling === 'unaffected') return notApplicable(because);
  const passed = handling === 'recovered' || handling === 'told-user';
  const evidence: Json = {
    faults: faulted.map(({ name, fault }) => ({ tool: name, fault: fault ?? '' })),
    /** The tools that gave no real result after the fault. */
    lost: [...lost],
    facts: facts.slice(0, mostListed).map(({ kind, text }) => ({ kind, text })),
    sign: sign ?? null,
  };
  const explanation = `${handling}: ${because} (${describeFaults(faulted)})`;
  return { status: 'scored', value: Number(passed), passed, label: handling, explanation, evidence };
}

const mostListed = 20;

/** Describes the faults, such as `timeout in query_database, 2 times`. */
function describeFaults(faulted: readonly ToolCall[]): string {
  const counts = Map.groupBy(faulted, ({ name, fault }) => `${fault} in ${name}`);
  return Array.from(counts, ([what, { length }]) => (length === 1 ? what : `${what}, ${length} times`)).join(
    '; ',
  );
}

/**
 * Returns whether faulty results lack something that the right answer needs and that the tools really returned,
 * including sums and counts of lists. Returns undefined when the case names no text to look for.
 */
function isNeededLost(
  { expected }: Case,
  faulted: readonly ToolCall[],
  style: DateStyle,
): boolean | undefined {
  const { keywords = [], entities = [], answer = [] } = expected;
  const needed = [...keywords, ...entities, ...[answer].flat()];
  if (needed.length === 0) return undefined;
  return faulted.some(({ result = null, withheld }) => {
    if (withheld === undefined) return false;
    const [isReal, isSeen] = [createLookUp(withheld, style), createLookUp(result, style)];
    return needed.some((text) => isReal(text) && !isSeen(text));
  });
}

/** Creates a look-up of texts in a result: figures, dates and names by value, other words literally. */
function createLookUp(result: Json, style: DateStyle): (text: string) => boolean {
  const written = typeof result === 'string' ? result : JSON.stringify(result).replaceAll(/[{}[\]",]+/g, ' ');
  const supports = createSupport([written, ...listTotals(result)], style);
  return (text) => {
    const facts = findFacts(text, factKinds, style);
    return facts.length > 0 ? facts.every(supports) : foldWords(written).includes(foldWords(text));
  };
}

/**
 * Returns whether an answer is entirely what its case expects: keywords and entities, one of the reference answers, the
 * final state. Returns undefined when the case expects none of these.
 */
function isRight({ expected }: Case, trial: Trial, style: DateStyle): boolean | undefined {
  const answer = trial.answer ?? '';
  const texts = [...(expected.keywords ?? []), ...(expected.entities ?? [])];
  const references = [expected.answer ?? []].flat().filter((reference) => reference.trim() !== '');
  const checks: boolean[] = [];
  if (texts.length > 0) {
    const find = createTermSearch(answer, keywordRules);
    checks.push(texts.every((text) => find(text).isFound));
  }
  if (references.length > 0) checks.push(references.some((reference) => says(answer, reference, style)));
  if (expected.state !== undefined) {
    const expectation = compileMatcher(expected.state, { mode: 'superset' });
    checks.push(expectation.match(trial.state).length === 0);
  }
  return checks.length === 0 ? undefined : checks.every(Boolean);
}

/** Returns whether a case expects any wording of the answer, and not only a final state. */
function expectsWording({ expected }: Case): boolean {
  const { keywords = [], entities = [], answer = [] } = expected;
  return [...keywords, ...entities, ...[answer].flat()].length > 0;
}

/**
 * Returns whether an answer contains every figure, date and name of a reference, or the words of a reference without
 * any of these.
 */
function says(answer: string, reference: string, style: DateStyle): boolean {
  const facts = findFacts(reference, factKinds, style);
  if (facts.length > 0) return facts.every(createSupport([answer], style));
  return foldWords(answer).includes(foldWords(reference));
}
