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

/** Phrases that look like a negation and affirm. */
const affirmations =
  /(?<!\p{L})(?:not (?:only|just|merely|simply|to mention|until)|no (?:doubt|problem|later than|more than|less than|fewer than|longer than|earlier than)|not (?:more|less|fewer|later|earlier) than|nothing but|without (?:a )?doubt|nicht nur|(?:pas|non) seulement|no s[oó]lo|non solo|não (?:só|apenas)|niet alleen)(?!\p{L})/giu;

// A clause ends with a sentence, at a comma before a space, and where a contrast begins. A decimal point is no end.
const clauseEnd =
  /(?<=[.!?;…](?=\s|$)|[。！？；،؛؟\n]|,(?=\s)|、)|(?=(?<!\p{L})(?:but|however|although|though|whereas|while|yet|except|sondern|aber|jedoch|mais|pero|sino|mas|ma|però|maar|но|а|لكن|但|但是)(?!\p{L}))/giu;
const sentenceEnd = /[.!?;…。！？؛؟\n]$/u;
const continuation = /^\s*(?:or|nor|oder|noch|ou|ni|né|of|или|ни|أو)(?!\p{L})/iu;

/** Whether a text holds a word that negates. */
export function holdsNegation(text: string): boolean {
  return cue.test(text.replace(/[’ʼ]/g, "'").replace(affirmations, ''));
}

/**
 * A text without its negated clauses: "It is not in Denver, it is in Montrose." keeps its second half. A rule of thumb: a
 * clause with a negating word is dropped whole, and after it the list that ends in "or" ("no land, building, or basis").
 */
export function dropNegatedClauses(text: string): string {
  const clauses = text.split(clauseEnd);
  const isNegated = clauses.map((clause) => holdsNegation(clause));
  // The last clause of this sentence that is negated.
  let negated = -1;
  for (const [index, clause] of clauses.entries()) {
    if (index > 0 && sentenceEnd.test(clauses[index - 1] ?? '')) negated = -1;
    if (negated !== -1 && continuation.test(clause)) isNegated.fill(true, negated, index + 1);
    if (isNegated[index] === true) negated = index;
  }
  return clauses.map((clause, index) => (isNegated[index] === true ? '\n' : clause)).join('');
}
