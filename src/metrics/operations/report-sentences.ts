/**
 * How reports begin that are sentences: "Query failed: …", "Error searching documents: …", "I was unable to … due to a
 * technical issue". What failed has to be technical, and what comes after has to be the end, a detail or a
 * circumstance of this very call, so that "The payment failed because …" is an answer.
 */

const things = String.raw`database|db|sql|sqlite|mysql|postgres(?:ql)?|mongo(?:db)?|redis|query|connection|request|api|https?|server|tool|function|call|execution|service|backend|network|socket|model|engine|llm|completion|embeddings?|retrieval|retriever|search|lookup|index|(?:vector|document|knowledge) (?:store|base)|endpoint|gateway|proxy|upstream|host|process|thread|operation|task|job|agent|chain|pipeline|workflow|step|system|session|stream|response|authentication|authorization|login|parser|parsing|validation|(?:de)?serialization|initiali[sz]ation|generation|inference|dns|tls|ssl|cluster|worker|container|driver|client|plugin|provider|memory|disk|cache|queue|handshake|command|script|program|allocation|download|upload|fetch|webhook|mcp`;
/** What a bot reaches for: the things of which "I cannot access …" is a fault and no rule. */
const systems = String.raw`database|db|server|api|tool|service|backend|network|index|system|model|llm|endpoint|gateway|connection|host|upstream|(?:vector|document|knowledge) (?:store|base)|cluster|collection|session|stream`;
const identifier = String.raw`(?:[a-z]\w*_\w+|(?-i:[a-z]+[A-Z]\w*)|[\w.]+\(\w*\)|'[^'\n]{1,80}'|"[^"\n]{1,80}"|\x60[^\x60\n]{1,80}\x60)`;
const small = String.raw`(?:a|an|the|your|my|if|when|whenever|once|after|before|unless|because|since|as|while|where|why|how|what|which|that|who|no|not|never|check|retry|yes|and|or|but|is|are|was|were|has|have|had|in|on|at|for|to|of|by|with|says?|said|means?|errors?|fails?)`;
const modifiers = String.raw`(?:(?!${small}\s)[\w'./-]{1,40}\s){0,4}?`;
const gerund = String.raw`(?!handling|reporting|logging|tracking|checking|correcting|messaging|monitoring|testing|budgeting|bounding|catching)\w{2,20}ing`;
const technicalGerund = String.raw`(?:processing|executing|calling|connecting|retrieving|searching|querying|accessing|fetching|loading|reading|parsing|generating|running|invoking|handling|completing|communicating|trying|attempting|opening|looking|reaching|contacting|creating|decoding|initiali[sz]ing|performing|getting|streaming|answering|responding|obtaining|validating|authenticating)`;

/** The end of a report, or the mark before its detail. */
const end = String.raw`(?=[\s!)"']*$|\.(?:\s|$|\.)|[!:]|\s?[(–—[]|\s-\s|[;,]\s*(?:please|try|retry|status|code|reason|so (?:i|we)\b|and (?:i|we)\b|error))(?!:\s*(?:\d+(?:\.\d+)?\s?(?:m?s|sec\w*|min\w*|hours?|days?|%|points?)(?!\w)|what\b|how\b|why\b|this (?:means|is|error|happens|occurs)\b|raised\b))`;
const circumstance = String.raw`(?=\s+(?:while|when|during|whilst|upon)\s|\s+after\s+(?:[\d.]+|(?:a|the|several|many|multiple)\b)|\s+with\s+(?:an?\s+)?(?:the\s+)?(?:http|status|error|exit|code|exception|message|reason|return|\d{3}|["'[{])|\s+(?:due to|because of|owing to|right now|at the moment|at this time|currently|temporarily|unexpectedly|again)\b|\s+because\s+(?!you)|\s+for\s+(?:url|user|tool|model|host|${identifier})|\s+on\s+(?:our|my|the server)\b|\s+on\s+attempt\b|\s+to\s+(?:connect|load|respond|execute|start|return|parse|complete|reply|answer)\b)`;
const close = String.raw`(?:${end}|${circumstance})`;

const subject = String.raw`(?:(?:the|a|an|this|that)\s+|(?:your|my)\s+(?=(?:request|query|message|question|session)\b))?(?:${modifiers}(?:${things})(?:\s+(?:to|from|with|of|for|at|on)\s+(?:[^.!?\n]|[.?](?=[^\s.?])){1,100}?|\s+${identifier})?|(?-i:[a-z]\w*_\w+)(?:\s+(?:tool|function|call))?)`;
const adverb = String.raw`(?:(?:currently|temporarily|unexpectedly|still|also|just|now|already|again|being|presently)\s+)?`;
const failure = String.raw`(?:error|exception|failure|fault|time-?out|status\s(?:code\s)?[45]\d\d|http\s[45]\d\d|[45]\d\d)`;
const kinds = String.raw`(?:(?:unexpected|internal|unknown|technical|fatal|critical|serious|temporary|unforeseen|system|server|client|runtime|backend|network|connection|connectivity|database|tool|api|model|timeout|processing|service|search|query|unhandled)\s+)`;
const mishap = String.raw`(?:${kinds}{0,3}(?:errors?|exceptions?|time-?outs?)|${kinds}{1,3}(?:issues?|problems?|difficult(?:y|ies)|failures?|glitch(?:es)?|outages?|faults?|hiccups?))`;
const trouble = String.raw`${kinds}{0,3}(?:error|exception|issue|problem|failure|glitch|time-?out|outage|fault|hiccup)s?`;
const inSystem = String.raw`\s+(?:in|with|on|at|from|of|inside)\s+(?:[\w'-]+\s+){0,4}?(?:${things}|${identifier})s?\b`;

const unable = String.raw`(?:(?:was|were|am|are|'m|'re|is)?\s*(?:${adverb}unable|not able) to|(?:was|were)(?:n't| not) able to|could(?: not|n't)|can(?:not|'t| not)|(?:have |has )?failed to)`;
const self = String.raw`(?:i|we)(?:'m|'re|'ve|\sam|\sare|\shave|\shad|\swas|\swere)?\s+${adverb}`;

/** "Database connection failed while …", "API timeout after 30 s", "The service is temporarily unavailable." */
const failedThings = [
  `${subject}\\s+(?:(?:has|have|had)\\s+)?${adverb}(?:failed|crashed|timed[ -]out)${close}`,
  `${subject}\\s+(?:(?:was|is|were|has been|got)\\s+)?${adverb}(?:refused|reset|lost|aborted|interrupted|dropped|disconnected|terminated unexpectedly|closed unexpectedly)(?:\\s+by (?:the )?(?:peer|server|host|client))?${close}`,
  `(?:the\\s+)?${modifiers}(?:connection|stream|session|socket)\\s+(?:was |is |has been )?(?:already )?closed${close}`,
  `${subject}\\s+(?:is|are|was)\\s+${adverb}(?:unavailable|down|unreachable|overloaded|not responding|not available|not reachable|offline|locked|busy|unresponsive|exhausted)(?:\\s+with other requests)?${close}`,
  `${subject}\\s+${adverb}(?:unavailable|unreachable|overloaded|offline|not responding|not reachable)${close}`,
  `(?:the\\s+)?(?:tool|function|model|collection|endpoint|route|table|column)\\s+(?:${identifier}\\s+)?not found(?=:\\s|[\\s.!]*$)`,
  `(?:unknown|invalid|unsupported) (?:tool|function)(?: call| name)?: `,
  `${identifier}\\s+(?:raised|threw)\\s+(?:an?\\s+)?(?:(?-i:[A-Z]\\w*(?:Error|Exception))|error|exception)${close}`,
  `${subject}\\s+(?:did not|didn't|does not|is not)\\s+(?:respond|return|reply|responding)(?:ing)?(?:\\s+(?:in time|within\\b[^.!?\\n]{0,30}|anything|any\\b[^.!?\\n]{0,30}))?${close}`,
  `${subject}\\s+${adverb}(?:returned|reported|raised|had|threw|encountered|produced|caused|responded with|answered with|exited with)\\s+(?:an?\\s+|the\\s+)?(?:${kinds}|[a-z-]+\\s+){0,3}?${failure}\\b(?:${close}|\\s+${technicalGerund}\\b)`,
  `${subject}\\s+${adverb}(?:returned|produced|gave|sent)\\s+(?:an?\\s+)?(?:empty|no|invalid|blank|malformed|nothing)(?:\\s+(?:response|output|answer|reply|completion|content))${close}`,
  `${subject}s?\\s+(?:is|are)\\s+${adverb}(?:experiencing|having)\\s+(?:some\\s+)?(?:technical\\s+|temporary\\s+|connection\\s+)?(?:issues|difficulties|problems|high load|high demand)${close}`,
  `(?:our|the)\\s+(?:systems|servers|services)\\s+are\\s+${adverb}(?:experiencing|having|down|unavailable|overloaded)\\b`,
  `(?:received|got|unexpected|server returned|server responded with)\\s+(?:an?\\s+)?(?:http\\s+)?(?:(?:response|status)(?:\\s+code)?:?\\s+)?[45]\\d\\d\\b(?:${close}|\\s+(?:from|for)\\s)`,
  `${subject}\\s+exceeded\\s+(?:the|its)\\s+[^.!?\\n]{0,40}?\\b(?:limit|deadline|time-?out|quota)s?\\b`,
  `${subject}\\s+(?:was|got)\\s+killed${close}`,
  `(?:the\\s+)?(?:assistant|bot|chatbot|app|application|site|website)\\s+is\\s+${adverb}(?:unavailable|down|offline|overloaded|not responding|not available)${close}`,
  `${subject}\\s+(?:isn't|aren't|is not|are not)\\s+(?:responding|available|reachable)${close}`,
  `${subject}\\s+prematurely closed`,
  `${subject}\\s+${adverb}(?:ran out of\\s|has gone away)`,
  `${subject}\\s+(?:could not|cannot|couldn't|can't)\\s+be\\s+(?:completed|processed|reached|executed|established|parsed|loaded|opened|fulfilled|handled|initiali[sz]ed|started|created)(?:${close}|\\s+at\\s)`,
  `(?:the\\s+)?(?:${modifiers}(?:${things})\\s+)(?:error|failure|exception|time-?out)(?:\\s+(?:occurred|detected))?${close}`,
  `timed out(?:${close}|\\s+(?:waiting|trying|reading|connecting))`,
  `(?:time-?out|operation timed out)(?:(?:\\s+(?:exceeded|expired|occurred|error))?(?:[\\s.!]*$|\\s+(?:while|when|during|waiting|reading|connecting|after \\d))|:\\s(?!what\\b|how\\b|raised\\b|set\\b)(?=[a-z])[^\\n]{0,200}?\\b(?:no|not|while|waiting|exceeded|expired|after)\\b)`,
  `${identifier}\\s+(?:failed|crashed|timed[ -]out)${close}`,
  `read timed out${close}`,
];

/** "Error searching documents: …", "Failed to execute tool x", "Could not parse …". */
const failedActions = [
  `error\\s+(?:has occurred |occurred |occurring )?(?:while|when|during|whilst|upon)\\s+(?!\\w+ing\\s+(?:is|are|was)\\b)(?:\\w+ing\\b|tool\\b|(?:the |a )?(?:${modifiers})(?:${things})\\b)(?![^.!?\\n:]{0,80}\\b(?:is|are|means?|should|must|can)\\b)`,
  `(?:an? )?(?:unhandled |unexpected )?exception\\s+(?:(?:occurred|raised|thrown|caught)\\s*(?:[:.!]|$|while|when|during|in\\s)|in\\s+(?:[\\w-]+\\s+){0,3}?(?:${things}|${identifier})\\b[^.!?\\n:]{0,60}(?::|[\\s.!]*$)|(?:while|during)\\s+\\w+ing\\b[^.!?\\n]{0,80}:)`,
  `error\\s+${gerund}\\s+(?!(?:is|are|was|in|for|of|code)\\b)(?![^.!?\\n:]{0,80}\\s(?:is|are|was|were|means?|can|will|should|may|must|happens|occurs)\\s)\\S`,
  `error\\s+(?:in|from|at|with|on|of|inside)\\s+(?:[\\w-]+\\s+){0,3}?(?:(?:${things})\\b[^.!?\\n:]{0,60}|${identifier}[^.!?\\n:]{0,60}|\\w+\\([^\\n]{0,80}\\)\\s*):\\s*\\S`,
  `(?:failed|unable|not able)\\s+to\\s+(?:connect|fetch|parse|decode|deserialize|serialize|authenticate|allocate|initiali[sz]e|instantiate|invoke|import|resolve)\\b(?!\\s+(?:is|are|errors?)\\b)`,
  `(?:could not|couldn't|cannot|can't)\\s+(?:connect to|fetch|parse|decode|deserialize|allocate|initiali[sz]e|import name|resolve host|translate host)\\b`,
  `(?:failed|unable|not able|could not|couldn't|cannot|can't)(?:\\s+to)?\\s+(?:load|open|read|reach|access|execute|run|call|query|retrieve|create|establish|complete|send|start|generate|contact|perform|obtain|acquire|process|communicate with)\\s[^.!?\\n:]{0,80}?\\b(?:(?:${things}|file|documents?|data|json|embeddings?)(?:s)?(?=[\\s.!]*$|[:.]\\s|\\s(?:at|with|on|from|as|for|because|due|after|in)\\s|\\s${identifier})|${identifier})`,
  `fetch failed|socket hang up|segmentation fault|bus error|connect E[A-Z]{5,}|read E[A-Z]{5,}|write E[A-Z]{4,}|getaddrinfo \\w+|dial tcp |context deadline exceeded|context canceled|rpc error: code|runtime error: |panic: (?-i:[a-z])|thread '[^'\\n]{0,80}' |called .Result::unwrap|fatal error: |heap out of memory|memory allocation of \\d+`,
  `(?:(?:get|post|put|head|delete|patch)\\s+)"https?:|net/http: `,
  `https?connectionpool\\(|\\[errno -?\\d+\\]|max retries exceeded`,
  `cannot read propert(?:y|ies) of|'\\w+' object (?:is not|has no)`,
];

const limits = String.raw`(?:rate|token|memory|usage|request|quota|recursion|iteration|time|context|concurrency)[ -]?(?:limit|length|depth|window)s?|quota|deadline|max(?:imum)? (?:recursion depth|call stack size|iterations|turns|retries|context length|tokens|number of (?:iterations|retries|turns|steps|attempts))`;

/** Limits of models, agents and databases. */
const limitsReached = [
  `(?:the\\s+|your\\s+)?(?:[\\w-]+\\s+)?(?:${limits})(?:\\s+(?:of\\s+)?\\(?\\d+\\)?)?(?:\\s+(?:was|has been|is))?\\s+(?:exceeded|reached)(?:${close}|\\s+(?:for|without|by|in)\\s)`,
  `(?:you|we|i)(?:'ve| have)?\\s+(?:exceeded|reached|hit)\\s+(?:your|the|our|my)\\s+(?:[\\w-]+\\s+)?(?:${limits})`,
  `(?:reached|exceeded|hit)\\s+(?:the\\s+)?(?:${limits})${close}`,
  `(?:this|the) model's maximum context length\\b`,
  `your credit balance is too low\\b|ran out of memory\\b|(?:process )?killed: out of memory`,
  `agent stopped due to\\b`,
  `(?:incorrect|invalid|missing|expired) api key\\b(?!\\s+(?:means|errors?)\\b)`,
  `(?:[\\w.]+\\s+)?out of memory(?:[\\s.!]*$|[.:]\\s|\\s?\\()`,
  `database is locked|disk I/O error|no such (?:table|column|index|function|module): |relation "[^"\\n]{1,80}" does not exist|lost connection to|server closed the connection|too many connections for|deadlock (?:detected|found)|duplicate key value|near "[^"\\n]{0,80}": syntax error|syntax error at or near|access denied for user|permission denied: |unknown (?:column|database) '|table '[^'\\n]{1,80}' doesn't exist|SSL SYSCALL`,
  `client network socket disconnected|(?:insufficient|not enough) memory(?:[\\s.!]*$|:|\\s+to\\s)`,
  `\\d+ validation errors? for \\w|expecting value: line \\d|unexpected (?:token\\s|end of (?:json|input|file))|(?:list|string|tuple) index out of range|(?:integer |float )?division (?:by zero|or modulo by zero)[\\s.]*$|name '\\w+' is not defined|unsupported operand type|undefined (?:local variable or )?method |(?:open|stat|read|mkdir) \\S{1,200}: |\\w+ tcp \\S{1,100}: `,
];

/** "I encountered an error while …", "I was unable to … due to a technical issue". */
const firstPerson = [
  `${self}(?:encountered|ran into|run into|running into|hit|got|getting|received|experienced|met with|experiencing|encountering|having|facing)\\s+(?:an?\\s+|some\\s+|the following\\s+)?${mishap}\\b(?!\\s+(?:reports?|logs?|rates?)\\b)(?!\\s*(?:code|message)s?\\s+(?:means|is)\\b)(?:(?!\\s+(?:in|on|of|about|with)\\s)|${inSystem})`,
  `${self}(?:encountered|ran into|run into|running into|hit|experienced|experiencing|encountering|having|facing)\\s+(?:an?\\s+|some\\s+)${trouble}\\s+(?:(?:while|when|in|with)\\s+)?${technicalGerund}\\b`,
  `(?:encountered|ran into|got|received|hit)\\s+an?\\s+${mishap}(?=\\s*:|\\s+(?:while|when|during|from the)\\s)`,
  `${self}tried\\s+to\\s[^.!?\\n]{1,150}?\\bbut\\s[^.!?\\n]{0,60}?\\b(?:failed|timed out|crashed|an? (?:error|exception))\\b`,
  `${self}(?:having|had|have|ran into|running into|experiencing|experienced|encountering|encountered)\\s+(?:some\\s+)?(?:trouble|difficult(?:y|ies)|problems?|(?:an? )?(?:issues?|problem))\\s+(?:(?:in|with)\\s+)?(?:processing|executing|calling|connecting|retrieving|querying|accessing|fetching|loading|completing|communicating|reaching|contacting|(?:the|my|our)\\s+(?:[\\w-]+\\s+){0,2}(?:${systems})\\b)`,
  `(?:i|we)\\s*${unable}\\s[^.!?\\n]{1,150}?(?:due to|because of|because|since|owing to|as)\\s+[^.!?\\n]{0,60}?(?:\\b(?:technical|internal|unexpected|unknown|${systems})\\b[^.!?\\n]{0,40}?\\b(?:issues?|problems?|errors?|exceptions?|difficult(?:y|ies)|failures?|outages?|time-?outs?|timed out|failed|unavailable|down|crash(?:ed)?|unreachable|overloaded|refused|glitch|not responding)\\b|\\b(?:the|my|our|a) (?:[\\w-]+ ){0,3}?(?:${things})\\s+(?:has\\s+)?(?:failed|timed out|crashed)\\b|\\ban? (?:error|exception|time-?out)\\b(?!\\s+(?:in|of)\\s))`,
  `(?:i|we)\\s*${unable}\\s+(?:connect to|reach|access|contact|query|communicate with|read from|load|open|establish|execute|run|call|invoke|use)\\s+(?:the|my|our|any|a|this)?\\s*(?:[\\w'-]+\\s+){0,4}?(?:${systems})s?${close}`,
  `(?:i|we)\\s*${unable}\\s+(?:process|complete|handle|fulfil+|answer|respond to|serve)\\s+(?:your|this|the|that)\\s+(?:request|query|question|message)(?:\\s+(?:right now|at (?:this|the) (?:time|moment)|currently)|[.,;]\\s+please try again)`,
  `(?:your|the|this)\\s+(?:request|query|question|message)\\s+(?:could not|cannot|couldn't|can't)\\s+be\\s+(?:completed|processed|handled|fulfilled|answered)\\s+(?:due to|because)\\b`,
];

/** "An error occurred while …", "There was a problem processing your request", "Something went wrong." */
const impersonal = [
  `(?:there (?:was|were|is|has been|seems to (?:be|have been)|appears to (?:be|have been))\\s+)?(?:an?|some)\\s+${trouble}\\s+(?:(?:has|have|just|seems to have|appears to have)\\s+){0,2}(?:occurred|happened|arisen|arose|was (?:encountered|raised|thrown))(?:${end}|\\s+(?:while|when|during|whilst|on (?:our|my|the server)|with (?:your|the) request|trying|processing|and)\\b|${inSystem}|\\s+\\()`,
  `(?:there (?:was|were|is|has been|seems to (?:be|have been)|appears to (?:be|have been))\\s+)?(?:an?|some)\\s+${trouble}\\s+(?:(?:while|when|during|in|with)\\s+)?${technicalGerund}\\b`,
  `there (?:was|is|has been|seems to (?:be|have been)|appears to (?:be|have been))\\s+(?:an?|some)\\s+${trouble}\\s+(?:with|in|on|at|connecting to)\\s+(?:the |our |my |your )?(?:[\\w-]+\\s+){0,3}?(?:${systems}|request|query)(?:\\s+(?:connection|tool|call|server))?${close}`,
  `(?:there (?:was|is|has been)\\s+)?an?\\s+${mishap}(?:[\\s.!]*$|,?\\s+(?:and|so)\\s+(?:i|we|the|your)\\b|[.!]\\s+please\\b|\\s+(?:prevented|stopped|kept)\\s+(?:me|us|the)\\b)`,
  `something (?:(?:went|has gone|is) wrong|broke|failed)(?:${close}|\\s+(?:on (?:our|my)|with (?:that|your|the) (?:request|query|tool|server|connection|database|system))\\b)`,
];

const recovered = new RegExp(
  String.raw`(?:[.!?…]|\bbut|\bhowever,?)\s+(?:i|we)(?:'ve| have)? (?:just |also )?(?:encountered|ran into|run into|hit|got) an? ${kinds}{0,3}(?:error|exception) (?:while|when|during|trying|accessing|searching|processing|retrieving|connecting)\b`,
  'i',
);

/** Openings that report something technical that failed. */
export const failureReports: readonly RegExp[] = compile([
  ...failedThings,
  ...failedActions,
  ...limitsReached.map((source) => `(?:[45]\\d\\d\\s+|[a-z]{2,8}: )?(?:${source})`),
]);

/** Openings with which a bot apologises for what failed on its own side. */
export const apologies: readonly RegExp[] = compile([...firstPerson, ...impersonal]);

/** An apology in the middle of an answer: "…, but I encountered an error while accessing the database." */
export const laterApology = recovered;

function compile(sources: readonly string[]): RegExp[] {
  return sources.map((source) => new RegExp(`^(?:${source})`, 'i'));
}
