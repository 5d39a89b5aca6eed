/**
 * Openings of answers that report a technical failure in a sentence: "Query failed: …", "I encountered an error while
 * …". What failed must be technical, and what follows must be the end, a detail or a circumstance of this very call, so
 * that "The payment failed because …" counts as an answer. English only.
 */

const things = String.raw`database|db|sql|sqlite|mysql|postgres(?:ql)?|mongo(?:db)?|redis|query|connection|request|api|https?|server|tool|function|call|execution|service|backend|network|socket|model|engine|llm|completion|embeddings?|retrieval|retriever|search|lookup|index|(?:vector|document|knowledge) (?:store|base)|endpoint|gateway|proxy|upstream|host|process|thread|operation|task|job|agent|assistant|chain|pipeline|workflow|system|session|stream|response|authentication|login|parser|parsing|validation|generation|inference|dns|tls|ssl|cluster|worker|client|plugin|provider|memory|cache|queue|script|program|allocation|download|upload|fetch|read|mcp`;
const system = String.raw`(?:database|db|server|api|tool|service|backend|network|index|system|model|llm|endpoint|gateway|connection|host|upstream|cluster|collection|session|stream)s?`;
const identifier = String.raw`(?:[a-z]\w*_\w+|[\w.]+\(\w*\)|'[^'\n]{1,80}'|"[^"\n]{1,80}"|\x60[^\x60\n]{1,80}\x60)`;
/** Words that end a noun phrase, so that it is about something else. */
const small = String.raw`(?:an?|the|your|my|if|when|once|after|before|unless|because|since|as|while|where|why|how|what|which|that|who|no|not|never|check|retry|yes|and|or|but|is|are|was|were|has|have|had|in|on|at|for|to|of|by|with|says?|said|means?|errors?|fails?)`;
const modifiers = String.raw`(?:(?!${small}\s)[\w'./-]{1,40}\s){0,4}?`;
const subject = String.raw`(?:(?:the|an?|that|your|my|our)\s)?(?:${modifiers}(?:${things})s?(?:\s(?:to|from|with|of|for|at|on)\s(?:[^.!?\n]|[.?](?=[^\s.?])){1,100}?|\s${identifier})?|${identifier}(?:\s(?:tool|function|call))?)`;
const adverb = String.raw`(?:(?:currently|temporarily|unexpectedly|still|also|just|already|again|being|presently|no longer)\s)?`;
/** The end of a report, the punctuation before its details, or a circumstance of the call. */
const close = String.raw`(?:(?=[\s!)"']*$|\.(?:\s|$|\.)|[!:]|\s?[([–—]|\s-\s|[;,]\s(?:please|try|retry|status|so (?:i|we)\b|and (?:i|we)\b))(?!:\s(?:\d+(?:\.\d+)?\s?(?:m?s|sec\w*|min\w*|%|points?)(?!\w)|what\b|how\b|why\b|raised\b|this (?:means|is)))|(?=\s(?:while|when|during|waiting|trying|reading|connecting|due to|because of|right now|at (?:the moment|this time)|again|with other requests|because it|and (?:i|we)|for (?:url|user|model|host|${identifier})|on (?:our|my|the server)|on attempt|from (?:the|upstream)|by (?:the )?(?:peer|server|host|client)|to (?:connect|load|respond|execute|start|return)|after (?:[\d.]+ ?(?:m?s|sec|milli)|several|multiple)|with (?:an? )?(?:http|status|error|exit|code|exception|message|\d{3}|["'[{])|in time|within|without)))`;
const kinds = String.raw`(?:(?:unexpected|internal|unknown|technical|fatal|temporary|system|server|client|runtime|backend|network|connection|database|tool|api|model|timeout|processing|service|search|query|unhandled)\s)`;
const mishap = String.raw`(?:error|exception|issue|problem|difficult(?:y|ies)|failure|glitch|time-?out|outage|fault|hiccup|trouble)s?`;
const trouble = String.raw`${kinds}{0,3}${mishap}`;
const technicalTrouble = String.raw`(?:${kinds}{0,3}(?:error|exception|time-?out)|(?=(?:technical|internal|temporary|system|server|network|connection|database|tool|api)\s)${trouble})s?`;
const doing = String.raw`(?:processing|executing|calling|connecting|retrieving|searching|querying|accessing|fetching|loading|reading|parsing|generating|running|invoking|handling|completing|communicating|trying|attempting|opening|looking|reaching|contacting|answering|performing)`;
const unable = String.raw`(?:(?:was|were|am|are|'m|'re|is)?\s*(?:${adverb}unable|not able) to|(?:was|were)(?:n't| not) able to|could(?: not|n't)|can(?:not|'t| not)|(?:have |has )?failed to)`;
const self = String.raw`(?:i|we)(?:'m|'re|'ve|\sam|\sare|\shave)?\s${adverb}`;
const met = String.raw`(?:encountered|ran into|run into|hit|got|received|experienced|experiencing|encountering|having|facing|had)`;
const limit = String.raw`(?:(?:rate|token|memory|usage|request|quota|recursion|iteration|time|context)[ -]?(?:limit|length|depth)s?|quota|max(?:imum)? (?:recursion depth|call stack size|iterations|turns|retries|context length|tokens))`;

/** Words that an opening must hold for a form to match, where finding them takes much less time than the form itself. */
const clues = {
  failure:
    /fail|crash|timed|refused|reset|lost|abort|interrupt|dropped|disconnect|unexpectedly|killed|unavailable|down|unreach|overload|not (?:responding|available|reachable)|offline|locked|busy|unresponsive|exhaust|gone away/i,
  noReply:
    /n[o']t\s(?:respond|reply|available|reachable)|\sbe\s(?:completed|processed|reached|executed|established|parsed|loaded|opened)/i,
  reply: /returned|reported|raised|\shad\s|threw|encountered|responded with|experiencing|having/i,
  mishaps: /error|exception|issue|problem|difficult|failure|glitch|time-?out|outage|fault|hiccup|trouble/i,
  cause:
    /error|exception|issue|problem|difficult|failure|glitch|time-?out|outage|fault|hiccup|trouble|failed|timed out|crashed|unavailable|down|unreachable|overloaded/i,
  inability: /unable|not able|could(?: not|n't)|can(?:not|'t| not)|failed/i,
  limits:
    /limit|length|depth|quota|max|exceeded|credit balance|memory|agent stopped|api key|status code|unknown tool|invalid tool|not found|raised/i,
};

/** The forms of reports, with their clues. Each is matched at the beginning of the opening. */
const forms: readonly (readonly [form: string, clue?: RegExp])[] = [
  // "Database connection failed while …", "The service is temporarily unavailable.", "The model did not respond in time."
  [
    `${subject}\\s(?:(?:has|have|had|was|is|are|got|has been)\\s)?${adverb}(?:failed|crashed|timed[ -]out|refused|reset|lost|aborted|interrupted|dropped|disconnected|(?:terminated|closed) unexpectedly|killed|unavailable|down|unreachable|overloaded|not responding|not available|not reachable|offline|locked|busy|unresponsive|exhausted|gone away)${close}`,
    clues.failure,
  ],
  [
    `${subject}\\s(?:(?:did not|didn't|does not|is not|isn't|aren't)\\s(?:respond(?:ing)?|reply|available|reachable)|(?:could not|cannot|couldn't|can't)\\sbe\\s(?:completed|processed|reached|executed|established|parsed|loaded|opened))(?:${close}|\\sat\\s)`,
    clues.noReply,
  ],
  // "The tool returned an error: …", "Server responded with 500", "The system is experiencing issues."
  [
    `${subject}\\s(?:(?:is|are)\\s)?${adverb}(?:returned|reported|raised|had|threw|encountered|responded with|experiencing|having)\\s(?:an?\\s|the\\s|some\\s)?(?:${technicalTrouble}|issues|${kinds}{0,3}(?:issues|difficulties)|(?:http |response |status |code:? ){0,3}[45]\\d\\d|(?:empty|no|invalid|blank) (?:response|output|answer|reply))(?:${close}|\\s${doing}\\b)`,
    clues.reply,
  ],
  // "API timeout after 30 s", "An internal error has occurred.", "There was a problem processing your request."
  [
    `(?:there (?:was|were|is|has been|seems to be)\\s)?(?:(?:an?|some)\\s${trouble}|(?:an?\\s|the\\s)?(?:${kinds}{1,3}|${modifiers}(?:${things})\\s)(?:error|failure|exception|fault|time-?out)(?!s))(?:\\s(?:has|have|just|was|occurred|happened|encountered|detected))*(?:${close}|\\s(?:with|in)\\s(?:the |our |my |your )?(?:[\\w-]+\\s){0,3}?(?:${system}|request|query|connection)${close}|\\s(?:while |when |with |in )?${doing}\\b|\\sprevented me)`,
    clues.mishaps,
  ],
  // "I encountered an error while …", "I'm having trouble connecting to …"
  [
    `(?:${self})?${met}\\s(?:an?\\s|some\\s)?(?:${technicalTrouble}|${trouble}\\s(?:(?:while|when|in|with)\\s)?${doing}\\b|${trouble}${close})(?!\\s(?:in|on|of|about|reports?)\\b)`,
    clues.mishaps,
  ],
  // "I was unable to … due to a technical issue", "I can't reach the database right now."
  [
    `(?:i|we)\\s*(?:${unable}|tried to)\\s[^.!?\\n]{1,150}?(?:due to|because|since|as|but)\\s[^.!?\\n]{0,60}?(?:\\b${technicalTrouble}\\b|\\b(?:${things}|it)\\s(?:has\\s|is\\s)?(?:failed|timed out|crashed|unavailable|down|unreachable|overloaded))`,
    clues.cause,
  ],
  [
    `(?:i|we)\\s*${unable}\\s(?:connect to|reach|access|contact|query|read|load|open|execute|run|call|use)\\s(?:the|my|our|any|a|this)?\\s*(?:[\\w'-]+\\s){0,4}?${system}${close}`,
    clues.inability,
  ],
  [
    `(?:i|we)\\s*${unable}\\s(?:process|complete|handle|answer)\\s(?:your|this|the)\\s(?:request|query|question|message)(?:\\s(?:right now|at (?:this|the) (?:time|moment))|[.,;]\\splease try again)`,
    clues.inability,
  ],
  [
    `something (?:went wrong|has gone wrong|is wrong|broke|failed)(?:${close}|\\swith (?:that|your|the) (?:request|query|tool|server|connection|database))`,
  ],
  // "Error searching documents: …", "Failed to execute tool x", "Could not parse …"
  [
    `(?:error|exception)(?![^.!?\\n:]{0,90}\\s(?:is|are|means?|can|will|should|must|happens|occurs)\\s)\\s(?:occurred\\s)?(?:(?:while|when|during|calling)\\s(?!\\w+ing is\\b)|(?:in|from|at|with|on)\\s(?:[\\w-]+\\s){0,3}?(?:(?:${things})\\b|${identifier}|\\w+\\([^\\n]{0,80}\\))[^.!?\\n:]{0,60}(?::|$)|(?!(?:handl|report|logg|track|check|correct|messag|budget|bound|catch)ing)\\w{2,20}ing\\s(?!is\\b|are\\b|in\\b|for\\b|code\\b)|occurred:)`,
  ],
  [
    `(?:failed|unable|not able|could not|couldn't|cannot|can't)(?:\\sto)?\\s(?:connect|fetch|parse|decode|deserialize|allocate|initiali[sz]e|import name|resolve|translate host|find package)\\b(?!\\s(?:errors?|the smoke|you)\\b)`,
  ],
  [
    `(?:failed|unable|not able|could not|couldn't|cannot|can't)(?:\\sto)?\\s(?:load|open|read|reach|access|execute|run|call|query|retrieve|create|establish|complete|send|start|generate|communicate with)\\s[^.!?\\n:]{0,80}?\\b(?:(?:${things}|file|documents?|data|json|embeddings?)s?(?=[\\s.!]*$|[:.]\\s|\\s(?:at|with|on|from|as|for|because|due|after|in)\\s|\\s${identifier})|${identifier})`,
  ],
  [
    `(?:read )?timed out${close}|(?:time-?out|operation timed out)(?:(?: (?:exceeded|expired|error))?[\\s.!]*$|\\s(?:while|when|waiting|reading|connecting|after)|:\\s(?=[a-z])[^\\n]{0,200}?\\b(?:no|not|while|waiting)\\b)`,
  ],
  // Limits of models, agents and databases.
  [
    `(?:[45]\\d\\d\\s|[a-z]{2,8}: )?(?:(?:the\\s|your\\s)?(?:[\\w-]+\\s)?${limit}(?:\\s(?:of\\s)?\\(?\\d+\\)?)?(?:\\s(?:was|has been|is))?\\s(?:exceeded|reached)(?:${close}|\\s(?:for|without)\\s)|(?:you|we|i)(?:'ve)?\\s(?:exceeded|reached|hit)\\s(?:your|the)\\s(?:[\\w-]+\\s)?${limit}|(?:reached|exceeded|hit)\\s(?:the\\s)?${limit}${close}|(?:this|the) model's maximum context length|(?:request|query) exceeded the|your credit balance is too low|ran out of memory|(?:the )?(?:\\w+ )?(?:ran|running) out of memory|agent stopped due to|(?:incorrect|invalid|missing|expired) api key\\b(?! means)|(?:[\\w.]+\\s)?out of memory(?:[\\s.!]*$|[.:]\\s|\\s?\\()|(?:insufficient|not enough) memory(?:[\\s.!]*$|:|\\sto\\s)|received status code [45]|unknown tool: |invalid tool call: |(?:tool|function|model|collection|endpoint) (?:${identifier} )?not found(?:: |[\\s.]*$)|${identifier} raised \\w*(?:Error|Exception))`,
    clues.limits,
  ],
  // Texts of databases, networks and languages.
  [
    `(?:[45]\\d\\d\\s|[a-z]{2,8}: )?(?:database is locked|disk I/O error|no such (?:table|column|index|function|module): |relation "[^"\\n]{1,80}" does not exist|(?:lost )?connection (?:to server|lost|reset|refused$)|lost connection to|server closed the connection|too many connections|deadlock |duplicate key value|near "[^"\\n]{0,80}": syntax|syntax error at or near|access denied for user|permission denied: |unknown (?:column|database) '|table '[^'\\n]{1,80}' doesn't exist|client network socket|\\d+ validation errors? for \\w|expecting value: line \\d|unexpected (?:token\\s|end of (?:json|input|file))|(?:list|string|tuple) index out of range|(?:integer |float )?division (?:by zero|or modulo by zero)[\\s.]*$|name '\\w+' is not defined|unsupported operand type|undefined (?:local variable or )?method |(?:open|stat|read|mkdir) \\S{1,200}: |\\w+ tcp \\S{1,100}: |fetch failed|upstream prematurely closed|socket hang up|segmentation fault|bus error|(?:connect|read|write) E[A-Z]{4,}|getaddrinfo \\w|dial tcp |context (?:deadline exceeded|canceled)|rpc error: code|runtime error: |panic: (?:\\w+ \\S+: |runtime)|called .Result::unwrap|fatal error: |process killed|memory allocation of \\d|"?(?:get|post|put) "https?:|net/http: |https?connectionpool\\(|\\[errno -?\\d+\\]|max retries exceeded|cannot read propert|'\\w+' object (?:is not|has no))`,
  ],
];

/** A word that every report contains; the forms take a millisecond each to compile, so they wait for the first one. */
const clue =
  /\b(?:error|exception|fail|crash|time|out|refused|reset|lost|abort|interrupt|dropped|disconnect|clos|kill|unavailable|available|down|unreach|reach|overload|respond|offline|lock|busy|unresponsive|exhaust|issue|problem|difficult|trouble|glitch|fault|hiccup|unable|not|couldn|can|wrong|broke|exceed|limit|connect|context|getaddrinfo|gone|clos|expecting|unsupported|status|memory|invalid|unknown|raised|returned|hang|errno|pool|tcp|http|no such|exist|validation|unexpected|syntax|division|undefined|stopped|denied|duplicate|balance|experiencing|prevented|panic|unwrap)/i;

const made: RegExp[] = [];

/** Returns whether an opening reports a technical failure. */
export function reportsFailure(opening: string): boolean {
  if (!clue.test(opening)) return false;
  return forms.some(
    ([form, sign], index) =>
      (sign === undefined || sign.test(opening)) &&
      (made[index] ??= new RegExp(`^(?:${form})`, 'i')).test(opening),
  );
}

const later = new RegExp(
  String.raw`(?:[.!?…]|\bbut|\bhowever,?)\s(?:i|we)(?:'ve| have)? (?:just |also )?(?:encountered|ran into|run into|hit|got) an? ${kinds}{0,3}(?:error|exception) (?:while|when|during|trying|${doing})\b`,
  'i',
);

/** Returns whether an answer reports an error in its middle: "…, but I encountered an error while accessing the database." */
export function reportsErrorLater(text: string): boolean {
  return / (?:error|exception) /i.test(text) && later.test(text);
}
