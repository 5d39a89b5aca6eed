/** An answer as the signs of an error report read it. */
export interface ReportText {
  /** What the answer says by itself: without the code and the lines that it quotes, unless it is nothing but those. */
  readonly said: string;
  /** How that begins, without decoration ("**", "❌", a time, "Assistant:") and apologies; a thousand characters at most. */
  readonly opening: string;
  /** Whether it goes on to explain the error that it begins with, or asks a question. */
  readonly isExplained: boolean;
}

const invisible = /[\u200b-\u200d\u2060\ufeff]/g;
const longestOpening = 1000;

const decoration =
  /^(?:[\s*_#✗✘]|\p{Extended_Pictographic}\uFE0F?|\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d[\d:.,+Z-]*\]?|(?:assistant|bot|ai|answer|response|result|output|final answer|observation)\s*:)+/iu;
const apology =
  /^(?:(?:oh no|oops|whoops|uh[ -]?oh|hmm+|sorry|(?:my |our )?(?:sincere )?apologies|unfortunately|regrettably|i'?m afraid|(?:i'?m|i am|we'?re|we are) (?:very |so |really |terribly )?sorry|(?:i|we) apologi[sz]e)(?: about that| for (?:the|this|any) (?:inconvenience|trouble|delay))?[\s,.!:;—–-]+(?:(?:but|that|and)\s+)?|(?:it (?:seems|looks|appears)(?: like| that)?|(?:it seems|looks) like) )+/i;

/** Reads an answer; in a time that grows with its length and no faster. */
export function readReport(answer: string): ReportText {
  const text = answer.replace(invisible, '').replaceAll('’', "'");
  const { said, quoted } = splitQuotations(text);
  const isQuotation = quoted.trim() !== '' && skipLead(said) === '';
  const own = unquote(isQuotation ? quoted : said);
  return { said: own, opening: skipLead(own), isExplained: explains(own) };
}

function skipLead(text: string): string {
  let rest = text.trimStart().slice(0, 2 * longestOpening);
  for (const lead of [decoration, apology, decoration]) rest = rest.replace(lead, '');
  return rest.slice(0, longestOpening).trimEnd();
}

/** Tells fenced code and quoted lines from the text around them. */
function splitQuotations(text: string): { readonly said: string; readonly quoted: string } {
  if (!/```|~~~|^[ \t]{0,3}>/m.test(text)) return { said: text, quoted: '' };
  const said: string[] = [];
  const quoted: string[] = [];
  let fence: string | undefined;
  for (const line of text.split('\n')) {
    const mark = /^\s{0,12}(```|~~~)/.exec(line)?.[1];
    if (mark !== undefined && (fence === undefined || fence === mark)) {
      fence = fence === undefined ? mark : undefined;
      said.push('');
    } else if (fence !== undefined) quoted.push(line);
    else if (/^[ \t]{0,3}>/.test(line)) quoted.push(line.replace(/^[ \t]{0,3}>[ \t]?/, ''));
    else said.push(line);
  }
  return { said: said.join('\n'), quoted: quoted.join('\n') };
}

/** Takes off the quotation marks that a whole answer stands in. */
function unquote(text: string): string {
  const trimmed = text.trim();
  const [first, last] = [trimmed[0], trimmed.at(-1)];
  const isWhole = first === last && (first === '`' || first === '"') && trimmed.length > 1;
  return isWhole && !trimmed.slice(1, -1).includes(first) ? trimmed.slice(1, -1) : text;
}

const question = /^[^.!?:\n]{0,200}\?(?:\s|$)/;
const definition = /^[^.!?:\n]{0,200}\)\s+(?:means|is|are|usually|indicates)\b/;
const explanation =
  /\n[ \t\r]*\n[^\n]{0,400}?(?:\b(?:this|that|the) (?:error|exception|message|status|line|trace) (?:means|occurs|happens|indicates|says|comes|is (?:raised|thrown|caused))|\bto (?:fix|solve|resolve|avoid) (?:this|it|that)\b|\bhow to (?:fix|solve|avoid)\b)/i;

function explains(text: string): boolean {
  const start = text.trimStart().slice(0, 4000);
  return question.test(start) || definition.test(start) || explanation.test(start);
}
