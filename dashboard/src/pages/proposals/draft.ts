import { parseJson } from '../../../../src/core/lib/json/parse-json.ts';
import type { Json } from '../../../../src/core/schema/json.ts';
import type { DecisionOutcome } from '../../../../src/core/schema/proposal/decision.ts';
import type { Proposal, ProposedCase } from '../../../../src/core/schema/proposal/proposal.ts';

/** The edits of a person to a proposal so far, before the decision. */
export interface ProposalDraft {
  /** The question as edited. */
  readonly question: string;
  readonly category: string;
  /** The values of the expectations as edited: texts, or JSON for other values. */
  readonly values: readonly string[];
  /** True for each expectation that is ticked. */
  readonly ticks: readonly boolean[];
  /** The place of the expectation that the keys are about. */
  readonly at: number;
  /** The expectations that the person has written, by their field: an answer, or one item on each line. */
  readonly own: Readonly<Record<OwnField, string>>;
}

/** The expectations that a person can write. */
export const ownFields = ['answer', 'keywords', 'tools', 'forbidden'] as const;
export type OwnField = (typeof ownFields)[number];

/** Begins with the case as proposed. Only expectations that the case had before are ticked. */
export function beginDraft({ case: proposed, expectations }: Proposal): ProposalDraft {
  return {
    question: lastText(proposed),
    category: proposed.category ?? '',
    values: expectations.map(({ value }) => writeValue(value)),
    ticks: expectations.map(({ proof }) => proof.type === 'case'),
    at: 0,
    own: { answer: '', keywords: '', tools: '', forbidden: '' },
  };
}

/** Returns the text that can be edited: the question, or the last message of a conversation. */
function lastText({ input }: ProposedCase): string {
  return typeof input === 'string' ? input : (input.at(-1)?.content ?? '');
}

/** Returns a value as it can be edited. */
function writeValue(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Reads an edited value: a text stays one where a text was proposed; anything else is JSON. Undefined for broken JSON. */
function readValue(text: string, before: Json): Json | undefined {
  if (typeof before === 'string') return text;
  try {
    return parseJson(text) as Json;
  } catch {
    return undefined;
  }
}

/** Ticks an expectation, or no longer. */
export function toggleTick(draft: ProposalDraft, place: number): ProposalDraft {
  if (place >= draft.ticks.length) return draft;
  return { ...draft, at: place, ticks: draft.ticks.map((tick, each) => (each === place ? !tick : tick)) };
}

/** Ticks all expectations, or none where all are ticked. */
export function toggleAll(draft: ProposalDraft): ProposalDraft {
  const isAll = draft.ticks.every(Boolean);
  return { ...draft, ticks: draft.ticks.map(() => !isAll) };
}

/** Returns the approval of a draft, or the place of the first ticked value that is no JSON. */
export function toApproval(
  { case: proposed, expectations }: Proposal,
  { question, category, values, ticks, own }: ProposalDraft,
): DecisionOutcome | { readonly broken: number } {
  const read = expectations.map(({ value }, place) => readValue(values[place] ?? '', value));
  const broken = read.findIndex((value, place) => value === undefined && ticks[place] === true);
  if (broken >= 0) return { broken };
  const { category: _before, ...rest } = proposed;
  return {
    status: 'approved',
    case: {
      ...rest,
      input: withLastText(proposed, question),
      ...(category.trim() !== '' && { category: category.trim() }),
    },
    expectations: [
      ...expectations.flatMap(({ field }, place) =>
        ticks[place] === true ? [{ expectation: place, field, value: read[place] ?? null }] : [],
      ),
      ...ownFields.flatMap((field) =>
        readOwn(field, own[field]).map((value) => ({ expectation: null, field, value })),
      ),
    ],
  };
}

/** Returns what a person has written: an answer as a whole, and of lists each line. */
function readOwn(field: OwnField, text: string): string[] {
  const items = field === 'answer' ? [text] : text.split('\n');
  return items.map((item) => item.trim()).filter((item) => item !== '');
}

/** Returns the reasons to ask before an approval: nothing is expected, or checks have failed. */
export function doubtsAbout({ checks }: Proposal, outcome: DecisionOutcome): string[] {
  const failed = checks.filter(({ passed }) => passed === false).map(({ name }) => name);
  return [
    ...(outcome.status === 'approved' && outcome.expectations.length === 0
      ? ['It expects nothing: only what is checked for every question is measured.']
      : []),
    ...(failed.length === 0 ? [] : [`A check has failed: ${failed.join(', ')}.`]),
  ];
}

function withLastText({ input }: ProposedCase, text: string): ProposedCase['input'] {
  if (typeof input === 'string') return text;
  return input.map((message, place) =>
    place === input.length - 1 ? { ...message, content: text } : message,
  );
}
