/**
 * Building blocks of sentences that report an error, as sources of case-insensitive regular expressions for the opening
 * of an answer.
 */

/** The words of which an opening must contain one, and the pattern that it must then match. */
export type Form = readonly [words: string, source: string];

export const things = String.raw`database|db|sql|sqlite|mysql|postgres(?:ql)?|mongo(?:db)?|redis|query|connection|request|api|https?|server|tool|function|call|execution|service|backend|network|socket|model|engine|llm|completion|embeddings?|retrieval|retriever|search|lookup|index|(?:vector|document|knowledge) (?:store|base)|endpoint|gateway|proxy|upstream|host|process|thread|operation|task|job|agent|chain|pipeline|workflow|step|system|session|stream|response|authentication|authorization|login|parser|parsing|validation|(?:de)?serialization|initiali[sz]ation|generation|inference|dns|tls|ssl|cluster|worker|container|driver|client|plugin|provider|memory|disk|cache|queue|handshake|command|script|program|allocation|download|upload|fetch|webhook|mcp`;
/** The systems that a bot depends on: "I cannot access …" one of these is a fault, not a rule of the bot. */
const systems = String.raw`database|db|server|api|tool|service|backend|network|index|system|model|llm|endpoint|gateway|connection|host|upstream|(?:vector|document|knowledge) (?:store|base)|cluster|collection|session|stream`;
export const identifier = String.raw`(?:[a-z]\w*_\w+|(?-i:[a-z]+[A-Z]\w*)|[\w.]+\(\w*\)|'[^'\n]{1,80}'|"[^"\n]{1,80}"|\x60[^\x60\n]{1,80}\x60)`;
const small = String.raw`(?:a|an|the|your|my|if|when|whenever|once|after|before|unless|because|since|as|while|where|why|how|what|which|that|who|no|not|never|check|retry|yes|and|or|but|is|are|was|were|has|have|had|in|on|at|for|to|of|by|with|says?|said|means?|errors?|fails?)`;
export const modifiers = String.raw`(?:(?!${small}\s)[\w'./-]{1,40}\s){0,4}?`;
export const gerund = String.raw`(?!handling|reporting|logging|tracking|checking|correcting|messaging|monitoring|testing|budgeting|bounding|catching)\w{2,20}ing`;
export const technicalGerund = String.raw`(?:processing|executing|calling|connecting|retrieving|searching|querying|accessing|fetching|loading|reading|parsing|generating|running|invoking|handling|completing|communicating|trying|attempting|opening|looking|reaching|contacting|creating|decoding|initiali[sz]ing|performing|getting|streaming|answering|responding|obtaining|validating|authenticating)`;

/** The end of a report, or the punctuation before its details. */
const end = String.raw`(?=[\s!)"']*$|\.(?:\s|$|\.)|[!:]|\s?[(–—[]|\s-\s|[;,]\s*(?:please|try|retry|status|code|reason|so (?:i|we)\b|and (?:i|we)\b|error))(?!:\s*(?:\d+(?:\.\d+)?\s?(?:m?s|sec\w*|min\w*|hours?|days?|%|points?)(?!\w)|what\b|how\b|why\b|this (?:means|is|error|happens|occurs)\b|raised\b))`;
const circumstance = String.raw`(?=\s+(?:while|when|during|whilst|upon)\s|\s+after\s+(?:[\d.]+|(?:a|the|several|many|multiple)\b)|\s+with\s+(?:an?\s+)?(?:the\s+)?(?:http|status|error|exit|code|exception|message|reason|return|\d{3}|["'[{])|\s+(?:due to|because of|owing to|right now|at the moment|at this time|currently|temporarily|unexpectedly|again)\b|\s+because\s+(?!you)|\s+for\s+(?:url|user|tool|model|host|${identifier})|\s+on\s+(?:our|my|the server)\b|\s+on\s+attempt\b|\s+to\s+(?:connect|load|respond|execute|start|return|parse|complete|reply|answer)\b)`;
export const close = String.raw`(?:${end}|${circumstance})`;

export const subject = String.raw`(?:(?:the|a|an|this|that)\s+|(?:your|my)\s+(?=(?:request|query|message|question|session)\b))?(?:${modifiers}(?:${things})(?:\s+(?:to|from|with|of|for|at|on)\s+(?:[^.!?\n]|[.?](?=[^\s.?])){1,100}?|\s+${identifier})?|(?-i:[a-z]\w*_\w+)(?:\s+(?:tool|function|call))?)`;
export const adverb = String.raw`(?:(?:currently|temporarily|unexpectedly|still|also|just|now|already|again|being|presently)\s+)?`;
export const failure = String.raw`(?:error|exception|failure|fault|time-?out|status\s(?:code\s)?[45]\d\d|http\s[45]\d\d|[45]\d\d)`;
export const kinds = String.raw`(?:(?:unexpected|internal|unknown|technical|fatal|critical|serious|temporary|unforeseen|system|server|client|runtime|backend|network|connection|connectivity|database|tool|api|model|timeout|processing|service|search|query|unhandled)\s+)`;
const mishap = String.raw`(?:${kinds}{0,3}(?:errors?|exceptions?|time-?outs?)|${kinds}{1,3}(?:issues?|problems?|difficult(?:y|ies)|failures?|glitch(?:es)?|outages?|faults?|hiccups?))`;
const trouble = String.raw`${kinds}{0,3}(?:error|exception|issue|problem|failure|glitch|time-?out|outage|fault|hiccup)s?`;
const inSystem = String.raw`\s+(?:in|with|on|at|from|of|inside)\s+(?:[\w'-]+\s+){0,4}?(?:${things}|${identifier})s?\b`;

const mishaps =
  'error errors exception exceptions timeout timeouts out issue issues problem problems difficulty difficulties failure failures glitch glitches outage outages fault faults hiccup hiccups';

const unable = String.raw`(?:(?:was|were|am|are|'m|'re|is)?\s*(?:${adverb}unable|not able) to|(?:was|were)(?:n't| not) able to|could(?: not|n't)|can(?:not|'t| not)|(?:have |has )?failed to)`;
const self = String.raw`(?:i|we)(?:'m|'re|'ve|\sam|\sare|\shave|\shad|\swas|\swere)?\s+${adverb}`;

/**
 * Creates a test for forms. The expressions are large and each takes a millisecond to compile, so an expression is
 * compiled when one of its words first occurs, which is rare in ordinary answers.
 */
export function createForms(forms: readonly Form[]): Pick<RegExp, 'test'> {
  const made: (RegExp | undefined)[] = [];
  const byWord = new Map<string, number[]>();
  for (const [index, [words]] of forms.entries()) {
    for (const word of words.split(' ')) byWord.set(word, [...(byWord.get(word) ?? []), index]);
  }
  return {
    test: (opening) => {
      const candidates = new Set<number>();
      for (const word of wordsOf(opening))
        for (const index of byWord.get(word) ?? none) candidates.add(index);
      for (const index of candidates) {
        made[index] ??= new RegExp(`^(?:${forms[index]?.[1]})`, 'i');
        if (made[index].test(opening)) return true;
      }
      return false;
    },
  };
}

const none: readonly number[] = [];
let last: { readonly text: string; readonly words: readonly string[] } = { text: '', words: [] };

/** Returns the words of an opening, which are read once for all forms. */
function wordsOf(text: string): readonly string[] {
  if (last.text !== text) last = { text, words: text.toLowerCase().match(/[a-z]+/g) ?? [] };
  return last.words;
}

/** Sentences such as "I encountered an error while …" and "I was unable to … due to a technical issue". */
const firstPerson: Form[] = [
  [
    mishaps,
    `${self}(?:encountered|ran into|run into|running into|hit|got|getting|received|experienced|met with|experiencing|encountering|having|facing)\\s+(?:an?\\s+|some\\s+|the following\\s+)?${mishap}\\b(?!\\s+(?:reports?|logs?|rates?)\\b)(?!\\s*(?:code|message)s?\\s+(?:means|is)\\b)(?:(?!\\s+(?:in|on|of|about|with)\\s)|${inSystem})`,
  ],
  [
    mishaps,
    `${self}(?:encountered|ran into|run into|running into|hit|experienced|experiencing|encountering|having|facing)\\s+(?:an?\\s+|some\\s+)${trouble}\\s+(?:(?:while|when|in|with)\\s+)?${technicalGerund}\\b`,
  ],
  [
    mishaps,
    `(?:encountered|ran into|got|received|hit)\\s+an?\\s+${mishap}(?=\\s*:|\\s+(?:while|when|during|from the)\\s)`,
  ],
  [
    'tried',
    `${self}tried\\s+to\\s[^.!?\\n]{1,150}?\\bbut\\s[^.!?\\n]{0,60}?\\b(?:failed|timed out|crashed|an? (?:error|exception))\\b`,
  ],
  [
    'trouble difficulty difficulties problem problems issue issues',
    `${self}(?:having|had|have|ran into|running into|experiencing|experienced|encountering|encountered)\\s+(?:some\\s+)?(?:trouble|difficult(?:y|ies)|problems?|(?:an? )?(?:issues?|problem))\\s+(?:(?:in|with)\\s+)?(?:processing|executing|calling|connecting|retrieving|querying|accessing|fetching|loading|completing|communicating|reaching|contacting|(?:the|my|our)\\s+(?:[\\w-]+\\s+){0,2}(?:${systems})\\b)`,
  ],
  [
    `${mishaps} timed failed unavailable down crash crashed unreachable overloaded refused responding`,
    `(?:i|we)\\s*${unable}\\s[^.!?\\n]{1,150}?(?:due to|because of|because|since|owing to|as)\\s+[^.!?\\n]{0,60}?(?:\\b(?:technical|internal|unexpected|unknown|${systems})\\b[^.!?\\n]{0,40}?\\b(?:issues?|problems?|errors?|exceptions?|difficult(?:y|ies)|failures?|outages?|time-?outs?|timed out|failed|unavailable|down|crash(?:ed)?|unreachable|overloaded|refused|glitch|not responding)\\b|\\b(?:the|my|our|a) (?:[\\w-]+ ){0,3}?(?:${things})\\s+(?:has\\s+)?(?:failed|timed out|crashed)\\b|\\ban? (?:error|exception|time-?out)\\b(?!\\s+(?:in|of)\\s))`,
  ],
  [
    'connect reach access contact query communicate read load open establish execute run call invoke use',
    `(?:i|we)\\s*${unable}\\s+(?:connect to|reach|access|contact|query|communicate with|read from|load|open|establish|execute|run|call|invoke|use)\\s+(?:the|my|our|any|a|this)?\\s*(?:[\\w'-]+\\s+){0,4}?(?:${systems})s?${close}`,
  ],
  [
    'request query question message',
    `(?:i|we)\\s*${unable}\\s+(?:process|complete|handle|fulfil+|answer|respond to|serve)\\s+(?:your|this|the|that)\\s+(?:request|query|question|message)(?:\\s+(?:right now|at (?:this|the) (?:time|moment)|currently)|[.,;]\\s+please try again)`,
  ],
  [
    'request query question message',
    `(?:your|the|this)\\s+(?:request|query|question|message)\\s+(?:could not|cannot|couldn't|can't)\\s+be\\s+(?:completed|processed|handled|fulfilled|answered)\\s+(?:due to|because)\\b`,
  ],
];

/**
 * Sentences such as "An error occurred while …", "There was a problem processing your request" and "Something went
 * wrong."
 */
const impersonal: Form[] = [
  [
    'occurred happened arisen arose encountered raised thrown',
    `(?:there (?:was|were|is|has been|seems to (?:be|have been)|appears to (?:be|have been))\\s+)?(?:an?|some)\\s+${trouble}\\s+(?:(?:has|have|just|seems to have|appears to have)\\s+){0,2}(?:occurred|happened|arisen|arose|was (?:encountered|raised|thrown))(?:${end}|\\s+(?:while|when|during|whilst|on (?:our|my|the server)|with (?:your|the) request|trying|processing|and)\\b|${inSystem}|\\s+\\()`,
  ],
  [
    mishaps,
    `(?:there (?:was|were|is|has been|seems to (?:be|have been)|appears to (?:be|have been))\\s+)?(?:an?|some)\\s+${trouble}\\s+(?:(?:while|when|during|in|with)\\s+)?${technicalGerund}\\b`,
  ],
  [
    mishaps,
    `there (?:was|is|has been|seems to (?:be|have been)|appears to (?:be|have been))\\s+(?:an?|some)\\s+${trouble}\\s+(?:with|in|on|at|connecting to)\\s+(?:the |our |my |your )?(?:[\\w-]+\\s+){0,3}?(?:${systems}|request|query)(?:\\s+(?:connection|tool|call|server))?${close}`,
  ],
  [
    mishaps,
    `(?:there (?:was|is|has been)\\s+)?an?\\s+${mishap}(?:[\\s.!]*$|,?\\s+(?:and|so)\\s+(?:i|we|the|your)\\b|[.!]\\s+please\\b|\\s+(?:prevented|stopped|kept)\\s+(?:me|us|the)\\b)`,
  ],
  [
    'something',
    `something (?:(?:went|has gone|is) wrong|broke|failed)(?:${close}|\\s+(?:on (?:our|my)|with (?:that|your|the) (?:request|query|tool|server|connection|database|system))\\b)`,
  ],
];

const recovered = new RegExp(
  String.raw`(?:[.!?…]|\bbut|\bhowever,?)\s+(?:i|we)(?:'ve| have)? (?:just |also )?(?:encountered|ran into|run into|hit|got) an? ${kinds}{0,3}(?:error|exception) (?:while|when|during|trying|accessing|searching|processing|retrieving|connecting)\b`,
  'i',
);

/** Matches openings in which a bot apologises for a failure on its own side. */
export const apologies = createForms([...firstPerson, ...impersonal]);

/**
 * Returns whether there is an apology in the middle of an answer, as in "…, but I encountered an error while accessing
 * the database."
 */
export function apologisesLater(text: string): boolean {
  return / (?:error|exception) /i.test(text) && recovered.test(text);
}
