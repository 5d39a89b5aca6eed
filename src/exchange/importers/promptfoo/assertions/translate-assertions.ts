import { functionMark } from '../../content/content.ts';
import type { Json } from '../../../../core/schema/json.ts';
import type { JsonObject } from '../../importer.ts';
import type { Ledger } from '../../ledger.ts';
import { asNumber, asText, type Fields, objectsIn, textOf } from '../../values.ts';
import { unported } from '../../fact-label.ts';
import { renderDeep } from '../../render.ts';
import {
  type AssertionType,
  type CaseParts,
  nameAssertions,
  type Translated,
  typeOf,
  weightOf,
} from './assertion.ts';
import { assertionTypes } from './assertion-types.ts';
import { stepsOf } from './known-transform.ts';

/** Returns what is wrong with a check by a metric of ours, such as a pattern that is none; undefined when it can be made. */
export type FindFault = (check: JsonObject) => string | undefined;

/** The things that assertions are translated with. */
export interface AssertionContext {
  readonly vars: Fields;
  readonly place: string;
  readonly ledger: Ledger;
  readonly findFault: FindFault;
  /** True for answers that were judged before: checks that would ask a model again are dropped. */
  readonly isJudged: boolean;
  /** True when a check that is code gets a stub in the project, which is not measured until it is written. */
  readonly hasStubs?: boolean;
  /** Code that changes the answer before it is checked, in the order in which it is run. */
  readonly transforms?: readonly string[];
  /** Collects what checks ask: a judge, an embedding model. */
  readonly asked?: Set<string>;
  /** The tools that the providers describe; a text is the reason why they are not known. */
  readonly tools: readonly Json[] | string;
  /** Returns the content of a file that is named by a value; a text with the reason when it cannot be read. */
  readonly readFile?: (reference: string) => { readonly content: unknown } | string;
}

/** The parts of a case that its assertions become. */
export interface TranslatedAssertions {
  readonly expected: JsonObject;
  /** The values that checks compare with, by the last part of their path `metadata.references.NAME`. */
  readonly references: JsonObject;
}

/** Translates the assertions of a test to the checks of a case. Each is counted in the ledger. */
export function translateAssertions(
  assertions: readonly Fields[],
  threshold: unknown,
  context: AssertionContext,
): TranslatedAssertions {
  const parts = createParts(context.tools);
  const checks = translateAll(assertions, context, parts);
  const passMark = asNumber(threshold);
  const isPartial = passMark !== undefined && checks.length < assertions.length;
  if (isPartial) {
    context.ledger.approximate('threshold of a test', {
      became: 'pass mark',
      note: 'It applies to the mean of the checks that were taken over.',
      place: context.place,
    });
  } else if (passMark !== undefined) context.ledger.take('threshold of a test', 'pass mark');
  const hasMark = passMark !== undefined && passMark >= 0 && passMark <= 1 && checks.length > 0;
  return {
    expected: {
      ...parts.expected,
      ...(checks.length > 0 && { checks }),
      ...(hasMark && { passMark }),
    },
    references: parts.references,
  };
}

function createParts(
  tools: CaseParts['tools'],
): CaseParts & { readonly expected: JsonObject; readonly references: JsonObject } {
  const expected: JsonObject = {};
  const references: JsonObject = {};
  return {
    expected,
    references,
    tools,
    refer: (value, name = `text${Object.keys(references).length + 1}`) => {
      references[name] = typeof value === 'string' ? value : [...value];
      return `metadata.references.${name}`;
    },
    expect: (name, value) => {
      if (expected[name] !== undefined) return JSON.stringify(expected[name]) === JSON.stringify(value);
      expected[name] = value;
      return true;
    },
  };
}

function translateAll(
  assertions: readonly Fields[],
  context: AssertionContext,
  parts: CaseParts,
): JsonObject[] {
  const names = nameAssertions(assertions, context.vars);
  return assertions.flatMap((assertion, index) => {
    const name = names[index] ?? 'assertion';
    const check =
      assertion.assert === undefined
        ? translateOne(assertion, context, parts)
        : translateSet(assertion, context, parts);
    if (check === undefined) return [];
    const weight = weightOf(assertion);
    return [{ ...check, name, ...(weight !== undefined && { weight }) }];
  });
}

/** Translates a set of assertions to a group of checks. */
function translateSet(
  assertion: Fields,
  context: AssertionContext,
  parts: CaseParts,
): JsonObject | undefined {
  const inside = objectsIn(assertion.assert);
  const all = translateAll(inside, context, parts);
  const part = 'assertion assert-set';
  const { place } = context;
  if (all.length === 0) {
    context.ledger.leaveOut(part, { note: 'None of its assertions could be taken over.', place });
    return undefined;
  }
  if (all.length < inside.length) {
    context.ledger.approximate(part, {
      became: 'all',
      note: 'Some of its assertions were not taken over.',
      place,
    });
  } else context.ledger.take(part, 'all');
  const threshold = asNumber(assertion.threshold);
  return { all, threshold };
}

function translateOne(
  assertion: Fields,
  context: AssertionContext,
  parts: CaseParts,
): JsonObject | undefined {
  const { type, isNegated } = typeOf(assertion);
  const part = `assertion ${isNegated ? 'not-' : ''}${type}`;
  const { ledger, place } = context;
  const known = Object.hasOwn(assertionTypes, type) ? assertionTypes[type] : undefined;
  const check =
    known === undefined
      ? `promptfoo 0.123.1 has no such type`
      : attempt(assertion, known, { context, parts });
  if (typeof check === 'string') {
    const code = codeOf(assertion, type);
    const kept = code === undefined ? {} : { code, checks: { caseId: place } };
    ledger.leaveOut(part, { note: asSentence(check), place, ...kept });
    const isElsewhere = context.isJudged || (code !== undefined && context.hasStubs === true);
    return isElsewhere ? undefined : unported(part, asSentence(check));
  }
  const isOpposite = isOpposed(isNegated, known);
  const became = `${isOpposite ? 'not ' : ''}${nameOf(check)}`;
  const note = differenceOf(assertion, known);
  if (note === undefined) ledger.take(part, became);
  else ledger.approximate(part, { became, note, place });
  return isOpposite && check['use'] !== 'answer-part' ? { not: check } : check;
}

/** Returns the check that an assertion becomes, or the reason why it cannot become one. */
function attempt(
  assertion: Fields,
  known: AssertionType,
  { context, parts }: { readonly context: AssertionContext; readonly parts: CaseParts },
): Translated {
  if (known.translate === undefined) return known.note ?? 'It has no equivalent.';
  if (known.asks !== undefined && context.isJudged) {
    return 'It asks a model. The recorded verdict stays; import the configuration to have it made again.';
  }
  const steps = stepsBefore(assertion, context);
  if (steps === undefined) {
    return `It looks at a part of the answer that code computes (\`transform\`). ${notRun}`;
  }
  const value = fillIn(assertion.value, context);
  if ('fault' in value) return value.fault;
  const threshold = asNumber(assertion.threshold);
  const { type, isNegated } = typeOf(assertion);
  const whole = known.translate({ type, value: value.value, threshold, isNegated }, parts);
  if (typeof whole === 'string') return whole;
  const check =
    steps.length === 0 || isBesideAnswer.test(type)
      ? whole
      : applyToPart(whole, steps, isOpposed(isNegated, known));
  if (typeof check === 'string') return check;
  const fault = faultIn(check, context.findFault);
  if (fault === undefined && known.asks !== undefined) context.asked?.add(known.asks);
  return fault === undefined ? check : `Our metric cannot take it over: ${fault}.`;
}

/** Returns whether the check of an assertion has to fail for the assertion to pass. */
function isOpposed(isNegated: boolean, known: AssertionType | undefined): boolean {
  return isNegated && known?.isOwnOpposite !== true;
}

/** The types of assertions that do not look at the answer itself: transforms do not matter to them. */
const isBesideAnswer =
  /^(?:latency|cost|finish-reason|tool-call-f1|skill-used|is-valid-.*|trajectory:.*|trace-.*)$/;

/** Returns the steps to the part of the answer that an assertion looks at; undefined when code computes it. */
function stepsBefore(assertion: Fields, { transforms = [] }: AssertionContext): Json[] | undefined {
  if (assertion.contextTransform !== undefined) return undefined;
  const written = [
    ...transforms,
    ...(assertion.transform === undefined ? [] : [textOf(assertion.transform)]),
  ];
  const steps = written.map(stepsOf);
  return steps.includes(undefined) ? undefined : (steps as Json[][]).flat();
}

/** Returns a check of a part of the answer. Its opposite is inside, so that an answer without the part passes neither. */
function applyToPart(check: JsonObject, steps: Json[], isNegated: boolean): Translated {
  if (check['use'] !== undefined)
    return { use: 'answer-part', steps, metric: isNegated ? { use: 'not', metric: check } : check };
  if (isNegated) return 'it is the opposite of several checks of a part of the answer';
  return { ...check, all: insideOf(check).map((each) => applyToPart(each, steps, false) as JsonObject) };
}

/** Returns the checks inside a group; none for a metric. */
function insideOf(check: JsonObject): readonly JsonObject[] {
  const inside = check['use'] === undefined ? (check['all'] ?? check['any']) : undefined;
  return Array.isArray(inside) ? (inside as JsonObject[]) : [];
}

const notRun = 'Code of an imported file is never run.';

type FilledIn = { readonly value: unknown } | { readonly fault: string };

function fillIn(value: unknown, { vars, readFile }: AssertionContext): FilledIn {
  if (typeof value === 'string' && value.startsWith('package:'))
    return { fault: `Its value is a package. ${notRun}` };
  if (typeof value === 'string' && value.startsWith('file://')) {
    const read = readFile?.(value) ?? 'Its value is a file, which results do not contain.';
    return typeof read === 'string' ? { fault: read } : fillIn(read.content, { vars } as AssertionContext);
  }
  if (value === undefined || value === null) return { value };
  const filled = renderDeep(value, vars);
  return filled === undefined
    ? { fault: 'Its value is a template with more than plain variables of the test.' }
    : { value: filled };
}

function faultIn(check: JsonObject, findFault: FindFault): string | undefined {
  if (check['use'] !== undefined) return findFault(check);
  return insideOf(check)
    .map((each) => faultIn(each, findFault))
    .find((fault) => fault !== undefined);
}

function nameOf(check: JsonObject): string {
  const { use, metric } = insideOf(check)[0] ?? check;
  if (use === 'not') return nameOf(metric as JsonObject);
  return use === 'answer-part' ? `${nameOf(metric as JsonObject)} of a part` : String(use ?? 'all');
}

function differenceOf(assertion: Fields, known: AssertionType | undefined): string | undefined {
  const own = ['provider', 'rubricPrompt'].filter((key) => assertion[key] !== undefined);
  const asked =
    own.length === 0
      ? ''
      : `Its own ${own.join(' and ')} ${own.length === 1 ? 'is' : 'are'} not used: all checks ask the judge of the project.`;
  const note = [known?.note, asked].filter((text) => text !== undefined && text !== '').join(' ');
  return note === '' ? undefined : note;
}

/** Returns the code of an assertion, so that it can be ported by hand. */
function codeOf(assertion: Fields, type: string): string | undefined {
  const isCode = ['javascript', 'python', 'ruby'].includes(type) || assertion.transform !== undefined;
  if (!isCode) return undefined;
  const text = [textOf(assertion.value ?? ''), asText(assertion.transform)].filter(
    (each) => each !== undefined && each !== '',
  );
  return text.length === 0 ? undefined : text.join('\n').replaceAll(functionMark, '');
}

function asSentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
