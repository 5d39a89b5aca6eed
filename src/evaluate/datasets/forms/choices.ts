import { isNumber } from '../../../core/lib/json/exact-number.ts';
import type { Choice } from '../../../core/schema/expected.ts';
import { type Fields, isFields } from '../fields.ts';
import { textOf } from './read-answers.ts';

/** The most choices of a question: one for each letter. */
const mostChoices = 26;

/** The columns of single choices, each a form of `a`, `b`, `c` …: `A`, `option_a`, `choice1`, `opa`. */
const columnForms: readonly RegExp[] = [
  /^(?<label>[A-Z])$/,
  /^(?<label>[a-z])$/,
  /^(?:option|choice|answer)[\s_-]?(?<label>[a-z])$/i,
  /^(?:option|choice)[\s_-]?(?<label>\d{1,2})$/i,
  /^op(?<label>[a-h])$/,
];

/** The choices of a row, and the columns that they were read from. */
export interface FoundChoices {
  readonly choices: readonly Choice[];
  readonly columns: readonly string[];
  /** True when the file gives the choices no letter or number of their own: they are offered as A, B, C, …. */
  readonly isLabelled: boolean;
}

/**
 * Reads the choices of a question as files have them: a list of texts, with or without `A)` before each; an object from
 * letter to text; a list of objects with a letter and a text; the lists `text` and `label` side by side. Undefined for
 * anything else, such as a setting that happens to be called `options`.
 */
export function readChoices(value: unknown): Pick<FoundChoices, 'choices' | 'isLabelled'> | undefined {
  if (Array.isArray(value)) return readList(value);
  if (typeof value === 'string') return readLines(value);
  if (!isFields(value)) return undefined;
  const { text, texts = text, label, labels = label } = value;
  if (Array.isArray(texts) && Array.isArray(labels) && texts.length === labels.length) {
    return labelled(texts.map((each, index) => [textOf(labels[index]), each]));
  }
  return labelled(Object.entries(value));
}

/** Reads a list of texts, or of objects with a letter and a text. */
function readList(list: readonly unknown[]): ReturnType<typeof readChoices> {
  if (list.length < 2 || list.length > mostChoices) return undefined;
  if (list.every(isFields)) return labelled(list.map(pairOf));
  if (!list.every(isScalar)) return undefined;
  const texts = list.map(textOf);
  const own = texts.map((text) => /^\s*\(?([A-Za-z]|\d{1,2})[).:]\s+(\S[\s\S]*)$/.exec(text));
  const isNumbered = own.every((match, index) => match !== null && isInOrder(match[1] ?? '', index));
  if (isNumbered) return labelled(own.map((match) => [match?.[1] ?? '', match?.[2]?.trim() ?? '']));
  return {
    choices: texts.map((text, index) => ({ label: String.fromCodePoint(65 + index), text })),
    isLabelled: false,
  };
}

/** Reads a cell with one choice a line, or with `|` or `;` between them. */
function readLines(cell: string): ReturnType<typeof readChoices> {
  const separator = [/\r?\n/, /\|/, /;/].find((each) => each.test(cell));
  if (separator === undefined) return undefined;
  return readList(
    cell
      .split(separator)
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  );
}

function isInOrder(label: string, index: number): boolean {
  return label.toUpperCase() === String.fromCodePoint(65 + index) || Number(label) === index + 1;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || isNumber(value) || typeof value === 'boolean';
}

const labelNames = ['label', 'key', 'letter', 'id', 'option', 'name'];
const textNames = ['text', 'value', 'content', 'answer', 'choice', 'description'];

function pairOf(choice: Fields): readonly [string, unknown] {
  const label = labelNames.find((name) => choice[name] !== undefined);
  const text = textNames.find((name) => choice[name] !== undefined);
  return [label === undefined ? '' : textOf(choice[label]), text === undefined ? undefined : choice[text]];
}

/** Returns choices with labels of the file, which are letters or numbers; undefined where one of them is none. */
function labelled(pairs: readonly (readonly [string, unknown])[]): ReturnType<typeof readChoices> {
  const choices = pairs.flatMap(([label, text]) =>
    /^(?:[A-Za-z]|\d{1,2})$/.test(label.trim()) && isScalar(text)
      ? [{ label: label.trim(), text: textOf(text) }]
      : [],
  );
  const isWhole = choices.length === pairs.length && choices.length > 1 && choices.length <= mostChoices;
  return isWhole ? { choices, isLabelled: true } : undefined;
}

/** The most names that are remembered; a file that uses data as names must not fill the memory. */
const mostRemembered = 1000;
const remembered = new Map<string, boolean>();

/** Returns whether a column may be one of the choices. Names repeat from row to row, so the answer is remembered. */
function isChoiceColumn(name: string): boolean {
  const known = remembered.get(name);
  if (known !== undefined) return known;
  const is = columnForms.some((form) => form.test(name));
  if (remembered.size < mostRemembered) remembered.set(name, is);
  return is;
}

/** Finds the choices in columns of their own, such as `A`, `B`, `C`, `D`: at least two, without a gap. */
export function findChoiceColumns(row: Fields): FoundChoices | undefined {
  const names = Object.keys(row).filter(isChoiceColumn);
  if (names.length < 2) return undefined;
  for (const form of columnForms) {
    const found = names.flatMap((name) => {
      const label = form.exec(name)?.groups?.['label'];
      const text = row[name];
      return label === undefined || !isScalar(text) || text === ''
        ? []
        : [{ name, label, text: textOf(text) }];
    });
    const isComplete = found.length > 1 && found.every(({ label }, index) => isInOrder(label, index));
    if (isComplete) {
      return {
        choices: found.map(({ label, text }) => ({ label: label.toUpperCase(), text })),
        columns: found.map(({ name }) => name),
        isLabelled: true,
      };
    }
  }
  return undefined;
}

/** Returns a question with its choices below it, unless it lists them itself. */
export function askWithChoices(question: string, choices: readonly Choice[]): string {
  const listed = choices.map(({ label, text }) => `${label}) ${text}`);
  const isListed = choices.every(({ label, text }) =>
    [')', '.', ':'].some((mark) => question.includes(`${label}${mark} ${text}`)),
  );
  return isListed ? question : `${question}\n\n${listed.join('\n')}`;
}

/** The columns that count choices from 0, as data sets for training do. */
const indexNames =
  /^(?:(?:correct|gold|answer)[\s_-]?(?:answer|choice|option)?[\s_-]?(?:index|idx)|label|cop)$/i;
/** Our own names of the expected answer, which count from 1 where nothing in the file says otherwise. */
const ownNames = /^(?:expected[\s_.-]?answer|expected)$/i;

/** Returns whether a column states the right choice by its index, counted from 0. */
export function isIndexName(name: string): boolean {
  return indexNames.test(name);
}

/** A right choice that is stated by its place among the choices. */
export interface PlacedChoice {
  readonly column: string;
  readonly place: number;
  readonly choices: readonly Choice[];
}

/**
 * Returns the place by which a column states the right choice: a whole number that is no letter, number or text of a choice.
 * Undefined for any other value.
 */
export function placeOfChoice(
  column: string,
  raw: unknown,
  { choices, isLabelled }: FoundChoices,
): PlacedChoice | undefined {
  const place = typeof raw === 'string' && /^\s*\d{1,2}\s*$/.test(raw) ? Number(raw) : raw;
  if (typeof place !== 'number' || !Number.isInteger(place)) return undefined;
  const isNamed = choices.some(
    ({ label, text }) => (isLabelled && label === String(place)) || text.trim() === String(place),
  );
  return isNamed ? undefined : { column, place, choices };
}

/** The number from which a file counts choices; undefined while nothing in it shows that. */
export type ChoiceBase = 0 | 1 | undefined;

/** Returns what a right choice shows of the number from which its file counts. */
export function baseShownBy({ column, place, choices }: PlacedChoice): ChoiceBase {
  // Such a column says by its name from where it counts, and nothing about others.
  if (isIndexName(column)) return undefined;
  if (place === 0) return 0;
  return place === choices.length ? 1 : undefined;
}

/** The letter of the right choice, or the reason why it cannot be known which of them is meant. */
export type ChosenLetter =
  | { readonly label: string }
  | { readonly problem: { readonly message: string; readonly remedy: string } };

const remedy =
  'Write the letter or the text of the choice, or name the column `answer_index`, which counts from 0, or `expected_answer`, which counts from 1.';

/** Returns the letter of a choice that a column states by its place, in a file that counts from a base. */
export function letterOfChoice(placed: PlacedChoice, base: ChoiceBase): ChosenLetter {
  const { column, place, choices } = placed;
  const from = isIndexName(column) ? 0 : (base ?? (ownNames.test(column) ? 1 : baseShownBy(placed)));
  const chosen = from === undefined ? undefined : choices[place - from];
  if (chosen !== undefined) return { label: chosen.label };
  const [first, second] = [choices[place], choices[place - 1]];
  const message =
    from === undefined && first !== undefined && second !== undefined
      ? `${column}: ${place} may be the choice "${first.text}", counted from 0, or "${second.text}", counted from 1`
      : `${column}: ${place} is none of the ${choices.length} choices`;
  return { problem: { message, remedy } };
}
