import type { JudgeMaterial } from '../judge.ts';
import { findDuplicateKey } from './find-duplicate-key.ts';
import { findObjects, type FoundObject } from './find-object.ts';

/** What a reply is held against. */
export interface ReplyContext {
  /** The id of the request. */
  readonly id: string;
  /** What the judge was given to read, and may have quoted from. */
  readonly material: readonly JudgeMaterial[];
}

/** The object of a reply that is its answer, or what is wrong with the reply. */
export type FoundAnswer =
  | { readonly value: Readonly<Record<string, unknown>>; readonly fault?: undefined }
  | { readonly fault: string };

/**
 * Finds the one object of a reply that carries the id of its request: alone, in a code fence, after some words, with a
 * parting phrase behind it. Where the reply says a verdict anywhere else, other than in a quotation of the material, it
 * cannot be known which one is meant.
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
  if (saysVerdict([found.before, betweenOf(found, last), last.after], material))
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

/** What stands between the first object and its repetition. */
function betweenOf(first: FoundObject, last: FoundObject): string {
  return first === last
    ? ''
    : first.after.slice(0, last.before.length - first.before.length - first.json.length);
}

const verdictKey = /["'“”](?:score|verdict|better|checks|claims|supported)["'“”]\s*:/gi;

/** Verdicts that are looked up in the material at most: nobody quotes more. */
const mostQuotedVerdicts = 100;

/** Whether a verdict in the form of JSON, whole or not, stands in the words around an answer and is no quotation. */
function saysVerdict(around: readonly string[], material: readonly JudgeMaterial[]): boolean {
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

/** Words by which a reply counts again, corrects or takes back what it has said. */
const secondThoughts =
  /\b(?:scor\w*|rat(?:e|ed|ing)|grade\w*|verdict\w*|yes|no|not|n't|actually|wait|correct\w*|instead|wrong|however|but|mistake\w*|sorry|ignore|disregard|change\w*|revis\w*|nein|nicht|non|falsch|false|true)\b/i;

/** Whether what stands after an answer leaves it as it is: marks that close a fence, or "I hope this helps!". */
function isPartingPhrase(after: string): boolean {
  const phrase = after.replace(/[`~*_\s]+/g, ' ').trim();
  if (phrase === '') return true;
  return phrase.length <= longestPhrase && !/[\p{N}{}[\]<>:="]/u.test(phrase) && !secondThoughts.test(phrase);
}
