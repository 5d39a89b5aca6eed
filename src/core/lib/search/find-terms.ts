import { includesText } from '../text/words.ts';
import type { Finding } from './find-number.ts';
import { createTextSearch, type SearchRules } from './find-text.ts';

/** The rules of a search for the terms that a case expects; see the options of the metric `keywords`. */
export interface TermRules extends SearchRules {
  readonly alternatives: boolean;
  readonly ignoreNegated: boolean;
  /** True for the search of the source systems: lower-case substrings, and nothing else. */
  readonly source: boolean;
}

/** The rules by which keywords are looked for when nothing else is said. */
export const keywordRules: TermRules = {
  match: 'word-form',
  numbers: true,
  decimalMark: '.',
  alternatives: false,
  ignoreNegated: false,
  source: false,
};

/** Creates a search for terms in one answer, as every metric, check and rule for datasets looks for them. */
export function createTermSearch(answer: string, rules: TermRules): (term: string) => Finding {
  if (rules.source) {
    const lower = answer.toLowerCase();
    return (term) => ({ isFound: includesText(lower, term.toLowerCase()) });
  }
  const whole = createTextSearch(answer, rules);
  if (!rules.ignoreNegated && !rules.alternatives) return whole;
  const affirmed = rules.ignoreNegated ? createTextSearch(dropNegatedClauses(answer), rules) : whole;
  return (term) => {
    const findings = (rules.alternatives ? splitAlternatives(term) : [term]).map((choice) =>
      (affirmed !== whole && !isNegation(choice) ? affirmed : whole)(choice),
    );
    return findings.find(({ isFound }) => isFound) ?? findings[0] ?? { isFound: false };
  };
}

/** Splits a term at `|`; a term without anything next to it stays whole. */
function splitAlternatives(term: string): string[] {
  const choices = term.split('|').map((choice) => choice.trim());
  const filled = choices.filter((choice) => choice !== '');
  return filled.length === 0 ? [term] : filled;
}

const words = [
  "no|not|never|none|nothing|nobody|nowhere|neither|nor|without|cannot|\\p{L}+n't",
  'nicht|kein(?:e|en|er|es|em)?|nie|niemals|ohne|weder|noch',
  'pas|jamais|aucune?|sans|rien',
  'nunca|sin|ningún|ninguna?|não|sem|nenhuma?|non|senza|nessuna?',
  'niet|geen|nooit|zonder|inte|ikke|ingen|inget|nie|bez',
  'не|нет|без|никогда|немає',
  'لا|ليس|ليست|لم|لن|بدون|לא|אין|בלי|नहीं',
].join('|');
const cue = new RegExp(
  `(?<![\\p{L}\\p{M}])(?:${words})(?![\\p{L}\\p{M}])|不是|不会|不會|不能|不包|没有|沒有|无法|無法|并非|並非|ません|なかった|ない(?=[。、．]|$)|없|않|아니`,
  'iu',
);

/** Phrases that look like a negation but affirm. */
const affirmations =
  /(?<!\p{L})(?:not (?:only|just|merely|simply|to mention|until)|no (?:doubt|problem|later than|more than|less than|fewer than|longer than|earlier than)|not (?:more|less|fewer|later|earlier) than|nothing but|without (?:a )?doubt|nicht nur|(?:pas|non) seulement|no s[oó]lo|non solo|não (?:só|apenas)|niet alleen)(?!\p{L})/giu;

// The end of a clause: the end of a sentence, a comma before a space, or the beginning of a contrast. A decimal point
// does not end a clause.
const clauseEnd =
  /(?<=[.!?;…](?=\s|$)|[。！？；،؛؟\n]|,(?=\s)|、)|(?=(?<!\p{L})(?:but|however|although|though|whereas|while|yet|except|sondern|aber|jedoch|mais|pero|sino|mas|ma|però|maar|но|а|لكن|但|但是)(?!\p{L}))/giu;
const sentenceEnd = /[.!?;…。！？؛؟\n]$/u;
const continuation = /^\s*(?:or|nor|oder|noch|ou|ni|né|of|или|ни|أو)(?!\p{L})/iu;

/** Returns whether a text contains a negating word. */
function isNegation(text: string): boolean {
  return cue.test(text.replace(/[’ʼ]/g, "'").replace(affirmations, ''));
}

/**
 * Returns a text without its negated clauses: "It is not in Denver, it is in Montrose." keeps its second half. By a
 * rule of thumb, a clause with a negating word is dropped as a whole, and so is a list after it that ends in "or" ("no
 * land, building, or basis").
 */
function dropNegatedClauses(text: string): string {
  const clauses = text.split(clauseEnd);
  const isNegated = clauses.map((clause) => isNegation(clause));
  // The last negated clause of this sentence.
  let negated = -1;
  for (const [index, clause] of clauses.entries()) {
    if (index > 0 && sentenceEnd.test(clauses[index - 1] ?? '')) negated = -1;
    if (negated !== -1 && continuation.test(clause)) isNegated.fill(true, negated, index + 1);
    if (isNegated[index] === true) negated = index;
  }
  return clauses.map((clause, index) => (isNegated[index] === true ? '\n' : clause)).join('');
}
