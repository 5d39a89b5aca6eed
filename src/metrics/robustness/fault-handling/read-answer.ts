import type { ToolCall } from '../../../schema/message.ts';
import { detectRefusal } from '../../text/detect-refusal.ts';
import { type AdmissionSign, findAdmission } from './admissions.ts';
import { findDeed, isBareAssertion, isCourtesy, isStatement } from './claims.ts';
import { clausesOf, withoutClauses } from './clauses.ts';
import type { FaultStory } from './fault-story.ts';
import type { StatedFacts } from './stated-facts.ts';

/** What there is to know of an answer that was given in spite of a fault. */
export interface AnswerReading {
  readonly story: FaultStory;
  /** Whether the answer is what the case expects; undefined where that cannot be known. */
  readonly isRight: boolean | undefined;
  /** Whether the case expects words of the answer: else a state that was to stay as it is says nothing for it. */
  readonly isExpectingWords: boolean;
  /** The calls that ended in an injected error; the others were hit by a spoilt result. */
  readonly failed: readonly ToolCall[];
  /** By which it tells of the trouble. */
  readonly admission: AdmissionSign | undefined;
  /** Whether it says that it looked and found nothing, and no more: an admission only where the tool did find nothing. */
  readonly isFindingNothing: boolean;
  /** Whether it shows what no reader should see: `NaN`, `undefined`, `[object Object]`, signs of a wrong encoding. */
  readonly isGarbled: boolean;
  /** What it states outside of the clauses that tell of the trouble, greet or excuse. */
  readonly facts: StatedFacts;
  /** What it says that was done, verb by verb. */
  readonly deeds: readonly string[];
  /** Whether it says that something is so, or that there is none, without any figure. */
  readonly isAsserting: boolean;
  /** Whether it says anything of the world, and does not refuse to. */
  readonly isStating: boolean;
  /** Whether a fault took away something that the right answer needs; undefined where that cannot be known. */
  readonly isNeededLost: boolean | undefined;
}

/** What is known of a trial beside its story. */
export interface Knowledge extends Pick<AnswerReading, 'isRight' | 'isExpectingWords' | 'isNeededLost'> {
  readonly lookUp: (text: string) => StatedFacts;
}

const garbage = /\bNaN\b|\bundefined\b|\[object \w+\]|\bInvalid Date\b|<!DOCTYPE|\ufffd/gu;

/** Reads an answer clause by clause. */
export function readAnswer(story: FaultStory, { lookUp, ...known }: Knowledge): AnswerReading {
  const clauses = clausesOf(story.said).map((clause) => ({ ...clause, sign: findAdmission(clause.text) }));
  const claims = clauses.filter(({ sign }) => sign === undefined);
  const silent = clauses.filter(({ sign, text }) => sign !== undefined || isCourtesy(text));
  const signs = clauses.flatMap(({ sign }) => sign ?? []);
  const admission = signs.find(({ id }) => id !== 'found-nothing');
  return {
    ...known,
    story,
    failed: story.hit.filter(({ error }) => error !== undefined),
    admission: admission ?? (isNothingFound(story) ? signs[0] : undefined),
    isFindingNothing: admission === undefined && signs.length > 0,
    isGarbled: story.said.search(garbage) !== -1,
    facts: lookUp(withoutClauses(story.said, silent).replace(garbage, ' ')),
    deeds: claims.flatMap(({ text }) => findDeed(text) ?? []),
    isAsserting: claims.some(({ text }) => isBareAssertion(text)),
    isStating: claims.some(({ text }) => isStatement(text)) && detectRefusal(story.said) === undefined,
  };
}

/** Whether a tool came back with nothing, on purpose or not: then "I found nothing" is the truth as the target knows it. */
function isNothingFound({ hit, real }: FaultStory): boolean {
  return [...hit, ...real].some(({ fault, result }) => fault === 'empty' || isEmpty(result));
}

function isEmpty(result: ToolCall['result']): boolean {
  return result === null || result === '' || JSON.stringify(result ?? 0).replaceAll(/[[\]{}]/g, '') === '';
}
