import { containsPieces, quotePieces } from '../../core/lib/text/quotes.ts';
import { makeProposal } from '../proposals/make-proposal.ts';
import type { DraftedQuestion, DraftFact } from '../../core/schema/api/draft-report.ts';
import type {
  Proof,
  Proposal,
  ProposalCheck,
  ProposedExpectation,
} from '../../core/schema/proposal/proposal.ts';
import { promptVersions } from './asking/prompts.ts';
import type { DescribedQuestion } from './checks/check-question.ts';
import type { TraceEvidence, TraceText } from './documents/document.ts';

/** The circumstances under which a question was drafted. */
export interface Provenance {
  /** The name of the golden set. */
  readonly dataset: string;
  /** The name of the model. */
  readonly model: string;
  readonly seed: string | number;
  /** The hashes of the texts of the documents by their ids. */
  readonly hashes: ReadonlyMap<string, string>;
  /** The traces by the ids of the documents that were made of them. */
  readonly traces: ReadonlyMap<string, TraceEvidence>;
  /** ISO 8601. */
  readonly at: string;
}

/** The longest reason of a check and the longest list of sources in a proposal, in UTF-16 code units. */
const longestReason = 2000;
const longestList = 1000;

function shorten(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1).toWellFormed()}…`;
}

/**
 * Makes the proposal of a drafted question. Every expectation has its proof, and enters a case only when a person ticks it. The
 * id does not depend on the checks, so that the same question is the same proposal in every draft. Throws `proposal-invalid`.
 */
export function buildProposal(
  question: DescribedQuestion & Partial<Pick<DraftedQuestion, 'checks'>>,
  { dataset, model, seed, hashes, traces, at }: Provenance,
): Proposal {
  const { kind, category, difficulty, passages, documents, checks = [] } = question;
  const sources = documents.length > 0 ? documents : passages.map(documentOf);
  const trace = traces.get(sources[0] ?? '');
  const drafted = { model, prompt: `draft-${kind}@${promptVersions[`draft-${kind}`]}`, seed: String(seed) };
  return makeProposal({
    dataset,
    change: 'new',
    case: {
      input: question.question,
      category,
      tags: [kind, difficulty],
      // Questions about the same passage are not independent of each other.
      cluster: question.facts[0]?.passage ?? passages[0],
      metadata: {},
    },
    expectations:
      trace === undefined ? expectationsOf(question, model) : expectFromTrace(question, { trace, model }),
    source:
      trace === undefined
        ? {
            type: 'document',
            document: shorten(sources.join(', '), longestList),
            passage: shorten(passages.join(', '), longestList),
            ...drafted,
            hashes: Object.fromEntries(sources.map((id) => [id, hashes.get(id) ?? ''])),
          }
        : { type: 'trace', traceId: trace.traceId, spanId: trace.spanId, day: trace.day, ...drafted },
    picked: [
      { reason: 'drafted', why: `a question of the kind ${kind} from ${nameSources(sources, trace)}` },
    ],
    checks: [...checks.map(shortened), describeDifficulty(question)],
    isSynthetic: true,
    by: { type: 'program', name: 'touchstone draft', model },
    at,
  });
}

function nameSources(sources: readonly string[], trace: TraceEvidence | undefined): string {
  return trace === undefined ? `${sources.length} of the documents` : 'what the trace shows';
}

function documentOf(passage: string): string {
  return passage.slice(0, passage.lastIndexOf('#'));
}

function expectationsOf(
  { answer, facts, documents, measured }: DescribedQuestion,
  model: string,
): ProposedExpectation[] {
  if (answer === null) {
    const text = `the documents do not answer it, as far as ${model} and a search find`;
    return [{ field: 'refusal', value: true, proof: { type: 'text', text } }];
  }
  const values = new Map(facts.map((fact) => [fact.value, fact]));
  const keywords = Array.from(values.values(), ({ value, document, quote }): ProposedExpectation => {
    return { field: 'keywords', value, proof: { type: 'quote', document, quote } };
  });
  const found = documents.map((document): ProposedExpectation => {
    const quote = facts.find((fact) => fact.document === document)?.quote ?? '';
    return { field: 'documents', value: document, proof: { type: 'quote', document, quote } };
  });
  if (answer === '') return [...keywords, ...found];
  const text = `written by ${model} from ${measured.passages} quoted passages`;
  return [{ field: 'answer', value: answer, proof: { type: 'text', text } }, ...keywords, ...found];
}

function shortened({ name, passed, reason }: ProposalCheck): ProposalCheck {
  return { name, passed, reason: shorten(reason, longestReason) };
}

/** Describes the difficulty with its numbers; it is no check that can fail. */
function describeDifficulty({ difficulty, measured }: DescribedQuestion): ProposalCheck {
  const { passages, rank, overlap } = measured;
  const found = rank === null ? 'which a search for the question does not all find' : `found at rank ${rank}`;
  const needed = passages === 0 ? 'no passage answers it' : `needs ${passages} passages, ${found}`;
  const words = `${Math.round(overlap * 100)} % of its words are in its passages`;
  return { name: 'difficulty', passed: null, reason: `${difficulty}: ${needed}; ${words}` };
}

/** A fact with the text of the trace that states it, if one of them alone does. */
interface ProvenFact {
  readonly fact: DraftFact;
  readonly text: TraceText | undefined;
}

/**
 * Proposes what the case of a question from a trace expects: the answer and its keywords, the tools whose results state the
 * facts, and the documents that were found and state them. Each has its place in the trace as proof; no person has approved it.
 */
function expectFromTrace(
  { answer, facts }: Pick<DescribedQuestion, 'answer' | 'facts'>,
  { trace, model }: { readonly trace: TraceEvidence; readonly model: string },
): ProposedExpectation[] {
  const proven = facts.map((fact): ProvenFact => ({ fact, text: findText(fact, trace) }));
  const written: Proof = { type: 'text', text: `written by ${model} from what the trace shows` };
  const keywords = new Map(proven.map((each) => [each.fact.value, proofOf(each, trace)]));
  return [
    ...(answer === null || answer === ''
      ? []
      : [{ field: 'answer' as const, value: answer, proof: written }]),
    ...Array.from(keywords, ([value, proof]) => ({ field: 'keywords' as const, value, proof })),
    ...expectTools(proven),
    ...expectDocuments(proven),
  ];
}

function findText({ quote }: DraftFact, { texts }: TraceEvidence): TraceText | undefined {
  const pieces = quotePieces(quote);
  return texts.find(({ text }) => containsPieces(text, pieces));
}

/** The longest quote in a phrase, in UTF-16 code units. */
const longestQuote = 500;

function proofOf({ fact, text }: ProvenFact, { spanId }: TraceEvidence): Proof {
  const quote = `"${fact.quote.slice(0, longestQuote).toWellFormed()}"`;
  switch (text?.type) {
    case 'tool':
      return { type: 'span', spanId: text.spanId, text: `${text.name} returned ${quote}`.slice(0, 2000) };
    case 'document':
      return { type: 'quote', document: text.id, quote: fact.quote };
    case 'correction':
      return { type: 'feedback', feedback: text.feedback, text: `the user wrote ${quote}` };
    case 'answer':
      return { type: 'span', spanId, text: `it answered ${quote}, which no person has checked` };
    default:
      return { type: 'span', spanId, text: `it shows ${quote}` };
  }
}

function expectTools(proven: readonly ProvenFact[]): ProposedExpectation[] {
  const tools = new Map(proven.flatMap(({ text }) => (text?.type === 'tool' ? [[text.name, text]] : [])));
  return Array.from(tools.values(), ({ name, spanId }) => ({
    field: 'tools' as const,
    value: name,
    proof: { type: 'span' as const, spanId, text: 'its result states an expected fact' },
  }));
}

function expectDocuments(proven: readonly ProvenFact[]): ProposedExpectation[] {
  const found = new Map(
    proven.flatMap(({ fact, text }) => (text?.type === 'document' ? [[text.id, fact.quote]] : [])),
  );
  return Array.from(found, ([document, quote]) => ({
    field: 'documents' as const,
    value: document,
    proof: { type: 'quote' as const, document, quote },
  }));
}
