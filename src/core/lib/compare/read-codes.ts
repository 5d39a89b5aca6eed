import { isAscii } from '../text/words.ts';
import { hide, type Term } from './term.ts';

/** The signs of which every piece that is a code has one, in any text, and in one of ASCII. */
const mayBeCode = /[@_\\/:#~$%+]|\.\w|-\w|[0-9]\p{L}|\p{L}[0-9]|(?<!\S)-|\p{Lu}-(?!\S)/gu;
const mayBeAsciiCode = /[@_\\/:#~$%+]|\.\w|-\w|\d[A-Za-z]|[A-Za-z]\d|(?<!\S)-|[A-Z]-(?!\S)/g;
const longest = 2000;

const address = /^[a-z][a-z0-9+.-]{1,10}:\/\/\S+$/i;
const mail = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;
const host = /^(?:[\w-]+\.)+[a-z][a-z0-9]{1,9}(?::\d{1,5})?(?:[/?#]\S*)?$/;
const rootPath = /^(?:~|\.{1,2})?\/\S*[\p{L}\p{N}_]\S*$/u;
const drivePath = /^[A-Za-z]:[\\/]\S*$/;
const longPath = /^[\w.@-]+(?:\/[\w.@-]+){2,}\/?$/;
const version = /^v?\d+(?:\.\d+){2,}(?:[-+.]?[a-z][\w.-]*)?(?:[:/]\d+)?$/i;
const shortVersion = /^v\d+(?:\.\d+)*$/i;
const thousands = /^\d{1,3}(?:\.\d{3})+$/;
const date = /^\d{1,2}\.\d{1,2}\.\d{4}$/;
const option = /^(?:--[a-z][\w-]*(?:=\S*)?|-[A-Za-z])$/i;
const handle = /^(?:[#@]\p{L}[\w-]*|#(?!\d+$)[0-9a-f]{3,8}|\$[a-z_]\w*|\.\p{L}\w*)$/iu;
const graded = /^(?:\p{L}{1,2}\d?(?:\+{1,2}|#)|\p{Lu}\p{L}?\d?-|\p{L}+\+\+)$/u;
const uniqueId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const ratio = /^\d{1,4}:\d{1,4}$/;
const clock = /^\d{1,2}:\d{2}$/;
const joined = /^[\p{L}\p{N}]+(?:[-/.:][\p{L}\p{N}]+)+$/u;
const measured = /^\d+(?:\.\d+)?[-/]?\p{L}+(?:\/\p{L}+)?$/u;

/** The forms of pieces between spaces that are read as a whole, each with its key; the first that fits decides. */
const forms: readonly (readonly [fits: (piece: string) => boolean, key: (lower: string) => string])[] = [
  [(piece) => address.test(piece), addressKey],
  [(piece) => mail.test(piece), (lower) => lower.replace(/^mailto:/, '')],
  [
    (piece) => version.test(piece) && !thousands.test(piece) && !date.test(piece),
    (lower) => lower.replace(/^v/, ''),
  ],
  [(piece) => shortVersion.test(piece), (lower) => lower.slice(1)],
  [(piece) => [option, handle, graded, uniqueId].some((form) => form.test(piece)), (lower) => lower],
  [(piece) => ratio.test(piece) && !clock.test(piece), (lower) => lower],
  [
    (piece) => rootPath.test(piece) || drivePath.test(piece) || /\p{L}\\\p{L}/u.test(piece),
    (lower) => lower.replace(/(?<=.)[\\/]$/, ''),
  ],
  [(piece) => !/^\d/.test(piece) && host.test(piece), addressKey],
  [(piece) => longPath.test(piece) && /\p{L}/u.test(piece), (lower) => lower.replace(/\/$/, '')],
  [(piece) => joined.test(piece) && isIdentifier(piece), (lower) => lower.replace(/[-.]/g, '')],
];

function codeKey(piece: string): string | undefined {
  return forms.find(([fits]) => fits(piece))?.[1](piece.toLowerCase());
}

function addressKey(lower: string): string {
  return lower
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/$/, '');
}

/** Returns whether letters and digits that are joined by hyphens are an identifier: `A-12-B`, `12345-ABC`. */
function isIdentifier(piece: string): boolean {
  if (/^\d+(?:\.\d+)?e[+-]?\d+$/i.test(piece)) return false;
  if (!/\d/.test(piece) || !/\p{L}/u.test(piece) || measured.test(piece)) {
    return /^\d+-\p{Lu}[\p{Lu}\d]*$/u.test(piece);
  }
  const parts = piece.split(/[-/.:]/);
  if (/^\d{4}-\d{2}-\d{2}|^\d{1,2}:\d{2}/.test(piece) || parts.every((part) => /^\d+\p{L}{0,4}$/u.test(part)))
    return false;
  return parts.length > 2 || parts.some((part) => /\d/.test(part) && /\p{L}/u.test(part));
}

const before = '([{"\'<';
const after = ')]}>"\',.;:!?*';

/** Finds addresses, paths, versions, options, identifiers and names of code in a prepared text. */
export function readCodes(text: string): Term[] {
  const found: Term[] = [];
  let isAny = false;
  const hint = isAscii(text) ? mayBeAsciiCode : mayBeCode;
  hint.lastIndex = 0;
  for (let hinted = hint.exec(text); hinted !== null; hinted = hint.exec(text)) {
    isAny = true;
    const index = text.lastIndexOf(' ', hinted.index) + 1;
    const next = text.indexOf(' ', hinted.index);
    const piece = text.slice(index, next < 0 ? text.length : next);
    hint.lastIndex = index + piece.length;
    if (piece.length > longest) continue;
    let [start, end] = [0, piece.length];
    while (start < end && before.includes(piece.charAt(start))) start++;
    while (end > start && after.includes(piece.charAt(end - 1))) end--;
    const core = piece.slice(start, end);
    const key = core.length < 2 ? undefined : codeKey(core);
    if (key !== undefined)
      found.push({ kind: 'code', key, text: core, start: index + start, end: index + end });
  }
  if (!isAny) return found;
  return [...found, ...readIdentifiers(hide(text, found))];
}

const identifier =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}_][\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}\p{N}_]*/gu;
const moneyBefore =
  /^(?:USD?|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|BRL|MXN|ZAR|HKD|SGD|Rs)\d+$/;

/** A letter before a digit, or an underscore. */
const mayBeName = /_|[\p{L}\p{M}]\p{N}/u;
const mayBeAsciiName = /_|[A-Za-z]\d/;
const powerOfUnit = /^(?:[cmdk]?m|ft)[23]$/;

/** Finds names with digits or underscores: `user_id`, `Q3`, `H2O`. Those like `GPT4` are a word and a number. */
function readIdentifiers(text: string): Term[] {
  if (!(isAscii(text) ? mayBeAsciiName : mayBeName).test(text)) return [];
  const found: Term[] = [];
  for (const { 0: name, index } of text.matchAll(identifier)) {
    const isGlued = /[\p{N}.]/u.test(text.charAt(index - 1)) && !name.includes('_');
    if (
      isGlued ||
      !/[\p{N}_]/u.test(name) ||
      /^_+$/.test(name) ||
      moneyBefore.test(name) ||
      powerOfUnit.test(name)
    )
      continue;
    const end = index + name.length;
    const split = /^(\p{L}{2,})(\d+)$/u.exec(name);
    const [, word = '', digits = ''] = split ?? [];
    if (split === null) found.push({ kind: 'code', key: name.toLowerCase(), text: name, start: index, end });
    else {
      const middle = index + word.length;
      found.push({ kind: 'word', key: word.toLowerCase(), text: word, start: index, end: middle });
      found.push({
        kind: 'number',
        key: digits,
        text: digits,
        start: middle,
        end,
        quantity: plainNumber(digits, middle),
      });
    }
  }
  return found;
}

function plainNumber(digits: string, start: number): Term['quantity'] {
  return {
    text: digits,
    index: start,
    start,
    end: start + digits.length,
    value: Number(digits),
    exact: digits.replace(/^0+(?=\d)/, ''),
    isPercent: false,
    isParenthesized: false,
  };
}
