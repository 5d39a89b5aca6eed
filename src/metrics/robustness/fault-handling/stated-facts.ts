import type { Case } from '../../../schema/case.ts';
import type { Message, ToolCall } from '../../../schema/message.ts';
import type { Trial } from '../../../schema/trial.ts';
import type { DateStyle } from '../../values/find-dates.ts';
import { type Fact, factKinds } from '../../grounding/fact.ts';
import { findFacts } from '../../grounding/find-facts.ts';
import { createSourceReader } from '../../grounding/read-source.ts';
import { questionTexts, sourceTexts } from '../../grounding/sources.ts';
import type { MetricInput } from '../../metric.ts';
import { createDerivedSupport } from './derived-support.ts';

/** The facts of a text, by where they may come from. */
export interface StatedFacts {
  /** Those that no tool returned, and that nobody told the target. */
  readonly invented: readonly Fact[];
  /** Those that only a spoilt result holds. */
  readonly spoilt: readonly Fact[];
  /** Those that a tool really returned. */
  readonly real: readonly Fact[];
}

/** Looks up every fact of a text in what the tools returned, as the target saw it and as it really was. */
export function lookUpFacts(
  text: string,
  { case: testCase, trial }: MetricInput,
  { style, known: alsoKnown }: { readonly style: DateStyle; readonly known: readonly string[] },
): StatedFacts {
  const facts = findFacts(text.replace(endAfterTime, ';'), factKinds, style);
  const asked = [...questionTexts(testCase, trial), ...[testCase.context ?? []].flat(), ...alsoKnown];
  const own = argumentTexts(trial);
  const read = createSourceReader(style);
  const isAsked = createDerivedSupport(asked, style, read);
  const isTrue = createDerivedSupport(realTexts(testCase, trial), style, read);
  const isTold = createDerivedSupport([...asked, ...own], style, read);
  const isSeen = createDerivedSupport([...seenTexts(testCase, trial), ...asked, ...own], style, read);
  return {
    invented: facts.filter((fact) => !isSeen(fact)),
    spoilt: facts.filter((fact) => isSeen(fact) && !isTold(fact) && !isTrue(fact)),
    real: facts.filter((fact) => isTrue(fact) && !isAsked(fact)),
  };
}

/** Of "12:00 pm. Shall I …": it belongs to the sentence, not to the time. */
const endAfterTime = /(?<=\b[ap]m)\.(?=\s|$)/giu;

const everything = { sources: ['documents', 'tool-results', 'context'], arithmetic: true } as const;

/** What the target itself asked of its tools. */
function argumentTexts(trial: Trial): string[] {
  return callsOf(trial).map(({ arguments: written = '' }) =>
    typeof written === 'string' ? written : JSON.stringify(written).replaceAll(/[{}[\]",]+/g, ' '),
  );
}

/** Results as the target saw them, errors among them. */
function seenTexts(testCase: Case, trial: Trial): string[] {
  return [...sourceTexts(testCase, trial, everything), ...callsOf(trial).flatMap(({ error }) => error ?? [])];
}

/** Results as they really were; documents only where no result was spoilt, for they may come out of one. */
function realTexts(testCase: Case, trial: Trial): string[] {
  const isSpoilt = callsOf(trial).some(({ withheld }) => withheld !== undefined);
  const transcript = trial.transcript
    .filter(({ role }) => role !== 'tool')
    .map((message): Message => ({ ...message, toolCalls: message.toolCalls?.map(asItWas) }));
  const { documents } = trial;
  return sourceTexts(testCase, { ...trial, transcript, documents: isSpoilt ? [] : documents }, everything);
}

function asItWas({ withheld, fault, result, ...call }: ToolCall): ToolCall {
  const real = fault === undefined ? result : withheld;
  return { ...call, ...(real !== undefined && { result: real }) };
}

function callsOf({ transcript }: Trial): ToolCall[] {
  return transcript.flatMap(({ toolCalls = [] }) => toolCalls);
}
