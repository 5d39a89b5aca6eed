import { makeProposal } from '../proposals/make-proposal.ts';
import type { DraftedQuestion } from '../schema/api/draft-report.ts';
import type { Proposal, ProposalCheck, ProposedExpectation } from '../schema/proposal/proposal.ts';
import { promptVersions } from './asking/prompts.ts';
import type { DescribedQuestion } from './checks/check-question.ts';

/** The circumstances under which a question was drafted. */
export interface Provenance {
  /** The name of the golden set. */
  readonly dataset: string;
  /** The name of the model. */
  readonly model: string;
  readonly seed: string | number;
  /** The hashes of the texts of the documents by their ids. */
  readonly hashes: ReadonlyMap<string, string>;
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
  { dataset, model, seed, hashes, at }: Provenance,
): Proposal {
  const { kind, category, difficulty, passages, documents, checks = [] } = question;
  const sources = documents.length > 0 ? documents : passages.map(documentOf);
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
    expectations: expectationsOf(question, model),
    source: {
      type: 'document',
      document: shorten(sources.join(', '), longestList),
      passage: shorten(passages.join(', '), longestList),
      model,
      prompt: `draft-${kind}@${promptVersions[`draft-${kind}`]}`,
      seed: String(seed),
      hashes: Object.fromEntries(sources.map((id) => [id, hashes.get(id) ?? ''])),
    },
    picked: [
      { reason: 'drafted', why: `a question of the kind ${kind} from ${sources.length} of the documents` },
    ],
    checks: [...checks.map(shortened), describeDifficulty(question)],
    isSynthetic: true,
    by: { type: 'program', name: 'touchstone draft', model },
    at,
  });
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
