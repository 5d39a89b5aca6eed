import { foldExceptCase } from '../text/fold.ts';

const thought = /<(\/?)(?:think|thinking|reasoning)>/gi;
const fences = /^[ \t]*(?:```|~~~)[^\n]{0,60}$/gm;
const headings = /^[ \t]*#{1,6}[ \t]+(?=\S)/gm;
const bullets =
  /^[ \t]*(?:[*•·‣▪]|[-–](?=[ \t]+[^\s\d])|\d{1,3}[.)](?![ \t]+\p{L}{3,12}[ \t]+\d{4})(?=[ \t]+\S[^\n]*\n|[ \t]+\p{L}))[ \t]+(?=\S)/gmu;
const tags = /<\/?(?:b|i|em|strong|br|p|u|li|ul|ol|span|div|code|pre)\b[^<>]{0,200}>/gi;
const links = /\[([^\][\n]{1,300})\]\((\S{1,300}?)\)/g;
const grouped = /(?<![\d.,])\d{1,3}(?:[\u00a0\u202f\u2009]\d{3})+(?!\d)/g;
const minus = /(?<![\d)]\s{0,3})\b(?:minus|negative)\s+(?=[$€£¥]?\.?\d)/gi;

/** `3 degrees below zero`. */
const belowZero =
  /(?<![\d.,-])(\d{1,9}(?:\.\d{1,9})?(?: ?°)? ?(?:degrees?|C|F)?(?: (?:Celsius|Fahrenheit))?) below zero\b/gi;

/** Returns a text without what a model thought before it answered. A text that is thought alone is returned whole. */
export function withoutThoughts(text: string): string {
  const marks = Array.from(text.matchAll(thought));
  const end = marks.findLast(([, slash]) => slash === '/');
  if (end === undefined) return text;
  // The opening mark is often a part of the prompt.
  const start = marks[0]?.[1] === '' ? marks[0].index : 0;
  const said = `${text.slice(0, start)}${text.slice(end.index + end[0].length)}`;
  return said.trim() === '' ? text : said;
}

/**
 * Returns a text as its content is read: without the marks of Markdown and HTML, with LaTeX as it would be typed, its
 * lines joined by `;`, in the form of `foldForComparison` except that capitals stay.
 */
export function prepareText(written: string): string {
  const text = mayBeInitials.test(written)
    ? written.replace(initials, (found) => found.replaceAll('.', ''))
    : written;
  if (!mayChange.test(text)) return withoutGaps(withMinus(text));
  const lines = (mayBeMarked.test(text) ? withoutMarks(text) : text).replace(bullets, '');
  const untagged = lines.includes('<') || lines.includes('](') ? withoutTags(lines) : lines;
  const bare = (untagged.includes('&') ? untagged.replace(entity, readEntity) : untagged).trim();
  const typed = plainLatex(bare);
  const spaced = withoutGaps(withMinus(typed)).replace(/[ \t]{2,}/g, ' ');
  return foldExceptCase(spaced.includes('\n') ? joinLines(spaced) : spaced);
}

/** `U.S.` and `J.K.` are written without full stops as well. */
const initials = /(?<![\p{L}\p{N}.@/_-])(?:\p{L}\.){2,6}(?![\p{L}\p{N}_/-])/gu;
const mayBeInitials = /[A-Za-z]\.[A-Za-z]\./;

const entity = /&(amp|lt|gt|quot|apos|nbsp|euro|#39);/g;
const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  '#39': "'",
  nbsp: ' ',
  euro: '€',
};

function readEntity(found: string, name: string): string {
  return entities[name] ?? found;
}

/** The signs of a text in which more changes than a minus in words and the gaps of a number: many have none of it. */
const mayChange = /[^ -~]|[#$&*<\\_`~[]| {2}|^[-\d\s]|\s$/;
const mayBeMarked = /[#\u00a0\u202f\u2009]|```|~~~/;
const mayBeMinus = /minus|negative|below zero/i;

function withMinus(text: string): string {
  return mayBeMinus.test(text) ? text.replace(minus, '-').replace(belowZero, '-$1') : text;
}

function withoutMarks(text: string): string {
  return text
    .replace(grouped, (found) => found.replace(/\s/gu, ''))
    .replace(fences, '')
    .replace(headings, '');
}

function withoutTags(text: string): string {
  return text
    .replace(tags, ' ')
    .replace(links, (_, label: string, address: string) =>
      label.includes('://') || address.includes(label) ? address : `${label} ${address}`,
    );
}

function joinLines(text: string): string {
  return text.replace(/([^\s\p{P}]?) ?\n\s*/gu, (_, last: string) => (last === '' ? ' ' : `${last} ; `));
}

/** Returns a text that is one number without the spaces between its thousands: `1 204 €`. */
function withoutGaps(text: string): string {
  if (text.length > 60 || !/^\D{0,4}\d{1,3}(?: \d{3})+(?:[.,]\d+)?(?: ?\D{0,12})$/u.test(text)) return text;
  return text.replace(/(?<=\d) (?=\d{3})/g, '');
}

const mayMark = /boxed|####|answer|antwort|réponse|respuesta|risposta|resposta/i;
const finals = [
  /\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}/g,
  /<(?:final_?)?answer>\s*([^<]{1,2000}?)\s*<\/(?:final_?)?answer>/gi,
  /^\s*(?:```(?:json)?\s*)?\{\s*"(?:final[_ ]?)?answer"\s*:\s*"?((?<=")(?:[^"\\]|\\.){1,2000}(?=")|-?[\d.]{1,40}|true|false)"?\s*\}\s*(?:```\s*)?$/gi,
  /^[ \t]*####[ \t]*(\S[^\n]*)$/gm,
  /(?:^|[\n.!?:]\s{0,5}|\*\*|\bso\s+)(?:the\s+)?(?:final|correct|right)?[ \t]*(?:answer|antwort|réponse|respuesta|risposta|resposta)(?:[ \t]+is|[ \t]+ist|[ \t]+est|[ \t]+es)?[ \t]*(?:\*\*)?[ \t]*[:=][ \t]*(?:\*\*)?[ \t]*(\S[^\n]*)/gi,
  /^[ \t]*(?:so,?[ \t]+|thus,?[ \t]+|therefore,?[ \t]+)?(?:the|my)[ \t]+(?:final[ \t]+|correct[ \t]+|right[ \t]+)?answer[ \t]+is[ \t]*:?[ \t]*(\S[^\n]*)/gim,
];

/** Returns what a longer answer marks as its answer: `\boxed{5}`, `#### 5`, `Answer: Paris`; undefined without a mark. */
export function markedAnswer(text: string): string | undefined {
  if (!mayMark.test(text)) return undefined;
  for (const pattern of finals) {
    const last = Array.from(text.matchAll(pattern)).at(-1);
    if (last?.[1] !== undefined && last[1].trim() !== '') return last[1];
  }
  return undefined;
}

const shortFraction = /\\[dt]?frac ?(\d) ?(\d)/g;
const mayBeLatex = /[\\$√]|[\^_]\{|\{,\}/;
const root = /√\s?(\d+|\p{L}(?!\p{L}))/gu;
const fraction = /\\[dt]?frac\s*\{([^{}]{1,80})\}\s*\{([^{}]{1,80})\}/g;
const words = /\\(?:text|textbf|mathrm|mathbf|mathit|operatorname|emph)\s*\{([^{}]{0,200})\}/g;
const group = /([\^_])\{([^{}]{1,40})\}/g;
const spaces = /\\(?:[,;:! ]|quad\b|qquad\b|left\b|right\b|displaystyle\b)/g;
const inline = /\$\$([^$]{1,400})\$\$|(?<![\\$\w])\$(?=[^\s$])([^$\n]{0,200}[^\s$])\$(?![\d$\w])/g;

const signs: Readonly<Record<string, string>> = {
  times: '*',
  cdot: '*',
  div: '/',
  le: '<=',
  leq: '<=',
  ge: '>=',
  geq: '>=',
  ne: '!=',
  neq: '!=',
  lt: '<',
  gt: '>',
  pm: '±',
  pi: 'π',
  infty: '∞',
  degree: '°',
  circ: '°',
  approx: '≈',
  percent: '%',
};

/**
 * Returns a text with its mathematics in LaTeX as one would type it: `\frac{1}{2}` as `1/2`, `\times` as `*`, `$x^{2}$`
 * as `x^2`. A text without any is returned as it is.
 */
function plainLatex(text: string): string {
  if (!mayBeLatex.test(text)) return text;
  let plain = text
    .replace(inline, (_, block?: string, short?: string) => ` ${block ?? short ?? ''} `)
    .replace(root, 'sqrt($1)');
  if (!plain.includes('\\') && !plain.includes('{')) return plain;
  plain = plain
    .replace(/\\[()[\]](?=\s|$|[^\s])/g, ' ')
    .replaceAll('{,}', ',')
    .replace(words, ' $1 ')
    .replace(shortFraction, '$1/$2')
    .replace(fraction, (_, top: string, bottom: string) => `${inBrackets(top)}/${inBrackets(bottom)}`)
    .replace(group, (_, mark: string, inside: string) =>
      mark === '^' && inside.trim() === '\\circ' ? '°' : `${mark}${inBrackets(inside)}`,
    )
    .replace(/\^\\circ\b/g, '°')
    .replace(/\\sqrt\s*\{([^{}]{1,80})\}/g, 'sqrt($1)')
    .replace(spaces, ' ')
    .replace(/\\([a-zA-Z]{2,10})\b/g, (found, name: string) =>
      Object.hasOwn(signs, name) ? (signs[name] ?? found) : found,
    );
  return plain;
}

function inBrackets(part: string): string {
  const inside = part.trim();
  return /^-?(?:\\[a-z]{2,10}|[\p{L}\p{N}.,]+)$/u.test(inside) ? inside : `(${inside})`;
}
