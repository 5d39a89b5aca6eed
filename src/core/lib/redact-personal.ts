import { containsKnownKey } from './literal-secrets.ts';

/** A kind of personal data, with the texts that look like it and the check that they are. */
interface Detector {
  readonly name: string;
  readonly pattern: RegExp;
  readonly isReal?: (found: string) => boolean;
}

/** In this order: an account number contains what looks like a telephone number. */
const detectors: readonly Detector[] = [
  { name: 'key', pattern: /(?<![\w-])[\w-]{20,}(?:\.[\w-]{10,}){0,2}/g, isReal: containsKnownKey },
  {
    name: 'email',
    pattern: /[\p{L}\p{N}][\p{L}\p{N}._%+-]{0,63}@(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}{2,24}/gu,
  },
  { name: 'iban', pattern: /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z\d]){11,30}(?!\w)/g, isReal: isIban },
  { name: 'card', pattern: /(?<![\d.,-])\d(?:[ -]?\d){12,18}(?![\d])/g, isReal: isCard },
  {
    name: 'phone',
    pattern: /(?<![\w.,/-])(?:\+|00|\(?0)\d?(?:[ ()./-]{0,2}\d){7,14}(?!\w)/g,
    isReal: isPhone,
  },
];

/**
 * Replaces e-mail addresses, telephone numbers, card numbers, IBANs and keys of well-known providers in a text by stable
 * tokens such as `‹email-1›`: the same value has the same token, so that the text remains readable. It finds what can be known by
 * its form; names and addresses of people stay.
 * @param markOf - Returns a mark that distinguishes the values of a kind, for tokens that are the same in several texts; by default they
 *   are numbered.
 */
export function redactPersonal(text: string, markOf?: (value: string) => string): string {
  return detectors.reduce((redacted, detector) => redact(redacted, detector, markOf), text);
}

function redact(
  text: string,
  { name, pattern, isReal }: Detector,
  markOf: ((value: string) => string) | undefined,
): string {
  const known = new Map<string, string>();
  return text.replaceAll(pattern, (found) => {
    if (isReal?.(found) === false) return found;
    const value = name === 'email' ? found.toLowerCase() : found.replaceAll(/[^\w+]/g, '');
    const token = known.get(value) ?? `‹${name}-${markOf?.(value) ?? known.size + 1}›`;
    known.set(value, token);
    return token;
  });
}

/** Checks the last digit by the rule of Luhn (ISO/IEC 7812-1). */
function isCard(found: string): boolean {
  const digits = Array.from(found.replaceAll(/\D/g, ''), Number).toReversed();
  const sum = digits.reduce((total, digit, index) => {
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return sum % 10 === 0 && new Set(digits).size > 1;
}

/** Checks the two check digits: the rearranged number leaves 1 when divided by 97 (ISO 13616, ISO 7064). */
function isIban(found: string): boolean {
  const compact = found.replaceAll(' ', '');
  if (compact.length < 15 || compact.length > 34) return false;
  const moved = compact.slice(4) + compact.slice(0, 4);
  let rest = 0;
  for (const character of moved) rest = Number(`${rest}${Number.parseInt(character, 36)}`) % 97;
  return rest === 1;
}

/** A telephone number has at least eight digits, and is not a date. */
function isPhone(found: string): boolean {
  const digits = found.replaceAll(/\D/g, '');
  return digits.length >= 8 && digits.length <= 15 && !/^0?\d[./-]\d{1,2}[./-]\d{4}$/.test(found);
}
