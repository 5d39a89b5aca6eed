import { parseJson, tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { JudgeMaterial } from '../judge.ts';

/** The request that a reply belongs to. */
export interface ReplyContext {
  /** The id of the request. */
  readonly id: string;
  /** The material that the judge received, and may have quoted from. */
  readonly material: readonly JudgeMaterial[];
}

/** The object of a reply that is its answer, or the fault of the reply. */
export type FoundAnswer =
  | { readonly value: Readonly<Record<string, unknown>>; readonly fault?: undefined }
  | { readonly fault: string };

/**
 * Finds the one object of a reply that carries the id of its request: alone, in a code fence, after some words, or with
 * a closing phrase behind it. When the reply contains a verdict anywhere else, except in a quotation of the material,
 * the reply is ambiguous and not read.
 */
export function findAnswer(text: string, { id, material }: ReplyContext): FoundAnswer {
  if (text.trim() === '') return { fault: 'the reply is empty' };
  const objects = findObjects(text);
  if (objects.length === 0) return { fault: faultOfNone(text.trim()) };
  const [found, ...others] = objects.filter(({ value }) => carries(value, id));
  if (found === undefined) return { fault: `the reply does not say \`"id": "${id}"\` in its object` };
  const twice = findDuplicateKey(found.json);
  if (twice !== undefined) return { fault: `the reply has the key "${twice.slice(0, 40)}" twice` };
  if (others.some(({ json }) => fold(json) !== fold(found.json)))
    return { fault: 'the reply holds several answers' };
  const last = others.at(-1) ?? found;
  if (containsVerdict([found.before, betweenOf(found, last), last.after], material))
    return { fault: 'the reply says a verdict outside its object too' };
  if (!isPartingPhrase(last.after)) return { fault: 'the reply goes on after its object' };
  return { value: found.value };
}

function carries(value: Readonly<Record<string, unknown>>, id: string): boolean {
  return typeof value['id'] === 'string' && value['id'].trim() === id;
}

function faultOfNone(text: string): string {
  if (text.startsWith('[')) return 'the reply is not a JSON object';
  return text.includes('{') ? 'the reply is not valid JSON' : 'the reply is not a JSON object';
}

/** Returns the text between the first object and its repetition. */
function betweenOf(first: FoundObject, last: FoundObject): string {
  return first === last
    ? ''
    : first.after.slice(0, last.before.length - first.before.length - first.json.length);
}

const verdictKey = /["'“”](?:score|verdict|better|label|checks|claims|supported)["'“”]\s*:/gi;

/** The most verdicts that are looked up in the material; a real reply quotes fewer. */
const mostQuotedVerdicts = 100;

/**
 * Returns whether the text around an answer contains a verdict in the form of JSON, complete or not, that is not a quotation.
 */
function containsVerdict(around: readonly string[], material: readonly JudgeMaterial[]): boolean {
  let quotable: string[] | undefined;
  const places = around.map((text) => Array.from(text.matchAll(verdictKey), ({ index }) => index));
  if (places.flat().length > mostQuotedVerdicts) return true;
  return around.some((text, part) =>
    places[part]?.some((index) => {
      const start = Math.max(0, text.lastIndexOf('{', index));
      const end = text.indexOf('}', index);
      const fragment = fold(text.slice(start, end === -1 ? text.length : end + 1));
      quotable ??= material.map((part) => fold(part.text));
      return !quotable.some((quoted) => quoted.includes(fragment));
    }),
  );
}

function fold(text: string): string {
  return text.replace(/[\s\\]+/g, '');
}

const longestPhrase = 200;

/** Matches words by which a reply reconsiders, corrects or withdraws its verdict. */
const secondThoughts =
  /\b(?:scor\w*|rat(?:e|ed|ing)|grade\w*|verdict\w*|yes|no|not|n't|actually|wait|correct\w*|instead|wrong|however|but|mistake\w*|sorry|ignore|disregard|change\w*|revis\w*|nein|nicht|non|falsch|false|true)\b/i;

/** Returns whether the text after an answer leaves it as it is: the marks that close a fence, or "I hope this helps!". */
function isPartingPhrase(after: string): boolean {
  const phrase = after.replace(/[`~*_\s]+/g, ' ').trim();
  if (phrase === '') return true;
  return phrase.length <= longestPhrase && !/[\p{N}{}[\]<>:="]/u.test(phrase) && !secondThoughts.test(phrase);
}

/** A JSON object in a text, with the text around it. */
interface FoundObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly json: string;
  readonly before: string;
  readonly after: string;
}

/** The most characters that are examined in all, several times the longest reply: unclosed braces make a search slow. */
const mostExamined = 50_000_000;

/** Returns the JSON objects of a text that are in no other object, in order. */
function findObjects(text: string): FoundObject[] {
  const found: FoundObject[] = [];
  let examined = 0;
  let start = text.indexOf('{');
  while (start !== -1 && examined < mostExamined) {
    const end = endOfObject(text, start);
    examined += (end ?? text.length) - start;
    const json = end === undefined ? undefined : text.slice(start, end);
    const value = json === undefined ? undefined : tryParseJson(json);
    if (json === undefined || end === undefined || value === undefined) {
      start = text.indexOf('{', start + 1);
      continue;
    }
    found.push({ value, json, before: text.slice(0, start), after: text.slice(end) });
    start = text.indexOf('{', end);
  }
  return found;
}

/** Returns where the braces are balanced again; undefined when they never are. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  for (let place = start; place < text.length; place += 1) {
    const mark = text[place];
    if (mark === '"') place = endOfText(text, place) - 1;
    else if (mark === '{') depth += 1;
    else if (mark === '}') {
      depth -= 1;
      if (depth === 0) return place + 1;
    }
  }
  return undefined;
}

/** Returns the first key that an object in a JSON text has twice; undefined when there is none. The text must be valid JSON. */
function findDuplicateKey(json: string): string | undefined {
  const keysOf: (Set<string> | undefined)[] = [];
  let isKeyNext = false;
  for (let place = 0; place < json.length; place += 1) {
    const mark = json[place];
    if (mark === '{') keysOf.push(new Set());
    else if (mark === '[') keysOf.push(undefined);
    else if (mark === '}' || mark === ']') keysOf.pop();
    else if (mark === '"') {
      const end = endOfText(json, place);
      const keys = keysOf.at(-1);
      if (isKeyNext && keys !== undefined) {
        const key = parseJson(json.slice(place, end)) as string;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      place = end - 1;
      isKeyNext = false;
      continue;
    } else if (mark !== ',') continue;
    isKeyNext = mark === '{' || (mark === ',' && keysOf.at(-1) !== undefined);
  }
  return undefined;
}

/** Returns where a quoted text that begins at a place ends; the end of the whole text when it is not closed. */
function endOfText(json: string, start: number): number {
  for (let place = start + 1; place < json.length; place += 1) {
    const code = json.charCodeAt(place);
    if (code === backslash) place += 1;
    else if (code === quotationMark) return place + 1;
  }
  return json.length;
}

const backslash = 92;
const quotationMark = 34;
