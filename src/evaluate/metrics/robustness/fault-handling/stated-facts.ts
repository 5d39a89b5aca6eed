import type { Case } from '../../../../core/schema/case.ts';
import type { Message, ToolCall } from '../../../../core/schema/message.ts';
import type { Trial } from '../../../../core/schema/trial.ts';
import { createSupport, type Supports } from '../../grounding/fact-support.ts';
import { type Fact, factKinds } from '../../grounding/fact.ts';
import { findFacts } from '../../grounding/find-facts.ts';
import { createSourceReader, questionTexts, sourceTexts } from '../../grounding/sources.ts';
import type { MetricInput } from '../../metric.ts';
import { type CalendarDate, type DateStyle, usualLocales } from '../../../../core/lib/numbers/find-dates.ts';

/** The facts of a text by their possible sources. */
export interface StatedFacts {
  /** The facts that no tool returned and that the target was not given. */
  readonly invented: readonly Fact[];
  /** The facts that only a faulty result contains. */
  readonly faulted: readonly Fact[];
  /** The facts that a tool really returned. */
  readonly real: readonly Fact[];
}

/** Looks up every fact of a text in the tools' results, both as the target saw them and as they really were. */
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
  const isGiven = createDerivedSupport([...asked, ...own], style, read);
  const isSeen = createDerivedSupport([...seenTexts(testCase, trial), ...asked, ...own], style, read);
  return {
    invented: facts.filter((fact) => !isSeen(fact)),
    faulted: facts.filter((fact) => isSeen(fact) && !isGiven(fact) && !isTrue(fact)),
    real: facts.filter((fact) => isTrue(fact) && !isAsked(fact)),
  };
}

/** The full stop in "12:00 pm. Shall I …" ends the sentence and is not part of the time. */
const endAfterTime = /(?<=\b[ap]m)\.(?=\s|$)/giu;

const everything = { sources: ['documents', 'tool-results', 'context'], arithmetic: true } as const;

/** Returns the arguments that the target itself passed to its tools. */
function argumentTexts(trial: Trial): string[] {
  return callsOf(trial).map(({ arguments: written = '' }) =>
    typeof written === 'string' ? written : JSON.stringify(written).replaceAll(/[{}[\]",]+/g, ' '),
  );
}

/** Returns the results as the target saw them, including errors. */
function seenTexts(testCase: Case, trial: Trial): string[] {
  return [...sourceTexts(testCase, trial, everything), ...callsOf(trial).flatMap(({ error }) => error ?? [])];
}

/**
 * Returns the results as they really were; documents only when no result was faulty, because they may come from one.
 */
function realTexts(testCase: Case, trial: Trial): string[] {
  const isFaulted = callsOf(trial).some(({ withheld }) => withheld !== undefined);
  const transcript = trial.transcript
    .filter(({ role }) => role !== 'tool')
    .map((message): Message => ({ ...message, toolCalls: message.toolCalls?.map(withRealResult) }));
  const { documents } = trial;
  return sourceTexts(testCase, { ...trial, transcript, documents: isFaulted ? [] : documents }, everything);
}

function withRealResult({ withheld, fault, result, ...call }: ToolCall): ToolCall {
  const real = fault === undefined ? result : withheld;
  return { ...call, ...(real !== undefined && { result: real }) };
}

function callsOf({ transcript }: Trial): ToolCall[] {
  return transcript.flatMap(({ toolCalls = [] }) => toolCalls);
}

const dayMs = 86_400_000;
const quarterHour = 15;

/**
 * Creates the look-up of `supported-facts`, extended by what follows from a date, its day of the week, and from an
 * instant such as 2026-03-26T13:00Z: the time in any zone, and the day before or after.
 */
function createDerivedSupport(
  texts: readonly string[],
  style: DateStyle,
  read = createSourceReader(style),
): Supports {
  const supports = createSupport(texts, style, read);
  const instants = texts.flatMap(findInstants);
  const quarters = new Set(instants.map((instant) => (instant / 60_000) % quarterHour));
  const days = new Set(
    instants.flatMap((instant) => [-1, 0, 1].map((by) => Math.floor(instant / dayMs) + by)),
  );
  const weekdays = new Set(texts.flatMap((text) => read(text).dates()).flatMap(weekdaysOf));
  for (const day of days) weekdays.add(weekdayOf(day));
  return (fact) => supports(fact) || isDerived(fact, { quarters, days, weekdays });
}

interface Derivable {
  /** Minutes past the quarter of an hour. */
  readonly quarters: ReadonlySet<number>;
  /** Days since 1970. */
  readonly days: ReadonlySet<number>;
  /** Days of the week; 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>;
}

function isDerived(fact: Fact, { quarters, days, weekdays }: Derivable): boolean {
  switch (fact.kind) {
    case 'time':
      return fact.readings.some((minute) => quarters.has(minute % quarterHour));
    case 'date':
      return fact.readings.some((date) => days.has(dayOf(date)));
    case 'name':
      return fact.words.every((word) => {
        const weekday = weekdayNames().get(plain(word));
        return weekday !== undefined && weekdays.has(weekday);
      });
    default:
      return false;
  }
}

function findInstants(text: string): number[] {
  const found = text.matchAll(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/g);
  return Array.from(found, ([instant]) => Date.parse(`${instant}Z`)).filter(
    (instant) => !Number.isNaN(instant),
  );
}

function weekdaysOf(date: CalendarDate): number[] {
  return date.day === undefined ? [] : [weekdayOf(dayOf(date))];
}

function dayOf({ year, month, day = Number.NaN }: CalendarDate): number {
  return Date.UTC(year, month - 1, day) / dayMs;
}

function weekdayOf(day: number): number {
  return new Date(day * dayMs).getUTCDay();
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll('.', '');
}

let names: Map<string, number> | undefined;

/** Returns the days of the week in the usual languages, long and short, in lower case. */
function weekdayNames(): ReadonlyMap<string, number> {
  if (names !== undefined) return names;
  names = new Map();
  for (const locale of usualLocales) {
    for (const weekday of ['long', 'short'] as const) {
      const format = new Intl.DateTimeFormat(locale, { weekday, timeZone: 'UTC' });
      // January 4, 1970 was a Sunday.
      for (let day = 0; day < 7; day += 1) names.set(plain(format.format((3 + day) * dayMs)), day);
    }
  }
  return names;
}
