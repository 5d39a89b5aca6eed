import { endOfText } from './find-duplicate-key.ts';

/** A JSON object in a text, and what stands around it. */
export interface FoundObject {
  readonly value: Readonly<Record<string, unknown>>;
  readonly json: string;
  readonly before: string;
  readonly after: string;
}

/** How many characters are looked through in all, several times the longest reply: unclosed braces make a search slow. */
const mostLookedThrough = 50_000_000;

/** The JSON objects of a text that stand in no other object, in order. */
export function findObjects(text: string): FoundObject[] {
  const found: FoundObject[] = [];
  let lookedThrough = 0;
  let start = text.indexOf('{');
  while (start !== -1 && lookedThrough < mostLookedThrough) {
    const end = endOfObject(text, start);
    lookedThrough += (end ?? text.length) - start;
    const json = end === undefined ? undefined : text.slice(start, end);
    const value = json === undefined ? undefined : parseObject(json);
    if (json === undefined || end === undefined || value === undefined) {
      start = text.indexOf('{', start + 1);
      continue;
    }
    found.push({ value, json, before: text.slice(0, start), after: text.slice(end) });
    start = text.indexOf('{', end);
  }
  return found;
}

/** Where the braces are even again; undefined where they never are. */
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

function parseObject(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(json) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
