import {
  createForms,
  type Form,
  adverb,
  close,
  failure,
  gerund,
  identifier,
  kinds,
  modifiers,
  subject,
  technicalGerund,
  things,
} from './apologies.ts';

/**
 * Openings of reports that are sentences: "Query failed: …", "Error searching documents: …". The subject must be
 * technical, and what follows must be the end, a detail or a circumstance of this very call, so that "The payment
 * failed because …" counts as an answer.
 */

/**
 * Sentences such as "Database connection failed while …", "API timeout after 30 s" and "The service is temporarily
 * unavailable."
 */
const failedThings: Form[] = [
  [
    'failed crashed timed',
    `${subject}\\s+(?:(?:has|have|had)\\s+)?${adverb}(?:failed|crashed|timed[ -]out)${close}`,
  ],
  [
    'refused reset lost aborted interrupted dropped disconnected terminated closed',
    `${subject}\\s+(?:(?:was|is|were|has been|got)\\s+)?${adverb}(?:refused|reset|lost|aborted|interrupted|dropped|disconnected|terminated unexpectedly|closed unexpectedly)(?:\\s+by (?:the )?(?:peer|server|host|client))?${close}`,
  ],
  [
    'closed',
    `(?:the\\s+)?${modifiers}(?:connection|stream|session|socket)\\s+(?:was |is |has been )?(?:already )?closed${close}`,
  ],
  [
    'unavailable down unreachable overloaded responding available reachable offline locked busy unresponsive exhausted',
    `${subject}\\s+(?:is|are|was)\\s+${adverb}(?:unavailable|down|unreachable|overloaded|not responding|not available|not reachable|offline|locked|busy|unresponsive|exhausted)(?:\\s+with other requests)?${close}`,
  ],
  [
    'unavailable unreachable overloaded offline responding reachable',
    `${subject}\\s+${adverb}(?:unavailable|unreachable|overloaded|offline|not responding|not reachable)${close}`,
  ],
  [
    'found',
    `(?:the\\s+)?(?:tool|function|model|collection|endpoint|route|table|column)\\s+(?:${identifier}\\s+)?not found(?=:\\s|[\\s.!]*$)`,
  ],
  ['unknown invalid unsupported', `(?:unknown|invalid|unsupported) (?:tool|function)(?: call| name)?: `],
  [
    'raised threw',
    `${identifier}\\s+(?:raised|threw)\\s+(?:an?\\s+)?(?:(?-i:[A-Z]\\w*(?:Error|Exception))|error|exception)${close}`,
  ],
  [
    'respond return reply responding',
    `${subject}\\s+(?:did not|didn't|does not|is not)\\s+(?:respond|return|reply|responding)(?:ing)?(?:\\s+(?:in time|within\\b[^.!?\\n]{0,30}|anything|any\\b[^.!?\\n]{0,30}))?${close}`,
  ],
  [
    'returned reported raised had threw encountered produced caused responded answered exited',
    `${subject}\\s+${adverb}(?:returned|reported|raised|had|threw|encountered|produced|caused|responded with|answered with|exited with)\\s+(?:an?\\s+|the\\s+)?(?:${kinds}|[a-z-]+\\s+){0,3}?${failure}\\b(?:${close}|\\s+${technicalGerund}\\b)`,
  ],
  [
    'returned produced gave sent',
    `${subject}\\s+${adverb}(?:returned|produced|gave|sent)\\s+(?:an?\\s+)?(?:empty|no|invalid|blank|malformed|nothing)(?:\\s+(?:response|output|answer|reply|completion|content))${close}`,
  ],
  [
    'experiencing having',
    `${subject}s?\\s+(?:is|are)\\s+${adverb}(?:experiencing|having)\\s+(?:some\\s+)?(?:technical\\s+|temporary\\s+|connection\\s+)?(?:issues|difficulties|problems|high load|high demand)${close}`,
  ],
  [
    'experiencing having down unavailable overloaded',
    `(?:our|the)\\s+(?:systems|servers|services)\\s+are\\s+${adverb}(?:experiencing|having|down|unavailable|overloaded)\\b`,
  ],
  [
    'received got unexpected returned responded',
    `(?:received|got|unexpected|server returned|server responded with)\\s+(?:an?\\s+)?(?:http\\s+)?(?:(?:response|status)(?:\\s+code)?:?\\s+)?[45]\\d\\d\\b(?:${close}|\\s+(?:from|for)\\s)`,
  ],
  [
    'exceeded',
    `${subject}\\s+exceeded\\s+(?:the|its)\\s+[^.!?\\n]{0,40}?\\b(?:limit|deadline|time-?out|quota)s?\\b`,
  ],
  ['killed', `${subject}\\s+(?:was|got)\\s+killed${close}`],
  [
    'unavailable down offline overloaded responding available',
    `(?:the\\s+)?(?:assistant|bot|chatbot|app|application|site|website)\\s+is\\s+${adverb}(?:unavailable|down|offline|overloaded|not responding|not available)${close}`,
  ],
  [
    'responding available reachable',
    `${subject}\\s+(?:isn't|aren't|is not|are not)\\s+(?:responding|available|reachable)${close}`,
  ],
  ['prematurely', `${subject}\\s+prematurely closed`],
  ['ran gone', `${subject}\\s+${adverb}(?:ran out of\\s|has gone away)`],
  [
    'completed processed reached executed established parsed loaded opened fulfilled handled initialized initialised started created',
    `${subject}\\s+(?:could not|cannot|couldn't|can't)\\s+be\\s+(?:completed|processed|reached|executed|established|parsed|loaded|opened|fulfilled|handled|initiali[sz]ed|started|created)(?:${close}|\\s+at\\s)`,
  ],
  [
    'error failure exception timeout out',
    `(?:the\\s+)?(?:${modifiers}(?:${things})\\s+)(?:error|failure|exception|time-?out)(?:\\s+(?:occurred|detected))?${close}`,
  ],
  ['timed', `timed out(?:${close}|\\s+(?:waiting|trying|reading|connecting))`],
  [
    'timeout out timed',
    `(?:time-?out|operation timed out)(?:(?:\\s+(?:exceeded|expired|occurred|error))?(?:[\\s.!]*$|\\s+(?:while|when|during|waiting|reading|connecting|after \\d))|:\\s(?!what\\b|how\\b|raised\\b|set\\b)(?=[a-z])[^\\n]{0,200}?\\b(?:no|not|while|waiting|exceeded|expired|after)\\b)`,
  ],
  ['failed crashed timed', `${identifier}\\s+(?:failed|crashed|timed[ -]out)${close}`],
  ['timed', `read timed out${close}`],
];

/** Sentences such as "Error searching documents: …", "Failed to execute tool x" and "Could not parse …". */
const failedActions: Form[] = [
  [
    'error',
    `error\\s+(?:has occurred |occurred |occurring )?(?:while|when|during|whilst|upon)\\s+(?!\\w+ing\\s+(?:is|are|was)\\b)(?:\\w+ing\\b|tool\\b|(?:the |a )?(?:${modifiers})(?:${things})\\b)(?![^.!?\\n:]{0,80}\\b(?:is|are|means?|should|must|can)\\b)`,
  ],
  [
    'exception',
    `(?:an? )?(?:unhandled |unexpected )?exception\\s+(?:(?:occurred|raised|thrown|caught)\\s*(?:[:.!]|$|while|when|during|in\\s)|in\\s+(?:[\\w-]+\\s+){0,3}?(?:${things}|${identifier})\\b[^.!?\\n:]{0,60}(?::|[\\s.!]*$)|(?:while|during)\\s+\\w+ing\\b[^.!?\\n]{0,80}:)`,
  ],
  [
    'error',
    `error\\s+${gerund}\\s+(?!(?:is|are|was|in|for|of|code)\\b)(?![^.!?\\n:]{0,80}\\s(?:is|are|was|were|means?|can|will|should|may|must|happens|occurs)\\s)\\S`,
  ],
  [
    'error',
    `error\\s+(?:in|from|at|with|on|of|inside)\\s+(?:[\\w-]+\\s+){0,3}?(?:(?:${things})\\b[^.!?\\n:]{0,60}|${identifier}[^.!?\\n:]{0,60}|\\w+\\([^\\n]{0,80}\\)\\s*):\\s*\\S`,
  ],
  [
    'failed unable able',
    `(?:failed|unable|not able)\\s+to\\s+(?:connect|fetch|parse|decode|deserialize|serialize|authenticate|allocate|initiali[sz]e|instantiate|invoke|import|resolve)\\b(?!\\s+(?:is|are|errors?)\\b)`,
  ],
  [
    'connect fetch parse decode deserialize allocate initialize initialise import resolve translate',
    `(?:could not|couldn't|cannot|can't)\\s+(?:connect to|fetch|parse|decode|deserialize|allocate|initiali[sz]e|import name|resolve host|translate host)\\b`,
  ],
  [
    'load open read reach access execute run call query retrieve create establish complete send start generate contact perform obtain acquire process communicate',
    `(?:failed|unable|not able|could not|couldn't|cannot|can't)(?:\\s+to)?\\s+(?:load|open|read|reach|access|execute|run|call|query|retrieve|create|establish|complete|send|start|generate|contact|perform|obtain|acquire|process|communicate with)\\s[^.!?\\n:]{0,80}?\\b(?:(?:${things}|file|documents?|data|json|embeddings?)(?:s)?(?=[\\s.!]*$|[:.]\\s|\\s(?:at|with|on|from|as|for|because|due|after|in)\\s|\\s${identifier})|${identifier})`,
  ],
  [
    'fetch socket segmentation bus connect read write getaddrinfo dial context rpc runtime panic thread called fatal heap memory',
    `fetch failed|socket hang up|segmentation fault|bus error|connect E[A-Z]{5,}|read E[A-Z]{5,}|write E[A-Z]{4,}|getaddrinfo \\w+|dial tcp |context deadline exceeded|context canceled|rpc error: code|runtime error: |panic: (?-i:[a-z])|thread '[^'\\n]{0,80}' |called .Result::unwrap|fatal error: |heap out of memory|memory allocation of \\d+`,
  ],
  ['http https net', `(?:(?:get|post|put|head|delete|patch)\\s+)"https?:|net/http: `],
  [
    'httpconnectionpool httpsconnectionpool errno retries',
    `https?connectionpool\\(|\\[errno -?\\d+\\]|max retries exceeded`,
  ],
  ['property properties object', `cannot read propert(?:y|ies) of|'\\w+' object (?:is not|has no)`],
];

const limits = String.raw`(?:rate|token|memory|usage|request|quota|recursion|iteration|time|context|concurrency)[ -]?(?:limit|length|depth|window)s?|quota|deadline|max(?:imum)? (?:recursion depth|call stack size|iterations|turns|retries|context length|tokens|number of (?:iterations|retries|turns|steps|attempts))`;

/** Reports of limits of models, agents and databases. */
const limitsReached: Form[] = [
  [
    'exceeded reached',
    `(?:the\\s+|your\\s+)?(?:[\\w-]+\\s+)?(?:${limits})(?:\\s+(?:of\\s+)?\\(?\\d+\\)?)?(?:\\s+(?:was|has been|is))?\\s+(?:exceeded|reached)(?:${close}|\\s+(?:for|without|by|in)\\s)`,
  ],
  [
    'exceeded reached hit',
    `(?:you|we|i)(?:'ve| have)?\\s+(?:exceeded|reached|hit)\\s+(?:your|the|our|my)\\s+(?:[\\w-]+\\s+)?(?:${limits})`,
  ],
  ['exceeded reached hit', `(?:reached|exceeded|hit)\\s+(?:the\\s+)?(?:${limits})${close}`],
  ['maximum', `(?:this|the) model's maximum context length\\b`],
  [
    'credit memory',
    `your credit balance is too low\\b|ran out of memory\\b|(?:process )?killed: out of memory`,
  ],
  ['stopped', `agent stopped due to\\b`],
  ['key', `(?:incorrect|invalid|missing|expired) api key\\b(?!\\s+(?:means|errors?)\\b)`],
  ['memory', `(?:[\\w.]+\\s+)?out of memory(?:[\\s.!]*$|[.:]\\s|\\s?\\()`],
  [
    'locked error such exist connection connections deadlock duplicate syntax denied unknown ssl',
    `database is locked|disk I/O error|no such (?:table|column|index|function|module): |relation "[^"\\n]{1,80}" does not exist|lost connection to|server closed the connection|too many connections for|deadlock (?:detected|found)|duplicate key value|near "[^"\\n]{0,80}": syntax error|syntax error at or near|access denied for user|permission denied: |unknown (?:column|database) '|table '[^'\\n]{1,80}' doesn't exist|SSL SYSCALL`,
  ],
  [
    'disconnected memory',
    `client network socket disconnected|(?:insufficient|not enough) memory(?:[\\s.!]*$|:|\\s+to\\s)`,
  ],
  [
    'validation expecting unexpected index division defined operand undefined open stat read mkdir tcp',
    `\\d+ validation errors? for \\w|expecting value: line \\d|unexpected (?:token\\s|end of (?:json|input|file))|(?:list|string|tuple) index out of range|(?:integer |float )?division (?:by zero|or modulo by zero)[\\s.]*$|name '\\w+' is not defined|unsupported operand type|undefined (?:local variable or )?method |(?:open|stat|read|mkdir) \\S{1,200}: |\\w+ tcp \\S{1,100}: `,
  ],
];

/** Matches openings that report a technical failure. */
export const failureReports = createForms([
  ...failedThings,
  ...failedActions,
  ...limitsReached.map(([words, source]): Form => [words, `(?:[45]\\d\\d\\s+|[a-z]{2,8}: )?(?:${source})`]),
]);
