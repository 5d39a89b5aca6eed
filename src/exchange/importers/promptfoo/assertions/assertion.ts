import type { Json } from '../../../../core/schema/json.ts';
import type { Expected } from '../../../../core/schema/expected.ts';
import { asNumber, asObject, asText, type Fields, textOf } from '../../values.ts';
import type { JsonObject } from '../../importer.ts';
import { render } from '../../render.ts';

/** An assertion whose value is filled in. */
export interface Assertion {
  /** The type without `not-`. */
  readonly type: string;
  readonly value: unknown;
  readonly threshold: number | undefined;
  /** True for the form with `not-`: the check will stand inside `not`. */
  readonly isNegated: boolean;
}

/** The part of a case that assertions may write into, besides its checks. */
export interface CaseParts {
  /** The tools that the providers describe; a text is the reason why they are not known. */
  readonly tools: readonly Json[] | string;
  /** Keeps what a check compares with, under a name or a number, and returns its path in the case. */
  refer(value: string | readonly Json[], name?: string): string;
  /** Sets an expectation of the case. Returns false when it has another one already. */
  expect(name: keyof Expected, value: Json): boolean;
}

/** The check that an assertion becomes; a text is the reason why it cannot become one. */
export type Translated = JsonObject | string;

/** A type of assertion, and what becomes of it. */
export interface AssertionType {
  /** The check that it becomes, in words for the documentation: the metric, or a dash. */
  readonly becomes: string;
  /** The difference of an equivalent, or the reason why there is none. */
  readonly note?: string;
  /** True for a check that asks a model: it is not made of answers that were judged before. */
  readonly asks?: 'judge' | 'embedder';
  /** True for a type whose `not-` form is the same check of an expectation that says the opposite. */
  readonly isOwnOpposite?: true;
  /** Returns the check; absent for a type without an equivalent. */
  readonly translate?: (assertion: Assertion, parts: CaseParts) => Translated;
}

/** A type that is dropped, with the reason. */
export function without(note: string): AssertionType {
  return { becomes: '–', note };
}

/** Returns the texts of a value that is a list, or a text that is split at commas; quotation marks keep a comma. */
export function textsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.map(textOf);
  const cells = textOf(value ?? '').matchAll(/\s*(?:"((?:[^"]|"")*)"\s*|([^,]+))(?:,|$)/g);
  return Array.from(cells, ([, quoted, plain]) =>
    quoted === undefined ? (plain ?? '').trim() : quoted.replaceAll('""', '"'),
  ).filter((text) => text !== '');
}

/** Escapes a text for a regular expression. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
}

/** Returns the type of an assertion without `not-`, and whether it has that. */
export function typeOf(assertion: Fields): { readonly type: string; readonly isNegated: boolean } {
  const written = asText(assertion.type) ?? (assertion.assert === undefined ? 'assertion' : 'assert-set');
  return written.startsWith('not-')
    ? { type: written.slice(4), isNegated: true }
    : { type: written, isNegated: false };
}

/**
 * Names assertions by their `metric`, in which variables are filled, else by their type. Several of one type without a metric
 * get numbers.
 */
export function nameAssertions(assertions: readonly Fields[], vars: Fields): string[] {
  const counts = new Map<string, number>();
  return assertions.map((assertion) => {
    const written = asText(assertion.metric);
    const metric = written === undefined ? undefined : (asText(render(written, vars)) ?? written);
    if (metric !== undefined && metric !== totalName) return metric;
    const type = asText(assertion.type) ?? (assertion.assert === undefined ? 'assertion' : 'assert-set');
    const count = (counts.get(type) ?? 0) + 1;
    counts.set(type, count);
    return count === 1 ? type : `${type} ${count}`;
  });
}

/** The name of the verdict on the whole answer. */
export const totalName = 'promptfoo';

/** Returns the weight of an assertion, where it is a number from 0. */
export function weightOf({ weight }: Fields): number | undefined {
  const number = asNumber(weight);
  return number !== undefined && number >= 0 && number !== 1 ? number : undefined;
}

/** Returns the bounds in a value `{min, max}`. */
export function boundsOf(value: unknown): { min?: number; max?: number } {
  const { min, max } = asObject(value) ?? {};
  const [least, most] = [asNumber(min), asNumber(max)];
  return { min: least, max: most };
}
