import { didYouMean } from '../text/nearest-name.ts';
import {
  type FilterField,
  fieldNames,
  findField,
  isResultField,
  type NamedField,
  type Vocabulary,
} from './fields.ts';
import type { Filter, FilterOperator, FilterTerm } from './filter.ts';
import { compileTextPattern } from './match-filter.ts';

/** The reason why a text is no filter. */
export interface FilterProblem {
  /** A sentence that quotes the term at fault. */
  readonly message: string;
  /** The place of the term in the text, from 0. */
  readonly at: number;
}

/** A parsed filter, or the reason why there is none. */
export type ParsedFilter =
  | { readonly filter: Filter; readonly problem?: never }
  | { readonly filter?: never; readonly problem: FilterProblem };

/**
 * Parses terms such as `category=hybrid`, `id=tax-*|lease-*`, `tag!=slow`, `total<0.7`, `answer~refund` into a filter. `*`
 * matches any text, `|` separates alternatives, upper and lower case are the same. A value may contain spaces: a new term
 * begins only before the name of a field and an operator. A value in double quotes may contain anything.
 */
export function parseFilter(text: string, vocabulary: Vocabulary): ParsedFilter {
  const terms: FilterTerm[] = [];
  let at = text.length - text.trimStart().length;
  const end = text.trimEnd().length;
  try {
    do {
      const { term, next } = readTerm({ text: text.slice(0, end), at, vocabulary });
      terms.push(term);
      at = next;
    } while (at < end);
    return { filter: terms };
  } catch (error) {
    if (error instanceof WrongTerm) return { problem: { message: error.message, at: Math.min(at, end) } };
    throw error;
  }
}

/** The reason why a term cannot be parsed. */
class WrongTerm extends Error {}

/** A place in the text of a filter. */
interface Place {
  readonly text: string;
  readonly at: number;
  readonly vocabulary: Vocabulary;
}

/** The name of a field and an operator. The name of a metric may be in quotes. */
const head = /((?:[a-h]\.)?(?:[\w.-]+|"(?:[^"\\]|\\.)*"))(<=|>=|!=|=|<|>|~)/isy;

function readTerm(place: Place): { readonly term: FilterTerm; readonly next: number } {
  const { text, at, vocabulary } = place;
  const found = readHead(text, at);
  const rest = text.slice(at);
  if (found === undefined) throw new WrongTerm(`The filter "${rest}" does not have the form field=value.`);
  const { name, operator, next: from } = found;
  const { values, next } = readValues({ ...place, at: from });
  const term = text.slice(at, next).trimEnd();
  const named = findField(name, vocabulary) ?? refuseField(name, { term, vocabulary });
  return { term: toTerm(named, operator, { term, values }), next };
}

function readHead(text: string, at: number) {
  head.lastIndex = at;
  const [all, name, operator] = head.exec(text) ?? [];
  if (all === undefined || name === undefined) return undefined;
  const plain = name.replace(/"(.*)"$/s, (_, quoted: string) => unescaped(quoted));
  return { name: plain, operator: operator as FilterOperator, next: at + all.length };
}

function unescaped(quoted: string): string {
  return quoted.replace(/\\(.)/gs, '$1');
}

/** Reads the alternatives of a term, and the white space up to the next term. */
function readValues({ text, at, vocabulary }: Place): { values: string[]; next: number } {
  const values: string[] = [];
  for (let from = at; ; from += 1) {
    const quoted = readQuoted(text, from);
    const end = quoted?.next ?? endOfPlain({ text, at: from, vocabulary });
    values.push(quoted?.value ?? text.slice(from, end));
    if (text[end] !== '|') return { values, next: end + spaceAt(text, end) };
    from = end;
  }
}

/** Reads a value in quotes; returns undefined when there is none. */
function readQuoted(text: string, at: number): { readonly value: string; readonly next: number } | undefined {
  if (text[at] !== '"') return undefined;
  const quoted = /"((?:[^"\\]|\\.)*)"(?=\s|\||$)/sy;
  quoted.lastIndex = at;
  const [all, value] = quoted.exec(text) ?? [];
  if (all === undefined || value === undefined) {
    throw new WrongTerm(
      `The filter has a quotation mark without its end: ${text.slice(at)}. Write \\" for one inside a value.`,
    );
  }
  return { value: unescaped(value), next: at + all.length };
}

/** Returns the end of a value without quotes: at `|`, or before white space and the next term. */
function endOfPlain({ text, at, vocabulary }: Place): number {
  for (let end = at; end < text.length; end += 1) {
    if (text[end] === '|') return end;
    const space = spaceAt(text, end);
    if (space === 0) continue;
    const next = readHead(text, end + space);
    if (next === undefined) continue;
    if (findField(next.name, vocabulary) !== undefined) return end;
    // A misspelt field must not become a part of the value in silence.
    const hint = didYouMean(next.name, fieldNames(vocabulary));
    if (hint !== '') {
      throw new WrongTerm(
        `The filter "${text.slice(end + space)}" names an unknown field.${hint} If it belongs to the value before it, put that in quotation marks.`,
      );
    }
  }
  return text.length;
}

/** Returns the number of white space characters at a place. */
function spaceAt(text: string, at: number): number {
  const space = /\s*/y;
  space.lastIndex = at;
  return space.exec(text)?.[0].length ?? 0;
}

function refuseField(name: string, { term, vocabulary }: { term: string; vocabulary: Vocabulary }): never {
  if (vocabulary.subject === 'case' && isResultField(name)) {
    throw new WrongTerm(
      `The filter "${term}" is about results, but here questions are chosen before there are any results.`,
    );
  }
  if (findField(`a.${name}`, vocabulary) !== undefined) {
    throw new WrongTerm(`The filter "${term}" does not say which run it is about: a.${name} or b.${name}.`);
  }
  const hint = didYouMean(name, fieldNames(vocabulary));
  throw new WrongTerm(`The filter "${term}" names an unknown field.${hint}`);
}

interface WrittenTerm {
  readonly term: string;
  readonly values: readonly string[];
}

/** Checks the operator and the values of a term by the type of its field. */
function toTerm({ side, field }: NamedField, operator: FilterOperator, written: WrittenTerm): FilterTerm {
  const isOrder = operator.startsWith('<') || operator.startsWith('>');
  if (isOrder && field.type === 'text') {
    throw new WrongTerm(
      `The filter "${written.term}" compares texts by size. ${operator} is for numbers, such as total${operator}0.7.`,
    );
  }
  if (operator === '~' && field.type === 'number') {
    throw new WrongTerm(
      `The filter "${written.term}" searches a number for text. ~ is for texts, such as answer~refund.`,
    );
  }
  if (isOrder && written.values.length > 1) {
    throw new WrongTerm(`The filter "${written.term}" has several values, but ${operator} takes one.`);
  }
  const isNumber = isOrder || field.type === 'number';
  const values = written.values.map((value) =>
    isNumber
      ? toNumber(value, { ...written, isOrder, field })
      : toPattern(value, { ...written, field, operator }),
  );
  return { ...(side && { side }), field: field.name, operator, values };
}

function toNumber(
  value: string,
  { term, isOrder, field }: { term: string; isOrder: boolean; field: FilterField },
): number | '*' {
  const plain = value.trim();
  if (plain === '*' && !isOrder) return '*';
  const number = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(plain) ? Number(plain) : Number.NaN;
  if (Number.isFinite(number)) return number === 0 ? 0 : number;
  throw new WrongTerm(`The filter "${term}" compares ${field.name} with "${value}", which is not a number.`);
}

/** Returns the pattern of a text. A pattern that none of the few values of a field matches is a mistake. */
function toPattern(
  value: string,
  { term, field, operator }: { term: string; field: FilterField; operator: FilterOperator },
): string {
  if (field.values === undefined) return value;
  const matches = compileTextPattern(value, operator);
  if (field.values.some(matches)) return value;
  throw new WrongTerm(
    `The filter "${term}" names a value that ${field.name} never has.${didYouMean(value, field.values)} It is ${field.values.join(', ')}.`,
  );
}
