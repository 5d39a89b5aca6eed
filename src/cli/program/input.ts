import { Option } from 'commander';
import { gather } from './parse-option.ts';

/** The parts of an input, apart from the type of its value. */
interface InputParts {
  /** As help shows it: `<file>`, `[run]`, `<name...>`; empty for an option without a value. */
  readonly syntax: string;
  readonly meaning: string;
  readonly isArgument?: boolean;
  /** True for an option that turns something off: `--no-NAME`. */
  readonly isNegated?: boolean;
  /** The meaning of `--no-NAME` besides `--NAME`. */
  readonly negation?: string;
  readonly letter?: string;
  readonly parse?: (text: string, previous: never) => unknown;
  readonly choices?: readonly string[];
  readonly fallback?: unknown;
  readonly shownFallback?: string;
  readonly isRequired?: boolean;
  readonly isHidden?: boolean;
  readonly group?: string;
}

/** The type of a value once its choices are known. */
type Narrowed<Value, Choice> = Value extends readonly string[]
  ? Choice[]
  : Value extends string
    ? Choice
    : Value;

/**
 * An argument or an option of a command: how it is written, what it means, and what its text becomes. The flags, their help, the
 * completions of shells, the reference and the type of the command's input all come from it.
 */
export class Input<Value> {
  /** Exists as a type alone. */
  declare readonly value: Value;
  readonly parts: InputParts;

  constructor(parts: InputParts) {
    this.parts = parts;
  }

  /** Sets the value of an input that is not given, and the text that help shows for it. */
  default(fallback: NonNullable<Value>, shownFallback?: string): Input<NonNullable<Value>> {
    return new Input({ ...this.parts, fallback, shownFallback });
  }

  /** Limits the value to some texts, which help and completions list. */
  oneOf<const Choice extends string>(choices: readonly Choice[]): Input<Narrowed<Value, Choice>> {
    return new Input({ ...this.parts, choices });
  }

  /** Makes an option mandatory. */
  required(): Input<NonNullable<Value>> {
    return new Input({ ...this.parts, isRequired: true });
  }

  /** Adds `--no-NAME`, which makes the value false. */
  orNot(negation: string): Input<Value | false> {
    return new Input({ ...this.parts, negation });
  }

  /** Adds a flag of one letter. */
  short(letter: string): Input<Value> {
    return new Input({ ...this.parts, letter });
  }

  /** Leaves the option out of help. */
  hidden(): Input<Value> {
    return new Input({ ...this.parts, isHidden: true });
  }
}

/** The inputs of a command by name, arguments first. An option is written like its name: `maxCost` is `--max-cost`. */
export type Inputs = Readonly<Record<string, Input<unknown>>>;

type Values<Some extends Inputs> = { [Name in keyof Some]: Some[Name]['value'] };

/** The values that a command gets for its inputs. */
export type InputOf<Some extends Inputs> = {
  readonly [Name in keyof Some as undefined extends Values<Some>[Name] ? never : Name]: Values<Some>[Name];
} & {
  readonly [Name in keyof Some as undefined extends Values<Some>[Name] ? Name : never]?: Values<Some>[Name];
};

type TextsOf<Syntax> = Syntax extends `${string}...${'>' | ']'}` ? string[] : string;

/** Declares an argument: `<run>` is required, `[run]` is optional, `<run...>` are one or more. */
export function argument<const Syntax extends string>(
  syntax: Syntax,
  meaning: string,
): Input<
  Syntax extends `[${string}`
    ? TextsOf<Syntax> | (string[] extends TextsOf<Syntax> ? never : undefined)
    : TextsOf<Syntax>
> {
  return new Input({ syntax, meaning, isArgument: true });
}

/** Declares an option without a value. */
export function flag(meaning: string): Input<boolean | undefined> {
  return new Input({ syntax: '', meaning });
}

/** Declares an option that turns off what is on by default: the input `cache` is written `--no-cache`. */
export function switchOff(meaning: string): Input<boolean> {
  return new Input({ syntax: '', meaning, isNegated: true });
}

/** Declares two options that set something, whatever it is without them: `--NAME` and `--no-NAME`. */
export function toggle(meaning: string, negation: string): Input<boolean | undefined> {
  return new Input({ syntax: '', meaning, negation });
}

/** Declares an option with a text: `<file>`; `[run]`, which is true without one; or `<name...>`, one or more. */
export function text<const Syntax extends string>(
  syntax: Syntax,
  meaning: string,
): Input<TextsOf<Syntax> | (Syntax extends `[${string}` ? true : never) | undefined> {
  return new Input({ syntax, meaning });
}

/** Declares an option with a text that may be repeated. */
export function repeated(syntax: string, meaning: string): Input<string[] | undefined> {
  return new Input({ syntax, meaning, parse: gather });
}

/** Declares an option whose text is parsed, by a function of `parse-option.ts`. */
export function parsed<Value>(
  syntax: string,
  meaning: string,
  parse: (text: string, previous?: Value) => Value,
): Input<Value | undefined> {
  return new Input({ syntax, meaning, parse });
}

/** Shows options below a heading of their own in help. */
export function inGroup<Some extends Inputs>(group: string, inputs: Some): Some {
  const grouped = Object.entries(inputs).map(([name, { parts }]) => [name, new Input({ ...parts, group })]);
  return Object.fromEntries(grouped) as Some;
}

/** Makes the options of commander for an input: a new one each time, since commander keeps state in them. */
export function toOptions(name: string, { parts }: Input<unknown>): Option[] {
  const long = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const flags = [
    ...(parts.letter === undefined ? [] : [`-${parts.letter}`]),
    `--${parts.isNegated === true ? 'no-' : ''}${long}`,
  ].join(', ');
  const option = new Option(`${flags} ${parts.syntax}`.trim(), parts.meaning);
  if (parts.choices !== undefined) option.choices(parts.choices);
  if (parts.parse !== undefined)
    option.argParser(parts.parse as (text: string, previous: unknown) => unknown);
  if (parts.fallback !== undefined) option.default(parts.fallback, parts.shownFallback);
  option.makeOptionMandatory(parts.isRequired === true).hideHelp(parts.isHidden === true);
  const negated = parts.negation === undefined ? [] : [new Option(`--no-${long}`, parts.negation)];
  const all = [option, ...negated];
  if (parts.group !== undefined) for (const each of all) each.helpGroup(parts.group);
  return all;
}
