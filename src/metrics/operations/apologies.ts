import {
  createForms,
  type Form,
  close,
  end,
  inSystem,
  kinds,
  mishap,
  mishaps,
  self,
  systems,
  technicalGerund,
  things,
  trouble,
  unable,
} from './report-words.ts';

/** "I encountered an error while …", "I was unable to … due to a technical issue". */
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

/** "An error occurred while …", "There was a problem processing your request", "Something went wrong." */
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

/** Openings with which a bot apologises for what failed on its own side. */
export const apologies = createForms([...firstPerson, ...impersonal]);

/** Whether there is an apology in the middle of an answer: "…, but I encountered an error while accessing the database." */
export function apologisesLater(text: string): boolean {
  return / (?:error|exception) /i.test(text) && recovered.test(text);
}
