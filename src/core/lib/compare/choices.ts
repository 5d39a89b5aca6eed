import { foldForComparison } from '../text/fold.ts';
import { markedAnswer, prepareText, withoutThoughts } from './prepare-text.ts';
import { compareTexts } from './compare-texts.ts';
import type { TextComparison } from './comparison.ts';

/** One of the answers that a question offers. */
export interface Choice {
  /** The letter or number before it. */
  readonly label: string;
  readonly text: string;
}

/**
 * Returns the choice that an expected answer means: by its label, else by its text. Undefined when it is none of them,
 * or when two of them have the same text.
 */
export function findChoice(expected: string, choices: readonly Choice[]): Choice | undefined {
  const bare = foldForComparison(expected).replace(/^[(["'\s]+|[)\]"'\s.:]+$/g, '');
  const byLabel = choices.find(({ label }) => foldForComparison(label) === bare);
  if (byLabel !== undefined) return byLabel;
  const named = choices.filter(({ text }) => foldForComparison(text) === foldForComparison(expected));
  if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  const { chosen } = readChoice(expected, choices);
  return chosen.length === 1 ? chosen[0] : undefined;
}

/**
 * Compares an answer with the expected one of several choices, whichever way it is said: `B`, `(b)`, `**B**`, `B) Paris`,
 * `Answer: B`, `The answer is B`, `\boxed{B}`, `option 2`, or the text of the choice. Another choice is wrong, and so
 * are several. Returns undefined when the expected answer is none of the choices.
 */
export function compareChoices(
  answer: string,
  expected: string,
  choices: readonly Choice[],
): TextComparison | undefined {
  const wanted = findChoice(expected, choices);
  if (wanted === undefined) return undefined;
  const { chosen } = readChoice(answer, choices);
  const names = (list: readonly Choice[]) =>
    list.map(({ label, text }) => `${label}, “${shorten(text)}”`).join(' and ');
  const [only, ...others] = chosen;
  const result = { by: 'choice' as const, value: 0 };
  if (only === undefined) {
    return { ...result, outcome: 'different', explanation: `none of the ${choices.length} choices is named` };
  }
  if (others.length > 0)
    return { ...result, outcome: 'unclear', explanation: `more than one choice is named: ${names(chosen)}` };
  if (only === wanted)
    return { ...result, outcome: 'same', value: 1, explanation: `choice ${names(chosen)}` };
  return {
    ...result,
    outcome: 'different',
    explanation: `choice ${names(chosen)} given, ${names([wanted])} expected`,
  };
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

/** Returns the choices that an answer names: one when it decides, several when it does not. */
function readChoice(answer: string, choices: readonly Choice[]): { readonly chosen: readonly Choice[] } {
  const said = withoutThoughts(answer);
  const marked = markedAnswer(said);
  if (marked !== undefined) {
    const chosen = readPart(marked, choices);
    if (chosen.length > 0) return { chosen };
  }
  const last = concludedChoice(said.trimEnd(), choices);
  return { chosen: last === undefined ? readPart(said, choices) : [last] };
}

const start =
  /^[\s("'*[{]{0,200}(?:(?:the\s+)?(?:option|choice|answer|antwort|letter|number)\s*(?:is|:)?\s*)?[("'*[]{0,12}([\p{L}\p{N}]{1,3})[)\]"'*]{0,12}(?:\s*$|[.:,;)\]]|\s+[-:]|\s*\n)/iu;
const stated =
  /(?<!\p{L})(?:answer|antwort|option|choice|choose|chose|select|selected|pick|correct|right|letter|go with)\s*(?:(?:is|ist|(?:would|should|must|has to) be|are)\s*)?:?\s*(?:(?:option|choice|letter)\s*)?[("'*[]*([\p{L}\p{N}]{1,3})(?![\p{L}\p{N}'])[)\]"'*]*/giu;
/** A letter as mathematics writes it: `$B$`, `\text{B}`. */
const latexLabel = /\$([A-Za-z])\$|\\(?:text|textbf|mathrm|mathbf)\s*\{\s*([A-Za-z])\s*\}/g;
const enclosed = /\(([\p{L}\p{N}]{1,2})\)|\*\*([\p{L}\p{N}]{1,2})[.)]?\*\*/gu;
const alone = /(?<![\p{L}\p{N}'])(\p{Lu})(?=[).:,;]|\s+(?:is|and|or|und|oder)\s|\s*$)/gu;
const denial =
  /(?:\b(?:not|neither|weder|except(?: for)?|(?:all|any|anything|every|everything) but|other than|apart from|besides|außer)|n't|isn't|rather than|instead of|incorrect|wrong|eliminate|rule out|nicht|kein\p{L}*)\s+(?:(?:option|choice|answer|the|a)\s+)*[("'*]*$/iu;
/** A denial of several: `not London or `. */
const denialOfList =
  /(?:\b(?:not|neither|nicht|weder)|n't)\s+(?:(?!(?:but|sondern)\s)[\p{L}\p{N}]{1,20},?\s+){1,6}(?:or|nor|oder|noch)\s+[("'*]*$/iu;

function isDenied(before: string): boolean {
  return denial.test(before) || denialOfList.test(before);
}

/** A choice by its place: `the second option`, `the last one`. */
const byPlace =
  /(?<!\p{L})(?:(?<word>first|second|third|fourth|fifth|last)|(?<digit>[1-9])(?:st|nd|rd|th)) (?:option|choice|answer|one|alternative|possibility)(?!\p{L})/giu;
const placeNames = ['first', 'second', 'third', 'fourth', 'fifth'];

/** A choice that an answer ends with after it has weighed others: `First I thought A, but it is B.` */
const concluded =
  /(?<!\p{L})(?:but|so|hence|thus|therefore|actually),? (?:it(?:'s| is| has to be| must be)|the (?:correct )?answer is) (?:(?:option|choice) )?[("'*]*(\p{Lu})[)"'*.!]*$/u;

/** A choice alone in the last line, below what led to it. */
const lastLine = /\n\s*[("'*[]*(\p{Lu})[)\]"'*.]*$/u;

function concludedChoice(text: string, choices: readonly Choice[]): Choice | undefined {
  const end = text.slice(-200);
  const label = concluded.exec(end)?.[1] ?? lastLine.exec(end)?.[1];
  return choices.find((choice) => choice.label === label);
}

/** Returns the choices that a part of an answer names, the surest way of naming first. */
function readPart(part: string, choices: readonly Choice[]): Choice[] {
  const text = part.trim().slice(0, 20_000).replace(latexLabel, '$1$2');
  const whole = wholeText(text, choices);
  if (whole !== undefined) return [whole];
  const first = start.exec(text);
  const byStart = first?.[1] === undefined ? undefined : byLabel(first[1], choices, text);
  // A full stop behind the letter ends the answer: `B. Note that A is a common distractor.`
  const isEnded = first?.[0].endsWith('.') === true;
  const rest = first === null ? '' : text.slice(first[0].length);
  const texts = byText(text, choices);
  if (byStart !== undefined) {
    // `B) Paris` names one; `B and C`, `A, B` and `B) Rome`, where Rome is C, name two.
    const others = isEnded ? [] : labelsIn(rest.split(/[.\n]/)[0] ?? '', choices, [alone, enclosed]);
    const leading = wholeText(rest.split('\n')[0] ?? '', choices);
    return unique([byStart, ...others, ...(leading === undefined ? [] : [leading])]);
  }
  const said = labelsIn(text, choices, [stated]);
  if (said.length > 0) {
    const near = labelsIn(text, choices, [stated, enclosed]);
    return texts.length === 1 && said.length === 1 ? unique([...said, ...texts]) : near;
  }
  const letters = unique([...labelsIn(text, choices, [enclosed, alone]), ...texts]);
  // A choice that is a quantity may be written in another way: `1,000 m` for `1 km`.
  return letters.length > 0
    ? letters
    : orElse(placesIn(text, choices), () =>
        choices.filter((choice) => compareTexts(text, choice.text).outcome === 'same'),
      );
}

function orElse(found: Choice[], others: () => Choice[]): Choice[] {
  return found.length > 0 ? found : others();
}

function placesIn(text: string, choices: readonly Choice[]): Choice[] {
  const found = Array.from(text.matchAll(byPlace)).flatMap(({ index, groups }) => {
    const word = groups?.['word']?.toLowerCase();
    const place =
      word === 'last' ? -1 : word === undefined ? Number(groups?.['digit']) - 1 : placeNames.indexOf(word);
    return isDenied(text.slice(Math.max(0, index - 40), index)) ? [] : (choices.at(place) ?? []);
  });
  return unique(found);
}

function unique(list: readonly Choice[]): Choice[] {
  return [...new Set(list)];
}

/** Returns the choice whose text an answer is as a whole. */
function wholeText(text: string, choices: readonly Choice[]): Choice | undefined {
  const bare = (part: string) =>
    foldForComparison(prepareText(part)).replace(/^["'(\s-]+|["')\s.!,;:]+$/g, '');
  const folded = text.length > 2000 ? '' : bare(text);
  if (folded === '') return undefined;
  const equal = choices.filter((choice) => bare(choice.text) === folded);
  // `3) Paris`, where Paris is 2, names two.
  const place = /^\s*(\d{1,2})[.)]\s/.exec(text)?.[1];
  const numbered = place === undefined ? undefined : byLabel(place, choices, text);
  return equal.length === 1 && (numbered === undefined || numbered === equal[0]) ? equal[0] : undefined;
}

/** Returns the choice of a label: its own, or, where labels are letters, its place. */
function byLabel(written: string, choices: readonly Choice[], text: string): Choice | undefined {
  const folded = foldForComparison(written);
  const labelled = choices.find(({ label }) => foldForComparison(label) === folded);
  // In `a dog`, `a` is no label.
  if (labelled !== undefined)
    return /^[ai]$/.test(written) &&
      text.length > written.length + 4 &&
      !/^[\s(*"'[]*[ai]\s*[).:\]*]/.test(text)
      ? undefined
      : labelled;
  return /^\d{1,2}$/.test(folded) && choices.every(({ label }) => /^\p{L}$/u.test(label))
    ? choices[Number(folded) - 1]
    : undefined;
}

function labelsIn(text: string, choices: readonly Choice[], patterns: readonly RegExp[]): Choice[] {
  const found: Choice[] = [];
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) {
      const label = match[1] ?? match[2] ?? '';
      const isArticle = /^[aI]$/.test(label) && /^\s+\p{L}/u.test(text.slice(match.index + match[0].length));
      const before = text.slice(Math.max(0, match.index - 40), match.index);
      if (isArticle || isDenied(before) || isRejected(text.slice(match.index + match[0].length))) continue;
      const choice =
        choices.find((each) => each.label === label || each.label === label.toUpperCase()) ??
        (/^\d/.test(label) ? byLabel(label, choices, label) : undefined);
      if (choice !== undefined) found.push(choice);
    }
  }
  return unique(found);
}

function isRejected(after: string): boolean {
  return /^[)\]*"'\s]*(?:is|are|was)\s+(?:not|incorrect|wrong|false)\b|^[)\]*"'\s]*isn't\b/i.test(
    after.slice(0, 30),
  );
}

/** Returns the choices whose texts stand in an answer and are not denied there. */
function byText(text: string, choices: readonly Choice[]): Choice[] {
  const folded = foldForComparison(text);
  const found = choices.filter((choice) => {
    const wanted = foldForComparison(choice.text);
    if (wanted.length === 0 || (wanted.length < 2 && choices.length > 0)) return false;
    for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) {
      const isWhole =
        !/[\p{L}\p{N}]/u.test(folded.charAt(at - 1)) &&
        !/[\p{L}\p{N}]/u.test(folded.charAt(at + wanted.length));
      if (isWhole && !isDenied(folded.slice(Math.max(0, at - 40), at))) return true;
    }
    return false;
  });
  // `New York` also holds `York`.
  return found.filter(
    (choice) =>
      !found.some(
        (other) => other !== choice && foldForComparison(other.text).includes(foldForComparison(choice.text)),
      ),
  );
}
