import { containsPieces, quotePieces } from '../../../core/lib/text/quotes.ts';
import type { DraftedQuestion } from '../../../core/schema/api/draft-report.ts';
import type { Asker } from '../../../evaluate/judges/asking/create-asker.ts';
import { requestClosedBook, requestOpenBook } from '../asking/prompts.ts';
import type { Passage } from '../documents/document.ts';
import type { PassageSearch } from '../documents/search-passages.ts';
import { type Candidate, type CheckOutcome, documentsOf, shareOfValues, valuesOf } from './candidate.ts';
import { checkText, measureQuestion, rateDifficulty } from './inspect-question.ts';

/** The surroundings of the checks. */
interface Checking {
  readonly asker: Asker;
  readonly search: PassageSearch;
}

/** A candidate with what was measured, before the checks that can reject it. */
export type DescribedQuestion = Omit<
  DraftedQuestion,
  'proposal' | 'checks' | 'outcome' | 'rejection' | 'reason'
>;

/** Describes a candidate: its documents, category and difficulty. Asks nothing. */
export function describeCandidate(candidate: Candidate, search: PassageSearch): DescribedQuestion {
  const { kind, question, answer, facts, passages, category } = candidate;
  const documents = documentsOf(candidate);
  const measured = { ...measureQuestion(candidate, search), closedBook: null };
  return {
    kind,
    question,
    answer,
    facts: [...facts],
    documents,
    passages: passages.map(({ id }) => id),
    category: category === '' ? usualCategory(candidate, documents) : category,
    difficulty: rateDifficulty(kind, measured),
    measured,
  };
}

/** The outcome of all checks of a question. */
type Checked = Pick<DraftedQuestion, 'checks' | 'outcome' | 'rejection' | 'reason'> &
  Pick<DraftedQuestion['measured'], 'closedBook'>;

/**
 * Checks a question by rules, and if they find nothing, with the model.
 * @param duplicate - The reason why it is a duplicate, if it is one.
 */
export async function checkQuestion(
  candidate: Candidate,
  duplicate: string | undefined,
  checking: Checking,
): Promise<Checked> {
  const byRules = [...checkText(candidate), checkDuplicate(duplicate)];
  const isSound = byRules.every(({ passed }) => passed !== false);
  const asked = isSound ? await checkWithModel(candidate, checking) : { checks: [], closedBook: null };
  const checks = [...byRules, ...asked.checks];
  const failed = checks.find(({ passed }) => passed === false);
  const notChecked = 'notChecked' in asked ? asked.notChecked : undefined;
  return {
    checks: checks.map(({ name, passed, reason }) => ({ name, passed, reason })),
    closedBook: asked.closedBook,
    outcome: outcomeOf(failed, notChecked),
    rejection: failed?.rejection ?? null,
    reason: failed?.reason ?? notChecked ?? null,
  };
}

function outcomeOf(
  failed: CheckOutcome | undefined,
  notChecked: string | undefined,
): DraftedQuestion['outcome'] {
  if (failed !== undefined) return 'rejected';
  return notChecked === undefined ? 'kept' : 'not-checked';
}

function usualCategory({ kind, passages }: Candidate, documents: readonly string[]): string {
  if (passages.some(({ trace }) => trace !== undefined)) return 'from traces';
  if (kind === 'unanswerable') return 'not in the documents';
  return documents.length === 1 ? (documents[0] ?? kind) : 'several documents';
}

function checkDuplicate(reason: string | undefined): CheckOutcome {
  return reason === undefined
    ? { name: 'duplicate', passed: true, reason: 'no other question says the same' }
    : { name: 'duplicate', passed: false, reason, rejection: 'duplicate' };
}

/** The checks by the model; `closedBook` is the share of the facts that it stated without the documents. */
interface ModelChecks {
  readonly checks: readonly CheckOutcome[];
  readonly closedBook: number | null;
  /** Why a check could not be made: the question is then neither accepted nor rejected. */
  readonly notChecked?: string;
}

/** The number of passages that are searched for an answer to a question that should have none. */
const searchedPassages = 5;

/**
 * Asks the model the question without the documents, which must not answer it, and with them, which must. A question that
 * the documents should not answer is asked together with the passages that a search for it finds.
 */
async function checkWithModel(candidate: Candidate, { asker, search }: Checking): Promise<ModelChecks> {
  if (candidate.kind === 'unanswerable') return await checkUnanswerable(candidate, asker, search);
  const closed = await asker.ask(requestClosedBook(candidate.question, candidate.passages));
  if (closed.status === 'failed') return { checks: [], closedBook: null, notChecked: closed.reason };
  const values = valuesOf(candidate);
  const closedBook = shareOfValues(values, closed.answer.answer);
  const guessed = closedBook === 1;
  const closedCheck: CheckOutcome = {
    name: 'closed-book',
    passed: !guessed,
    reason: guessed
      ? `without any document, the model answers "${closed.answer.answer}"`
      : `without any document, the model states ${Math.round(closedBook * values.length)} of ${values.length} facts`,
    ...(guessed && { rejection: 'closed-book' }),
  };
  if (guessed) return { checks: [closedCheck], closedBook };
  const open = await asker.ask(requestOpenBook(candidate.question, candidate.passages));
  if (open.status === 'failed') return { checks: [closedCheck], closedBook, notChecked: open.reason };
  const { isAnswerable, answer } = open.answer;
  const isRight = isAnswerable && shareOfValues(values, answer) === 1;
  const openCheck: CheckOutcome = {
    name: 'answerable',
    passed: isRight,
    reason: isAnswerable
      ? `from the passages, the model answers "${answer}"`
      : 'the model finds no answer in the passages',
    ...(!isRight && { rejection: 'not-answerable' }),
  };
  return { checks: [closedCheck, openCheck], closedBook };
}

async function checkUnanswerable(
  { question, passages }: Candidate,
  asker: Asker,
  search: PassageSearch,
): Promise<ModelChecks> {
  const found = search
    .find(question)
    .map(({ item }) => item)
    .filter(({ id }) => !passages.some((own) => own.id === id));
  const searched: readonly Passage[] = [...passages, ...found.slice(0, searchedPassages)];
  const open = await asker.ask(requestOpenBook(question, searched));
  if (open.status === 'failed') return { checks: [], closedBook: null, notChecked: open.reason };
  const { isAnswerable, answer, quote } = open.answer;
  const pieces = quotePieces(quote);
  const isQuoted = pieces.length > 0 && searched.some(({ text }) => containsPieces(text, pieces));
  const proof = isQuoted ? `, as "${quote}"` : ', with no quote that is in them';
  const check: CheckOutcome = {
    name: 'unanswerable',
    passed: !isAnswerable,
    reason: isAnswerable
      ? `from ${searched.length} passages, the model answers "${answer}"${proof}`
      : `the model finds no answer in the ${searched.length} passages nearest to it`,
    ...(isAnswerable && { rejection: 'answerable' }),
  };
  return { checks: [check], closedBook: null };
}
