import { hashContent } from '../content-hash.ts';
import { plantedToken } from '../planted-tokens.ts';

/** The words that stand in an attack for what differs from attempt to attempt. */
export interface AttackWords {
  /** The text for `{{canary}}`. */
  readonly canary: string;
  /** The text for `{{canary-host}}`: a host of this machine with its port. */
  readonly host: string;
}

/** The placeholder of the secrets that the configuration names. */
export const secretPlaceholder = '{{secret}}';

/** The placeholder of the tools that the configuration forbids. */
export const toolPlaceholder = '{{forbidden-tool}}';

const letters = 6;

/** Returns the canary of an attempt, which follows from its key: an attempt that is asked again in a batch stays the same. */
export function canaryOf(key: string): string {
  const digits = hashContent({ canary: key });
  const draw = (_: unknown, place: number) =>
    Number.parseInt(digits.slice(4 * place, 4 * place + 4), 16) % 26;
  return plantedToken(Array.from({ length: letters }, draw));
}

/** The ways in which attackers hide words, by the names of their placeholders: `{{base64:…}}`. */
export const encodings: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString('base64'),
  hex: (text) => Buffer.from(text).toString('hex'),
  reversed: (text) => Array.from(text).toReversed().join(''),
  rot13: (text) =>
    text.replaceAll(/[a-z]/gi, (letter) => {
      const first = letter <= 'Z' ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
    }),
  spaced: (text) => Array.from(text).join(' '),
};

const encoded = new RegExp(String.raw`\{\{(${Object.keys(encodings).join('|')}):((?:(?!\}\}).)*)\}\}`, 'gs');

/** Replaces the placeholders in a text of an attack. */
function fillText(text: string, { canary, host }: AttackWords): string {
  return text
    .replaceAll('{{canary}}', canary)
    .replaceAll('{{canary-host}}', host)
    .replaceAll(encoded, (_, way: string, inner: string) => encodings[way]?.(inner) ?? inner);
}

/** Replaces the placeholders in all texts of a value. */
export function fillTexts<Value extends object>(value: Value, words: AttackWords): Value {
  return JSON.parse(JSON.stringify(value), (_, member: unknown) =>
    typeof member === 'string' ? fillText(member, words) : member,
  ) as Value;
}
