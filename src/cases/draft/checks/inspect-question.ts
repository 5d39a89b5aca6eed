import { containsPieces, quotePieces } from '../../../core/lib/text/quotes.ts';
import { foldForComparison } from '../../../core/lib/text/fold.ts';
import { segmentWords } from '../../../core/lib/text/words.ts';
import type { Difficulty, DraftedQuestion, DraftFact } from '../../../core/schema/api/draft-report.ts';
import type { Passage } from '../documents/document.ts';
import { wordsOf } from '../../lint/question-words.ts';
import type { PassageSearch } from '../documents/search-passages.ts';
import { type Candidate, type CheckOutcome, documentsOf, shareOfValues, valuesOf } from './candidate.ts';

/** Checks by rules alone, before anything is asked: of quotes, of the kind of question, and of its wording. */
export function checkText(candidate: Candidate): CheckOutcome[] {
  return [checkQuotes(candidate), checkKind(candidate), checkWording(candidate)];
}

/** Checks that every fact has a quote that is really in its passage, and that the quote states the fact. */
function checkQuotes({ kind, facts, unplaced, passages }: Candidate): CheckOutcome {
  const fail = (rejection: 'quote-not-found' | 'value-not-quoted', reason: string): CheckOutcome => ({
    name: 'quotes',
    passed: false,
    reason,
    rejection,
  });
  if (kind === 'unanswerable') return { name: 'quotes', passed: null, reason: 'there is nothing to quote' };
  if (unplaced > 0) return fail('quote-not-found', 'a fact names a passage that does not exist');
  if (facts.length === 0) return fail('quote-not-found', 'there is no fact with a quote');
  const wrong = facts.find((fact) => !isQuoted(fact, passages));
  if (wrong !== undefined) return fail('quote-not-found', `"${wrong.quote}" is not in ${wrong.passage}`);
  const unsaid = facts.find(({ value, quote }) => shareOfValues([value], quote) < 1);
  if (unsaid !== undefined)
    return fail('value-not-quoted', `"${unsaid.quote}" does not state "${unsaid.value}"`);
  return { name: 'quotes', passed: true, reason: `${facts.length} found word for word` };
}

function isQuoted({ quote, passage }: DraftFact, passages: readonly Passage[]): boolean {
  const pieces = quotePieces(quote);
  const text = passages.find(({ id }) => id === passage)?.text ?? '';
  return pieces.length > 0 && containsPieces(text, pieces);
}

/** Checks that a question needs as much as its kind promises. */
function checkKind(candidate: Candidate): CheckOutcome {
  const { kind, facts } = candidate;
  const fail = (reason: string): CheckOutcome => ({
    name: 'kind',
    passed: false,
    reason,
    rejection: kind === 'unanswerable' ? 'answerable' : 'too-simple',
  });
  const values = valuesOf(candidate).length;
  const documents = documentsOf(candidate).length;
  if (kind === 'unanswerable' && facts.length > 0) return fail('it comes with facts that answer it');
  if (kind === 'comparison' && values < 2) return fail('a comparison needs two facts');
  if (kind === 'multi-document' && documents < 2) return fail('one document is enough to answer it');
  return { name: 'kind', passed: true, reason: `${kind}: ${values} facts of ${documents} documents` };
}

/** Words by which a question refers to a text that its reader does not see. English; other languages are not checked. */
const reference =
  /\b(?:according to|in|from|per|of|does|do|by) (?:the|this|that|these|those|your|above|provided|given) (?:above |provided |given |following )?(?:passages?|texts?|excerpts?|snippets?|contexts?|paragraphs?|sections?|material)\b|\b(?:passage|excerpt) \d\b/i;

/** The number of words in a row that make a question a copy of the text: shorter runs are names and set phrases. */
const copiedWords = 8;

function checkWording({ question, passages, facts }: Candidate): CheckOutcome {
  const fail = (rejection: CheckOutcome['rejection'], reason: string): CheckOutcome => ({
    name: 'wording',
    passed: false,
    reason,
    rejection,
  });
  const [found] = reference.exec(question) ?? [];
  if (found !== undefined) return fail('refers-to-text', `"${found}" means nothing to one who asks`);
  const run = passages.map(({ text }) => longestSharedRun(question, text)).toSorted((a, b) => b - a)[0] ?? 0;
  if (run >= copiedWords) return fail('copies-text', `${run} words in a row are copied from the document`);
  const values = valuesOf({ facts });
  if (values.length > 0 && shareOfValues(values, question) === 1)
    return fail('answer-in-question', 'the question contains everything that the answer must');
  return {
    name: 'wording',
    passed: true,
    reason: `at most ${run} words in a row are copied from the document`,
  };
}

/** Returns the largest number of words in a row that two texts share, whatever their letter case. */
function longestSharedRun(one: string, other: string): number {
  const [words, text] = [one, other].map((each) => segmentWords(foldForComparison(each)));
  let longest = 0;
  let before = new Map<number, number>();
  for (const word of words ?? []) {
    const runs = new Map<number, number>();
    for (const [place, each] of (text ?? []).entries()) {
      if (each !== word) continue;
      const run = (before.get(place - 1) ?? 0) + 1;
      runs.set(place, run);
      longest = Math.max(longest, run);
    }
    before = runs;
  }
  return longest;
}

/** The place of a search down to which a passage counts as found, as many as a bot usually reads. */
const foundWithin = 5;

/** Measures what makes a question hard, without asking anything. */
export function measureQuestion(
  { question, facts, passages }: Candidate,
  search: PassageSearch,
): Omit<DraftedQuestion['measured'], 'closedBook'> {
  const needed = new Set(facts.map(({ passage }) => passage));
  const hits = search.find(question).map(({ item }) => item.id);
  const ranks = Array.from(needed, (id) => hits.indexOf(id) + 1);
  const isFound = ranks.length > 0 && ranks.every((rank) => rank > 0);
  return {
    passages: needed.size,
    rank: isFound ? Math.max(...ranks) : null,
    overlap: overlapOf(question, passages),
  };
}

/** Returns the share of the words of a question that occur in passages, from 0 to 1. */
function overlapOf(question: string, passages: readonly Passage[]): number {
  const words = new Set(wordsOf(question));
  const known = new Set(passages.flatMap(({ headings, text }) => wordsOf([...headings, text].join('\n'))));
  return words.size === 0 ? 0 : [...words].filter((word) => known.has(word)).length / words.size;
}

/**
 * Rates how hard a question is by what was measured. `easy`: one passage answers it, and is the first that a plain search by
 * the words of the question finds. `hard`: the search does not find every needed passage among the first five. `medium`:
 * everything between. A question that the documents do not answer is `hard` when its passage has at least half of its words,
 * so that there is something to mistake for an answer; otherwise `medium`.
 */
export function rateDifficulty(
  kind: Candidate['kind'],
  { passages, rank, overlap }: Omit<DraftedQuestion['measured'], 'closedBook'>,
): Difficulty {
  if (kind === 'unanswerable') return overlap >= 0.5 ? 'hard' : 'medium';
  if (rank === null || rank > foundWithin) return 'hard';
  return passages === 1 && rank === 1 ? 'easy' : 'medium';
}
