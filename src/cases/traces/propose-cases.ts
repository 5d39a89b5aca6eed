import { findDuplicates } from '../lint/find-duplicates.ts';
import { makeProposal } from '../proposals/make-proposal.ts';
import type { Case } from '../../core/schema/case.ts';
import type { Json } from '../../core/schema/json.ts';
import type {
  Proposal,
  ProposalAuthor,
  ProposalCheck,
  ProposedCase,
  ProposedExpectation,
  ProposedField,
} from '../../core/schema/proposal/proposal.ts';
import { findEntities } from './find-entities.ts';
import { type FindNearest, suggestCategory } from './nearest-cases.ts';
import { findObjections, type PickedTrace } from './pick-traces.ts';

/** The golden set that proposals are made for, and their author. */
export interface ProposalSetting {
  /** The name of the golden set. */
  readonly dataset: string;
  /** Its cases, and those that were proposed before. */
  readonly known: readonly KnownCase[];
  readonly findNearest: FindNearest;
  readonly by: ProposalAuthor;
  /** ISO 8601. */
  readonly at: string;
}

/** A case that need not be proposed again. */
export interface KnownCase {
  readonly case: Case;
  /** True for a case of the golden set, false for one that was proposed before. */
  readonly isGolden: boolean;
}

/** A picked trace of which no case is proposed. */
export interface LeftOut {
  readonly traceId: string;
  /** The reason, as a phrase. */
  readonly reason: string;
}

/** The cases that are proposed of traces, and the traces of which none is. */
export interface MadeProposals {
  readonly proposals: readonly Proposal[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * Proposes a case of each picked trace: its question with the messages before, and as expectations what the trace shows of a
 * successful answer. A question that the golden set has is proposed as a change of its case where a user gave a corrected answer,
 * and skipped otherwise.
 */
export function proposeCases(picked: readonly PickedTrace[], setting: ProposalSetting): MadeProposals {
  const leftOut: LeftOut[] = [];
  const usable = picked.flatMap((trace) => {
    const { input, question, traceId } = trace.facts;
    if (input !== null && question.trim() !== '') return [{ trace, case: toCase(trace) }];
    leftOut.push({ traceId, reason: 'its question was not recorded' });
    return [];
  });
  const duplicates = findDuplicates(
    setting.known.map((each) => each.case),
    usable.map((each) => each.case),
  );
  const proposals = usable.flatMap(({ trace }, index): Proposal[] => {
    const duplicate = duplicates[index];
    // Proposals are listed by time: the most important one of a batch stays the first.
    const own = { ...setting, at: new Date(Date.parse(setting.at) + index).toISOString() };
    if (duplicate === undefined) return [proposeNew(trace, own)];
    const golden = setting.known.find(
      (each) => each.isGolden && each.case.id === duplicate.caseId && !duplicate.isCandidate,
    );
    if (golden !== undefined && correctionOf(trace) !== undefined)
      return [proposeChange(trace, golden.case, own)];
    const what = duplicate.isCandidate
      ? 'another trace'
      : golden === undefined
        ? 'an earlier proposal'
        : 'the question';
    leftOut.push({
      traceId: trace.facts.traceId,
      reason: `${what} ${duplicate.caseId} asks this: ${duplicate.difference}`,
    });
    return [];
  });
  return { proposals, leftOut };
}

/** Returns the case of a trace for the search for duplicates. Its id names the trace. */
function toCase({ facts }: PickedTrace): Case {
  return { id: facts.traceId, input: inputOf(facts.input), tags: [], expected: {}, metadata: {} };
}

function inputOf(input: PickedTrace['facts']['input']): Case['input'] {
  return typeof input === 'string' ? input : [...(input ?? [])];
}

function proposeNew(trace: PickedTrace, setting: ProposalSetting): Proposal {
  const { facts } = trace;
  const suggested = suggestCategory(setting.findNearest, facts.question);
  const proposed: ProposedCase = {
    input: inputOf(facts.input),
    ...(suggested !== undefined && { category: suggested.category }),
    ...(facts.conversation !== null && { cluster: facts.conversation }),
    tags: [],
    metadata: {},
  };
  return makeProposal({
    ...commonParts(trace, setting),
    change: 'new',
    case: proposed,
    expectations: [...expectedAnswer(trace), ...expectedTools(trace), ...expectedEntities(trace)],
    checks: [
      {
        name: 'duplicate',
        passed: true,
        reason: 'no question of the golden set or of another proposal asks this',
      },
      suggested === undefined
        ? { name: 'category', passed: null, reason: 'no question with a category is near' }
        : { name: 'category', passed: true, reason: suggested.reason },
      pathCheck(trace),
    ],
  });
}

/** Proposes the corrected answer of a user as the answer of a case that asks the same. The expectations of the case stay. */
function proposeChange(trace: PickedTrace, golden: Case, setting: ProposalSetting): Proposal {
  const { expected, gate: _mark, ...rest } = golden;
  const kept = Object.entries(expected).flatMap(([field, value]): ProposedExpectation[] =>
    field === 'answer' || value === undefined
      ? []
      : [{ field: field as ProposedField, value: value as Json, proof: { type: 'case' } }],
  );
  return makeProposal({
    ...commonParts(trace, setting),
    change: 'changed',
    replaces: golden.id,
    case: rest,
    expectations: [...expectedAnswer(trace), ...kept],
    checks: [
      { name: 'duplicate', passed: true, reason: `it changes the question ${golden.id}, which asks this` },
    ],
  });
}

function commonParts({ facts, picked }: PickedTrace, { dataset, by, at }: ProposalSetting) {
  return {
    dataset,
    source: { type: 'trace' as const, traceId: facts.traceId, spanId: facts.rootSpanId, day: facts.day },
    picked: [...picked],
    isSynthetic: false,
    by,
    at,
  };
}

/** Returns whether the trace shows how the question is answered well: it did not fail, and no user or judge objected. */
function isSuccessful(trace: PickedTrace): boolean {
  return findObjections(trace).length === 0;
}

function pathCheck(trace: PickedTrace): ProposalCheck {
  return isSuccessful(trace)
    ? { name: 'path', passed: true, reason: 'the trace ended without an error or an objection' }
    : {
        name: 'path',
        passed: false,
        reason: 'the trace failed or someone objected: its tools and its answer may be wrong',
      };
}

function correctionOf({ feedback }: PickedTrace) {
  return feedback.findLast(({ signal, text }) => signal === 'edit' && text !== undefined);
}

/** Returns the user's corrected answer. The recorded answer is no expectation: no person has said that it is right. */
function expectedAnswer(trace: PickedTrace): ProposedExpectation[] {
  const correction = correctionOf(trace);
  if (correction?.text === undefined) return [];
  const proof = { type: 'feedback' as const, feedback: correction.id, text: 'the user wrote this answer' };
  return [{ field: 'answer', value: correction.text, proof }];
}

/** The most tools of one case. */
const mostTools = 20;

/** Returns the tools that were used without an error, each once; an empty list for an answer without tools. */
function expectedTools(trace: PickedTrace): ProposedExpectation[] {
  const { tools, rootSpanId, error } = trace.facts;
  if (error !== undefined) return [];
  const doubt = isSuccessful(trace) ? '' : ', in a trace that someone objected to';
  const byName = [...Map.groupBy(tools, ({ name }) => name)];
  if (byName.length === 0) {
    if (!isSuccessful(trace)) return [];
    const proof = { type: 'span' as const, spanId: rootSpanId, text: 'it was answered without tools' };
    return [{ field: 'tools', value: [], proof }];
  }
  return byName.slice(0, mostTools).map(([name, uses]) => ({
    field: 'tools' as const,
    value: name,
    proof: {
      type: 'span' as const,
      spanId: uses[0]?.spanId || rootSpanId,
      text: `used ${uses.length === 1 ? 'once' : `${uses.length} times`} without an error${doubt}`,
    },
  }));
}

function expectedEntities(trace: PickedTrace): ProposedExpectation[] {
  const { question, tools, answer } = trace.facts;
  const text = correctionOf(trace)?.text ?? (isSuccessful(trace) ? answer : null);
  if (text === null) return [];
  return findEntities({ question, tools, answer: text }).map(({ entity, tool }) => ({
    field: 'entities' as const,
    value: entity,
    proof: {
      type: 'span' as const,
      spanId: tool.spanId,
      text: `in the result of ${tool.name} and in the answer`.slice(0, 2000),
    },
  }));
}
