import { ExactNumber } from '../../core/lib/json/exact-number.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { UsedTool } from './trace-facts.ts';

/** A name or number that a tool gave and the answer states. */
export interface FoundEntity {
  readonly entity: string;
  readonly tool: UsedTool;
}

/** The longest entity, in UTF-16 code units; longer values are sentences. */
const longest = 60;

/** The most entities of one case, and the most values of the results that are looked at. */
const mostEntities = 10;
const mostValues = 2000;

/**
 * Finds the names and numbers that an answer is about: values in the results of tools that the answer states as whole words and
 * that the question does not contain. Each is found once, in the order of the tools.
 */
export function findEntities({
  question,
  tools,
  answer,
}: {
  readonly question: string;
  readonly tools: readonly UsedTool[];
  readonly answer: string;
}): FoundEntity[] {
  const found = new Map<string, FoundEntity>();
  for (const tool of tools) {
    for (const value of valuesIn(tool.result)) {
      if (found.size === mostEntities) return [...found.values()];
      const entity = String(value).trim();
      const key = entity.toLowerCase();
      if (found.has(key) || !isTelling(entity)) continue;
      if (contains(answer, entity) && !contains(question, entity)) found.set(key, { entity, tool });
    }
  }
  return [...found.values()];
}

/** Returns the texts and numbers inside a value, and inside texts of JSON, as far as the limits allow. */
function valuesIn(value: unknown): (string | number)[] {
  const values: (string | number)[] = [];
  const open: unknown[] = [value];
  for (let looked = 0; open.length > 0 && looked < mostValues; looked += 1) {
    const next = open.pop();
    const inner = typeof next === 'string' ? parse(next) : next;
    if (typeof inner === 'string' || typeof inner === 'number') values.push(inner);
    else if (inner instanceof ExactNumber) values.push(String(inner));
    else if (isContainer(inner)) open.push(...Object.values(inner).reverse());
  }
  return values;
}

function parse(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** A single digit or letter, and tokens in place of personal data, tell nothing. */
function isTelling(entity: string): boolean {
  return (
    entity.length >= 2 && entity.length <= longest && /[\p{L}\p{N}]/u.test(entity) && !/[‹›\n]/.test(entity)
  );
}

/** Returns whether a text contains another one as whole words; letter case is ignored. */
function contains(text: string, wanted: string): boolean {
  const [all, part] = [text.toLowerCase(), wanted.toLowerCase()];
  const isWordAt = (at: number) => /[\p{L}\p{N}]/u.test(all[at] ?? ' ');
  for (let at = all.indexOf(part); at >= 0; at = all.indexOf(part, at + 1)) {
    if (!isWordAt(at - 1) && !isWordAt(at + part.length)) return true;
  }
  return false;
}
