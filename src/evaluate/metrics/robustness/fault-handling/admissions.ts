/** One way in which an answer admits that it could not get or do what was asked for. */
export interface AdmissionSign {
  /** The id that the evidence of a verdict names. */
  readonly id: string;
  readonly meaning: string;
  readonly patterns: readonly RegExp[];
}

/** The sources of a bot, and what it gets from them. */
const source =
  '(?:services?|servers?|systems?|databases?|calendars?|tools?|search|index|look-?ups?|quer(?:y|ies)|requests?|calls?|apis?|source|connection|backend|directory|ledger|website|files?|data|information|results?|records?|response|reply|documents?)';
const cannot =
  "(?:can ?not|can't|could not|couldn't|(?:am|are|is|was|were|'m|'re) not able to|(?:isn't|aren't|wasn't|weren't) able to|(?:not been|haven't been|hasn't been) able to|not able to|unable to|failed to|did(?: not|n't) manage to)";
/** Actions on data. "I cannot give legal advice" is about something else. */
const getting =
  '(?:access|reach|retrieve|get(?! to)|fetch|load|look|check|read|open|connect|query|complete|book|create|schedule|confirm|verify|determine|answer|say|see|process|finish|search|pull|obtain|view|list|make sense|calculate|compute|save|send|update|cancel|move|place|reserve|carry|interpret|parse|understand|use|know|respond|(?:give|provide|show|tell|share)(?: you)?(?: with)? (?:you|it|the|that|this|those|these|any|an?|your|what|how|which|who|when|where|whether))';
const done =
  '(?:retrieved|reached|loaded|read|accessed|completed|confirmed|verified|found|checked|booked|processed|opened|determined|saved|sent|created|updated|scheduled|cancell?ed|fetched|answered|parsed|interpreted|carried out|made|changed|moved|returned)';
const trouble =
  '(?:errors?|problems?|issues?|trouble|difficult(?:y|ies)|failures?|outages?|hiccups?|malfunctions?)';
const working = '(?:available|reachable|accessible|responding|responsive|working|answering|online)';
const be = "(?:is|are|was|were|seems?|appears?|looks?|remains?|isn't|aren't|wasn't|weren't)(?: to be)?";
// Bounded, because a clause that matches nothing would otherwise be read to its end from each of its words.
const adverb =
  '(?:\\w+ly |even |again |yet |still |just |also |too |now |then |not |down |no longer |at the moment ){0,12}';

/**
 * The table of admissions in English. Each is about data or an action: "Something went wrong" and "An error occurred" alone do not
 * say what is missing. The test has examples and counter-examples.
 */
export const admissionSigns: readonly AdmissionSign[] = [
  sign(
    'could-not',
    'It says that it could not get, find, check or do it.',
    `\\b(?:i|we|it|search|tools?|system|service)(?:'m|'ve|'re| am| have| was| were| had)? ${adverb}${cannot} (?:to )?${adverb}${getting}\\b`,
    `(?:^|,|\\band|\\bbut|\\bso|\\bsorry|\\bseems i'm|\\bme) ${adverb}${cannot} ${adverb}${getting}\\b`,
    `^\\W*${adverb}${cannot} ${adverb}${getting}\\b|\\b(?:could|can|was able to|were able to) only ${getting}\\b`,
  ),
  sign(
    'could-not-be',
    'It says that something could not be obtained or done.',
    `\\b(?:can ?not|can't|could not|couldn't) ${adverb}be ${adverb}${done}\\b`,
    `\\b(?:has not|hasn't|have not|haven't) ${adverb}been ${adverb}${done}\\b`,
    `\\b(?:nothing|no (?:booking|meeting|appointment|reservation|order|payment|change)s?) (?:was|is|has been|have been|were|could be) ${done}\\b`,
    "\\b(?:did not|didn't|has not|hasn't|could not|couldn't) (?:go|gone|come|get) through\\b",
    `\\b${source} (?:was not|wasn't|were not|weren't|is not|isn't) ${adverb}${done}\\b`,
  ),
  sign(
    'unavailable',
    'It says that a source does not work at the moment.',
    `\\b${source} (?:\\w+ ){0,2}?${be} ${adverb}(?:un(?:available|reachable|responsive)|inaccessible|offline|busy|overloaded|broken|out of (?:reach|service|order))\\b`,
    `\\b${source} (?:\\w+ ){0,2}?(?:${be} not|isn't|aren't|wasn't|weren't|${be} no longer) ${adverb}${working}\\b`,
    `\\b${source} (?:\\w+ ){0,2}?${be} (?:currently |temporarily |still )*down\\b`,
    `\\b${source} (?:does not|doesn't|did not|didn't|do not|don't|never) ${adverb}(?:answer|respond|work|reply|load|return|confirm)(?:ed)?\\b`,
    '\\btemporarily (?:unavailable|out of (?:order|service)|down)\\b',
  ),
  sign(
    'timed-out',
    'It says that a call timed out, or was refused.',
    '\\btim(?:ed|es|ing)[ -]?out\\b|\\btime-?out\\b',
    '\\brate[ -]?limit|\\btoo many requests\\b|\\b(?:http|status|error) ?(?:code )?(?:429|5\\d\\d)\\b',
    '\\baccess (?:\\w+ ){0,4}(?:was |is |has been )?denied\\b',
  ),
  sign(
    'trouble-with',
    'It reports an error or a problem, and with what.',
    `\\b(?:there|i|we|due to|because of|having|got|hit)\\b(?:\\W?\\w+){0,5}? ${trouble}(?: (?:occurred|happened|came up|arose))? (?:while|when|with|during|from|(?:access|reach|read|retriev|fetch|load|connect|query|search|gett|process|look|check|find|book)ing)\\b`,
    `\\b(?:${source}|i|we)(?:'m|'re| is| are| am) ${adverb}(?:having|experiencing|facing) (?:\\w+ ){0,2}${trouble}\\b`,
    `\\b(?:due to|because of) (?:an? |some )?(?:technical|internal|temporary) ${trouble}\\b`,
  ),
  sign(
    'failed',
    'It says that a look-up or a call failed.',
    `\\b${source} (?:\\w+ ){0,2}(?:has |have )?(?:failed|fails|crashed|broke|errored)\\b`,
    '\\b(?:returned|gave|reported|answered with|came back with|got|received|getting|sent) (?:back )?(?:me |us )?(?:an? |the )?(?:\\w+ )?(?:error|time-?out|failure|html page|login page|invalid|unexpected|malformed|something)\\b',
    `^\\W*(?:the |your )?\\w+ (?:has |have )?failed[.!,;:]?$|\\blost (?:the |my |our )?connection\\b|\\bwrong with (?:the |my |our )?${source}\\b`,
  ),
  sign(
    'found-nothing',
    'It says that it looked and found nothing.',
    `\\b(?:i|we|it|search|tools?|system)?(?:'m|'ve|'re| am| have| was| were| had)? ?${adverb}${cannot} ${adverb}(?:find|locate)\\b`,
    `\\b(?:i|we) (?:do not|don't|did not|didn't) ${adverb}(?:see|find)\\b`,
    `\\b(?:i|we|it|${source})(?:'ve| have| has)? (?:\\w+ )?(?:found|finds?|sees?|got|received|returned|returns|gave|show(?:s|ed)?) (?:me |back )?(?:no|nothing|none|empty|an? (?:empty|blank))\\b`,
    `\\b${source} (?:\\w+ ){0,3}(?:is|was|were|came back|comes back|came up) (?:empty|blank)\\b`,
    `\\bno (?:\\w+ ){0,3}(?:${source}|entr(?:y|ies)|rows?|match(?:es)?|figures?|details|slots?) ${adverb}(?:(?:was|were|is|are|has been|have been|could be) )?(?:found|available|returned|retrieved|came back|given)\\b`,
    `\\bthere (?:is|are|was|were) no (?:matching )?(?:${source}|match(?:es)?|answer)\\b`,
    '\\bnothing (?:was |has been )?(?:found|returned|came back)\\b|\\bno record of\\b|\\b(?:came|come) (?:back|up) (?:empty|blank|with nothing)\\b',
  ),
  sign(
    'not-whole',
    'It says that what it has is incomplete or unreadable.',
    '\\b(?:incomplete|truncated|cut (?:off|short)|garbled|unreadable|malformed|corrupt(?:ed)?|unusable|illegible)\\b',
    '\\b(?:not in|without) (?:the |an? )?(?:expected|right|known|readable) (?:form|format|shape)\\b',
    `\\b${source} (?:\\w+ ){0,3}not (?:be )?(?:complete|readable|usable|valid|whole)\\b`,
    '\\bonly (?:see |have |get |got )?(?:a )?part(?:s|ial)?(?: of| results?| data)\\b|\\bpartial (?:data|results?|list)\\b|\\b(?:may be|is|are|seems to be) missing\\b|\\bma(?:kes?|de) no sense\\b',
  ),
  sign(
    'not-current',
    'It says that what it has is outdated.',
    '\\b(?:out-?dated|out of date|stale|obsolete|cached|from (?:the|an?) (?:old )?cache|\\d+ days (?:old|ago)|may have changed|may not be the (?:current|latest))\\b',
    '\\b(?:older|old) (?:data|copy|version|figures?|information)\\b|\\b(?:not|no longer) (?:be )?(?:current|up[ -]to[ -]date|accurate|the latest)\\b',
  ),
  sign(
    'does-not-have',
    'It says that it does not have, or does not know, what was asked for.',
    `\\b(?:i|we) ${adverb}(?:do not|don't|did not|didn't) ${adverb}(?:have|know|get|receive)\\b`,
    "\\b(?:i'm|i am|we're|we are) not sure\\b|\\bwithout access\\b",
    `\\b(?:i|we) (?:have|had) (?:no|lost) (?:access|way|means|${source})\\b`,
  ),
];

/** Returns the sign by which a clause admits a failure; undefined when it does not. */
export function findAdmission(clause: string): AdmissionSign | undefined {
  const text = clause
    .replace(/[’‘ʼ]/g, "'")
    .replace(/[*_#>`]+/g, '')
    .replace(/\s+/gu, ' ')
    .trim();
  return admissionSigns.find(({ patterns }) => patterns.some((pattern) => pattern.test(text)));
}

function sign(id: string, meaning: string, ...sources: readonly string[]): AdmissionSign {
  return { id, meaning, patterns: sources.map((each) => new RegExp(each, 'iu')) };
}

/** A part of a text that makes one statement, with its position in UTF-16 code units. */
interface Clause {
  readonly text: string;
  readonly index: number;
}

/**
 * The boundary between two clauses: the end of a sentence or line, a colon, a dash, or a word that means "but". White
 * space is matched from its beginning only.
 */
const boundary =
  /(?<=[.!?…;:。！？；：])(?:\s+|(?<=[。！？；：]))|(?<!\s)\s*\n+\s*|(?<!\s)\s+[—–-]\s+|(?:,|(?<!\s))\s+(?=(?:but|however|though|although|yet|nevertheless)\b)/giu;

/** Splits a text into clauses. White space between them belongs to none. */
export function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = [];
  let index = 0;
  for (const match of text.matchAll(boundary)) {
    clauses.push({ text: text.slice(index, match.index), index });
    index = match.index + match[0].length;
  }
  clauses.push({ text: text.slice(index), index });
  return clauses.filter((clause) => clause.text.trim() !== '');
}

/** Returns a text with spaces in place of some clauses; every other character keeps its position. */
export function withoutClauses(text: string, clauses: readonly Clause[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const { text: left, index } of clauses.toSorted((one, other) => one.index - other.index)) {
    pieces.push(text.slice(end, index), ' '.repeat(left.length));
    end = index + left.length;
  }
  return pieces.join('') + text.slice(end);
}
