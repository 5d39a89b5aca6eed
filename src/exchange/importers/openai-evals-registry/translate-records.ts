import { translateChat, usageOf } from '../chat-messages.ts';
import type { FoundScore, FoundTrial } from '../collect-trials.ts';
import type { Message } from '../../../core/schema/message.ts';
import type { Ledger } from '../ledger.ts';
import {
  asArray,
  asObject,
  asText,
  asTime,
  type Fields,
  jsonObject,
  textOf,
  withoutTerminalCodes,
} from '../values.ts';

/** The events that `oaieval` recorded about one sample, in their order. */
export interface RecordedSample {
  readonly id: string;
  readonly events: readonly Fields[];
}

/** Groups the events of a log by their sample, in the order of the samples' numbers. */
export function readRecords(rows: readonly Fields[]): RecordedSample[] {
  const events = rows.filter(
    ({ sample_id: id, type }) => asText(id) !== undefined && asText(type) !== undefined,
  );
  const number = (id: string) => Number(/\.(\d+)$/.exec(id)?.[1] ?? Number.NaN);
  return Array.from(
    Map.groupBy(events, ({ sample_id: id }) => textOf(id)),
    ([id, own]) => ({ id, events: own }),
  ).toSorted((a, b) => number(a.id) - number(b.id) || a.id.localeCompare(b.id));
}

interface RecordContext {
  readonly target: string;
  /** The class of the eval, such as `evals.elsuite.basic.match:Match`. */
  readonly kind: string | undefined;
  readonly ledger: Ledger;
}

/** Translates a sample: its first sampling is the answer; a later one comes from a judge. */
export function translateSample(sample: RecordedSample, { target, kind, ledger }: RecordContext): FoundTrial {
  const { id, events } = sample;
  const [startedAt] = events.flatMap(({ created_at: time }) => asTime(time) ?? []).toSorted();
  const found = sortEvents(sample, kind);
  const messages = messagesOf(found.sampling?.prompt);
  const isPlain = messages.length === 1 && messages[0]?.role === 'user';
  const expected = expectedOf(found.match) ?? asText(found.sampling?.expert);
  if (expected !== undefined) ledger.take('expected answer', 'expected.answer');
  return {
    caseKey: id,
    name: id,
    target,
    testCase: jsonObject({
      input: isPlain ? messages[0]?.content : messages.length === 0 ? unknownQuestion : messages,
      ...(expected !== undefined && { expected: { answer: expected } }),
      metadata: {},
    }),
    row: { ...rowOf(found, messages), startedAt, source: { id } },
    scores: scoresOf(found),
  };
}

/** Returns the messages of a prompt, which may be a text. */
function messagesOf(prompt: unknown): Message[] {
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : translateChat(asArray(prompt));
}

const unknownQuestion = '(the question was not recorded)';

/** The events of a sample by their type. */
interface SampleEvents {
  /** The sampling that made the answer, or what the prompt of a judge quotes of it; undefined without either. */
  readonly sampling: Fields | undefined;
  readonly usage: unknown;
  readonly match: Fields | undefined;
  readonly metrics: readonly Fields[];
  readonly failure: string | undefined;
}

function sortEvents({ events }: RecordedSample, kind = ''): SampleEvents {
  const data = (type: string) =>
    events.filter((each) => each.type === type).map((each) => asObject(each.data) ?? {});
  const samplings = data('sampling');
  const metrics = data('metrics');
  const [error] = data('error');
  const isGraded = kind.includes('modelgraded') || metrics.some(({ choice }) => choice !== undefined);
  // If a model-graded sample has a single sampling, the answer was in the data, and the sampling comes from the judge.
  const own = isGraded && samplings.length === 1 ? undefined : samplings[0];
  return {
    sampling: own ?? fromGraderPrompt(samplings[0]),
    usage: own?.usage,
    match: data('match')[0],
    metrics,
    failure: asText(error?.message) ?? asText(error?.error),
  };
}

function rowOf({ sampling, usage, match, failure }: SampleEvents, messages: readonly Message[]): Fields {
  const answer = sampling === undefined ? asText(match?.sampled) : answerOf(sampling);
  if (answer === undefined && failure !== undefined)
    return { error: withoutTerminalCodes(failure), transcript: messages };
  const said = { role: 'assistant', content: answer ?? '' };
  return { answer: answer ?? '', transcript: [...messages, said], usage: usageOf(usage) };
}

function answerOf({ sampled }: Fields): string {
  const [first] = [sampled].flat();
  return first === undefined || first === null ? '' : textOf(first);
}

/**
 * Returns question, expected and given answer from the prompt of a judge of the fact template, where the answer was in the data
 * and was never sampled.
 */
function fromGraderPrompt(sampling: Fields | undefined): Fields | undefined {
  const text = translateChat(asArray(sampling?.prompt))[0]?.content ?? '';
  const part = (name: string) => new RegExp(`^\\[${name}\\]: ([\\s\\S]*?)\\n\\*{12}$`, 'm').exec(text)?.[1];
  const [question, submission] = [part('Question'), part('Submission')];
  if (question === undefined || submission === undefined) return undefined;
  return { prompt: [{ role: 'user', content: question }], sampled: [submission], expert: part('Expert') };
}

function expectedOf(match: Fields | undefined): string | string[] | undefined {
  const options = asArray(match?.options).map(textOf);
  const all =
    options.length > 0
      ? options
      : [match?.expected]
          .flat()
          .filter((each) => each !== undefined && each !== null)
          .map(textOf);
  if (all.length === 0) return undefined;
  return all.length === 1 ? all[0] : all;
}

function scoresOf({ match, metrics }: SampleEvents): FoundScore[] {
  const ofMatch: FoundScore[] =
    match === undefined
      ? []
      : [
          {
            name: 'match',
            value: match.correct,
            ...(typeof match.correct === 'boolean' && { passed: match.correct }),
            evidence: jsonObject({ picked: match.picked, expected: match.expected }),
          },
        ];
  const others = metrics.flatMap((each) =>
    Object.entries(each).flatMap(([name, value]): FoundScore[] => {
      if (value === null || value === undefined) return [];
      if (name !== 'choice') return [{ name, value }];
      // A label has no order of its own: which labels pass is not in the file.
      return [{ name, value: textOf(value), isClass: true }];
    }),
  );
  return [...ofMatch, ...others];
}
