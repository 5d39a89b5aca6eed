/**
 * The words of sentences that report an error, as sources of regular expressions for openings; letter case does not count.
 */

/** Words of which an opening has to hold one, and the form that it then has to have. */
export type Form = readonly [words: string, source: string];

export const things = String.raw`database|db|sql|sqlite|mysql|postgres(?:ql)?|mongo(?:db)?|redis|query|connection|request|api|https?|server|tool|function|call|execution|service|backend|network|socket|model|engine|llm|completion|embeddings?|retrieval|retriever|search|lookup|index|(?:vector|document|knowledge) (?:store|base)|endpoint|gateway|proxy|upstream|host|process|thread|operation|task|job|agent|chain|pipeline|workflow|step|system|session|stream|response|authentication|authorization|login|parser|parsing|validation|(?:de)?serialization|initiali[sz]ation|generation|inference|dns|tls|ssl|cluster|worker|container|driver|client|plugin|provider|memory|disk|cache|queue|handshake|command|script|program|allocation|download|upload|fetch|webhook|mcp`;
/** What a bot reaches for: the things of which "I cannot access …" is a fault and no rule. */
export const systems = String.raw`database|db|server|api|tool|service|backend|network|index|system|model|llm|endpoint|gateway|connection|host|upstream|(?:vector|document|knowledge) (?:store|base)|cluster|collection|session|stream`;
export const identifier = String.raw`(?:[a-z]\w*_\w+|(?-i:[a-z]+[A-Z]\w*)|[\w.]+\(\w*\)|'[^'\n]{1,80}'|"[^"\n]{1,80}"|\x60[^\x60\n]{1,80}\x60)`;
const small = String.raw`(?:a|an|the|your|my|if|when|whenever|once|after|before|unless|because|since|as|while|where|why|how|what|which|that|who|no|not|never|check|retry|yes|and|or|but|is|are|was|were|has|have|had|in|on|at|for|to|of|by|with|says?|said|means?|errors?|fails?)`;
export const modifiers = String.raw`(?:(?!${small}\s)[\w'./-]{1,40}\s){0,4}?`;
export const gerund = String.raw`(?!handling|reporting|logging|tracking|checking|correcting|messaging|monitoring|testing|budgeting|bounding|catching)\w{2,20}ing`;
export const technicalGerund = String.raw`(?:processing|executing|calling|connecting|retrieving|searching|querying|accessing|fetching|loading|reading|parsing|generating|running|invoking|handling|completing|communicating|trying|attempting|opening|looking|reaching|contacting|creating|decoding|initiali[sz]ing|performing|getting|streaming|answering|responding|obtaining|validating|authenticating)`;

/** The end of a report, or the mark before its detail. */
export const end = String.raw`(?=[\s!)"']*$|\.(?:\s|$|\.)|[!:]|\s?[(–—[]|\s-\s|[;,]\s*(?:please|try|retry|status|code|reason|so (?:i|we)\b|and (?:i|we)\b|error))(?!:\s*(?:\d+(?:\.\d+)?\s?(?:m?s|sec\w*|min\w*|hours?|days?|%|points?)(?!\w)|what\b|how\b|why\b|this (?:means|is|error|happens|occurs)\b|raised\b))`;
const circumstance = String.raw`(?=\s+(?:while|when|during|whilst|upon)\s|\s+after\s+(?:[\d.]+|(?:a|the|several|many|multiple)\b)|\s+with\s+(?:an?\s+)?(?:the\s+)?(?:http|status|error|exit|code|exception|message|reason|return|\d{3}|["'[{])|\s+(?:due to|because of|owing to|right now|at the moment|at this time|currently|temporarily|unexpectedly|again)\b|\s+because\s+(?!you)|\s+for\s+(?:url|user|tool|model|host|${identifier})|\s+on\s+(?:our|my|the server)\b|\s+on\s+attempt\b|\s+to\s+(?:connect|load|respond|execute|start|return|parse|complete|reply|answer)\b)`;
export const close = String.raw`(?:${end}|${circumstance})`;

export const subject = String.raw`(?:(?:the|a|an|this|that)\s+|(?:your|my)\s+(?=(?:request|query|message|question|session)\b))?(?:${modifiers}(?:${things})(?:\s+(?:to|from|with|of|for|at|on)\s+(?:[^.!?\n]|[.?](?=[^\s.?])){1,100}?|\s+${identifier})?|(?-i:[a-z]\w*_\w+)(?:\s+(?:tool|function|call))?)`;
export const adverb = String.raw`(?:(?:currently|temporarily|unexpectedly|still|also|just|now|already|again|being|presently)\s+)?`;
export const failure = String.raw`(?:error|exception|failure|fault|time-?out|status\s(?:code\s)?[45]\d\d|http\s[45]\d\d|[45]\d\d)`;
export const kinds = String.raw`(?:(?:unexpected|internal|unknown|technical|fatal|critical|serious|temporary|unforeseen|system|server|client|runtime|backend|network|connection|connectivity|database|tool|api|model|timeout|processing|service|search|query|unhandled)\s+)`;
export const mishap = String.raw`(?:${kinds}{0,3}(?:errors?|exceptions?|time-?outs?)|${kinds}{1,3}(?:issues?|problems?|difficult(?:y|ies)|failures?|glitch(?:es)?|outages?|faults?|hiccups?))`;
export const trouble = String.raw`${kinds}{0,3}(?:error|exception|issue|problem|failure|glitch|time-?out|outage|fault|hiccup)s?`;
export const inSystem = String.raw`\s+(?:in|with|on|at|from|of|inside)\s+(?:[\w'-]+\s+){0,4}?(?:${things}|${identifier})s?\b`;

export const mishaps =
  'error errors exception exceptions timeout timeouts out issue issues problem problems difficulty difficulties failure failures glitch glitches outage outages fault faults hiccup hiccups';

export const unable = String.raw`(?:(?:was|were|am|are|'m|'re|is)?\s*(?:${adverb}unable|not able) to|(?:was|were)(?:n't| not) able to|could(?: not|n't)|can(?:not|'t| not)|(?:have |has )?failed to)`;
export const self = String.raw`(?:i|we)(?:'m|'re|'ve|\sam|\sare|\shave|\shad|\swas|\swere)?\s+${adverb}`;

/**
 * Makes a test for forms. The expressions are large, and compiling one takes a millisecond: one is made when its words
 * are first seen, which ordinary answers seldom hold.
 */
export function createForms(forms: readonly Form[]): Pick<RegExp, 'test'> {
  const made: (RegExp | undefined)[] = [];
  const byWord = new Map<string, number[]>();
  for (const [index, [words]] of forms.entries()) {
    for (const word of words.split(' ')) byWord.set(word, [...(byWord.get(word) ?? []), index]);
  }
  return {
    test: (opening) => {
      const words = new Set(opening.toLowerCase().match(/[a-z]+/g));
      const candidates = new Set([...words].flatMap((word) => byWord.get(word) ?? []));
      for (const index of candidates) {
        made[index] ??= new RegExp(`^(?:${forms[index]?.[1]})`, 'i');
        if (made[index].test(opening)) return true;
      }
      return false;
    },
  };
}
