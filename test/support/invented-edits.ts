/** A way to change a text; undefined where it cannot be applied. */
export interface Edit {
  readonly name: string;
  readonly edit: (text: string) => string | undefined;
}

/** A number that stands alone: no part of an identifier, a date, a range or a version. */
const number = /(?<![\p{L}\p{N}.,:/_+*^#()[\]-]|[-–—] )\d+(?:\.\d+)?(?![\p{L}\p{N}:/_^°-]|[.,]\d)/u;
const whole = /(?<![\p{L}\p{N}.,:/_+*^#()[\]-]|[-–—] )\d+(?![\p{L}\p{N}:/_^°-]|[.,]\d)/u;

function change(text: string, pattern: RegExp, by: (found: string) => string): string | undefined {
  return pattern.test(text) ? text.replace(pattern, (found) => by(found)) : undefined;
}

const units: Readonly<Record<string, string>> = {
  minutes: 'hours',
  hours: 'minutes',
  days: 'weeks',
  weeks: 'days',
  months: 'years',
  years: 'months',
  kg: 'g',
  g: 'kg',
  km: 'm',
  miles: 'km',
  meters: 'feet',
  seconds: 'hours',
};
const unit = new RegExp(String.raw`(?<=[1-9]\d* )(?:${Object.keys(units).join('|')})(?!\p{L})`, 'u');

const operators: Readonly<Record<string, string>> = {
  '>': '<',
  '<': '>',
  '>=': '<=',
  '<=': '>=',
  '==': '!=',
  '+': '-',
};

/** Edits after which a text says something else. */
export const changingEdits: readonly Edit[] = [
  { name: 'sign', edit: (text) => change(text, number, (found) => `-${found}`) },
  {
    name: 'digit',
    edit: (text) =>
      change(text, number, (found) => found.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10))),
  },
  {
    name: 'first digit',
    edit: (text) =>
      change(text, number, (found) => found.replace(/^\d/, (digit) => String((Number(digit) % 9) + 1))),
  },
  {
    name: 'decimal point dropped',
    edit: (text) =>
      change(text, /(?<![\p{L}\p{N}.,-])[1-9]\d*\.\d+(?![\p{L}\p{N}]|[.,]\d)/u, (found) =>
        found.replace('.', ''),
      ),
  },
  {
    name: 'decimal point added',
    edit: (text) =>
      change(text, whole, (found) =>
        /^\d*[1-9]$/.test(found) && found.length > 1 ? `${found.slice(0, -1)}.${found.slice(-1)}` : found,
      ),
  },
  {
    name: 'ten times',
    edit: (text) => change(text, whole, (found) => (/^0+$/.test(found) ? found : `${found}0`)),
  },
  { name: 'unit', edit: (text) => change(text, unit, (found) => units[found] ?? found) },
  {
    name: 'operator',
    edit: (text) => change(text, /(?<=\w )(?:>=|<=|==|[<>+])(?= \w)/, (found) => operators[found] ?? found),
  },
  {
    name: 'denial added',
    edit: (text) =>
      /\b(?:not|no|never|without|n't)\b|n['’]t/i.test(text)
        ? undefined
        : change(text, /\b(?:is|are|was|were|can|will|has|must|should)(?= [a-z])/, (found) => `${found} not`),
  },
  {
    name: 'denial dropped',
    edit: (text) =>
      (text.match(/\b(?:not|no|never|without|nor|none|neither|nothing|cannot)\b|n['’]t/gi)?.length ?? 0) === 1
        ? change(text, / not(?= (?!only|just|merely|simply|to mention|more|less|until))/, () => '')
        : undefined,
  },
];

/** Edits after which a text says the same. */
export const keepingEdits: readonly Edit[] = [
  { name: 'capitals', edit: (text) => (/\d/.test(text) ? undefined : text.toUpperCase()) },
  { name: 'spaces', edit: (text) => `  ${text.replace(/ /g, '  ')}\n` },
  { name: 'no-break spaces', edit: (text) => text.replace(/(?<!\d) (?!\d)/g, '\u00a0') },
  { name: 'typographic apostrophes', edit: (text) => text.replaceAll("'", '’') },
  { name: 'typographic quotes', edit: (text) => text.replace(/"([^"\n]*)"/g, '“$1”') },
  { name: 'no-break hyphens', edit: (text) => text.replaceAll('-', '\u2011') },
  { name: 'decomposed letters', edit: (text) => text.normalize('NFD') },
  {
    name: 'full width',
    edit: (text) =>
      text.replace(/[A-Za-z]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0)),
  },
  { name: 'soft hyphens', edit: (text) => text.replace(/(?<=\p{L}{3})(?=\p{L}{3})/u, '\u00ad') },
  { name: 'zero width spaces', edit: (text) => text.replace(/(?<=\p{L} )/u, '\u200b') },
  { name: 'ligatures', edit: (text) => text.replaceAll('fi', 'ﬁ').replaceAll('fl', 'ﬂ') },
  { name: 'bold', edit: (text) => text.replace(/(?<=^|\s)\p{L}{3,}(?=\s|$)/u, '**$&**') },
  {
    name: 'grouped digits',
    edit: (text) =>
      change(
        text,
        /(?<![\p{L}\p{N}.,:/_+*^#()[\]-]|[-–—] )[1-9]\d{4,8}(?![\p{L}\p{N}:/_^°-]|[.,]\d)/u,
        (found) => Number(found).toLocaleString('en-US'),
      ),
  },
  { name: 'full stop', edit: (text) => (/[\p{L}\d]$/u.test(text) ? `${text}.` : undefined) },
  { name: 'quoted', edit: (text) => (text.includes('"') ? undefined : `"${text}"`) },
  { name: 'code fence', edit: (text) => (text.includes('`') ? undefined : `\`\`\`\n${text}\n\`\`\``) },
  { name: 'thoughts before', edit: (text) => `<think>It may be 7 or 8.</think>${text}` },
];

function reverseKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reverseKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inside]) => [key, reverseKeys(inside)]),
  );
}

/** Edits after which JSON is other data. */
export const changingJsonEdits: readonly Edit[] = [
  { name: 'key', edit: (text) => text.replace(/"(\w+)":/, '"$1x":') },
  {
    name: 'number',
    edit: (text) => text.replace(/\d(?=[,}\]])/, (digit) => String((Number(digit) + 1) % 10)),
  },
  { name: 'sign', edit: (text) => text.replace(/:(\d)/, ':-$1') },
  { name: 'text', edit: (text) => text.replace(/:"(\w)/, ':"x$1') },
  { name: 'type', edit: (text) => text.replace(/:(\d+(?:\.\d+)?)/, ':"$1"') },
  { name: 'member added', edit: (text) => text.replace(/\}(\]?)$/, ',"more":1}$1') },
  { name: 'truth', edit: (text) => text.replace('true', 'false') },
  { name: 'order of a list', edit: (text) => text.replace('["a","b"]', '["b","a"]') },
];

/** Edits after which JSON is the same data. */
export const keepingJsonEdits: readonly Edit[] = [
  { name: 'spaces', edit: (text) => text.replace(/([{[,:])/g, '$1 ') },
  {
    name: 'order of keys',
    edit: (text) => (/\d{16}/.test(text) ? undefined : JSON.stringify(reverseKeys(JSON.parse(text)))),
  },
  { name: 'code fence', edit: (text) => `\`\`\`json\n${text}\n\`\`\`` },
  { name: 'a sentence around it', edit: (text) => `Here is the result:\n${text}\nAnything else?` },
  { name: 'thoughts before', edit: (text) => `<think>{"no": 1}</think>\n${text}` },
  { name: 'a number written otherwise', edit: (text) => text.replace(/:(\d)(?=[,}])/, ':$1.0') },
  { name: 'escaped letters', edit: (text) => text.replace('"A', '"\\u0041') },
];
