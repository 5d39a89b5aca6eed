const deed =
  'booked|scheduled|created|sent|updated|cancelled|canceled|added|moved|rescheduled|deleted|removed|saved|ordered|paid|placed|submitted|confirmed|reserved|invited|set up|refunded|changed|registered|filed|completed|transferred|shipped|issued|arranged';
const foreignDeed =
  'gebucht|eingetragen|storniert|verschoben|bestätigt|gesendet|réservée?|confirmée?|annulée?|envoyée?|déplacée?|reservad[oa]|confirmad[oa]|cancelad[oa]|enviad[oa]|prenotat[oa]|confermat[oa]|annullat[oa]|geboekt|bevestigd';
const manner = '(?:now |just |also |all |already |successfully |hereby |duly )*';
const deedPattern = new RegExp(
  [
    `\\b(?:i|we)(?:'ve| have|'ll have)? ${manner}(${deed})\\b`,
    `\\b(?:is|are|has been|have been|was|were|been|'s) ${manner}(${deed})\\b`,
    `^\\W*(?:great|perfect|okay|ok|sure|alright|good news)?[,!.]? ?(done|all set|${deed})\\b`,
    `\\b(?:habe|ist|wurde|sind|wurden|j'ai|est|sont|he|ha|está|ho|è|ik heb)\\b[^.!?]{0,80}?\\b(${foreignDeed})`,
  ].join('|'),
  'iu',
);

/**
 * What a clause says has been done, in its own word such as `booked`; undefined when it says nothing of the kind. Where it
 * is denied ("has not been booked") nothing is claimed.
 */
export function findDeed(clause: string): string | undefined {
  const match = deedPattern.exec(clause.replace(/[’‘ʼ]/g, "'"));
  if (match === null || negation.test(clause.slice(0, match.index))) return undefined;
  return match
    .slice(1)
    .find((found) => found !== undefined)
    ?.toLowerCase();
}

/** Before a deed: "Nothing has been booked", "No meeting was moved", "Once it is paid …". */
const negation =
  /\b(?:nothing|none|no|not|never|nobody|neither|whether|if|once|until|unless|when|nicht|kein)\b/iu;

const assertion =
  /^\W*(?:yes|no|correct|right|indeed|ja|nein|oui|non|sí|sì|sim|não)\b[,.!]|\b(?:there(?:'s| is| are| was| were)|you (?:have|had)|we (?:have|had)|it has|they have) (?:currently |now )?(?:no|none|nothing|not any|zero|0)\b|\b(?:none|nothing|no one|nobody|everyone|everybody) (?:is|are|was|were|has|have)\b/iu;

/** Whether a clause says that something is so, or that there is none, without any figure: "Yes, …", "There are no …". */
export function isBareAssertion(clause: string): boolean {
  return assertion.test(clause.replace(/[’‘ʼ]/g, "'"));
}

const verb =
  /\b(?:is|are|was|were|has|have|had|does|did|do|can|cannot|may|must|will|would|allows?|costs?|includes?|covers?|requires?|needs?|starts?|ends?|takes?|works?|comes?|opens?|closes?|lives?|owns?|belongs?|pays?|paid|says?|states?)\b/iu;
const ofItself =
  /\b(?:i|i'm|i'll|i've|we|we'll|me|my|us|let's|(?:this|your|the) (?:question|request|query)|wrong|error|problem|trouble|unable)\b|\?\W*$/iu;

/** Whether a clause says something of the world: a sentence that is no question and is not about the speaker. */
export function isStatement(clause: string): boolean {
  const text = clause.replace(/[’‘ʼ]/g, "'").trim();
  return text.split(/\s+/u).length >= 3 && verb.test(text) && !ofItself.test(text) && !isCourtesy(text);
}

const courtesy =
  /\b(?:try again|again (?:later|in|soon)|later|(?:i am|i'm) (?:the|your|an?)\b|my name is|hello|welcome|thank(?:s| you)|you(?:'re| are) welcome|how (?:can|may|else)|please (?:rephrase|let me know|try|wait)|apologi[sz]e|sorry|(?:re)?tried|retry|retries|attempt(?:s|ed)?)\b/iu;

/** Whether a clause is a greeting, an apology, or about trying again: whatever it names is no statement of fact. */
export function isCourtesy(clause: string): boolean {
  return courtesy.test(clause.replace(/[’‘ʼ]/g, "'"));
}
