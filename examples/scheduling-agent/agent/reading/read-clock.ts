/** When on a day, in minutes since midnight: at a time, or at any time within some hours. */
export type Clock = { type: 'at'; minutes: number } | { type: 'within'; from: number; to: number };

const time = String.raw`(\d{1,2}(?::\d\d)?\s?(?:[ap]\.?m\b\.?)?|noon|midday|midnight)`;
const marked = String.raw`\b(\d{1,2}(?::\d\d)?\s?[ap]\.?m\b\.?|\d{1,2}:\d\d|noon|midday|midnight)`;
const partsOfDay: [RegExp, number, number][] = [
  [/\bmorning\b/, 0, 12 * 60],
  [/\bafternoon\b/, 12 * 60, 17 * 60],
  [/\b(?:evening|tonight)\b/, 17 * 60, 21 * 60],
];

/** The time, or the part of the day, that a folded text names. A bare "3" is one of the usual hours of work. */
export function readClock(text: string): Clock | undefined {
  return readSpan(text) ?? readTime(text) ?? readPartOfDay(text);
}

/** How long "from 2 to 3:30pm" takes, in minutes. */
export function readLengthOfSpan(text: string): number | undefined {
  const found = new RegExp(`\\bfrom ${time} (?:to|until|till) ${time}`).exec(text);
  if (found === null) return undefined;
  const [from, to] = readPair(found[1] ?? '', found[2] ?? '');
  return to > from ? to - from : undefined;
}

function readSpan(text: string): Clock | undefined {
  const between = new RegExp(`\\bbetween ${time} and ${time}`).exec(text);
  if (between !== null) {
    const [from, to] = readPair(between[1] ?? '', between[2] ?? '');
    return { type: 'within', from, to };
  }
  const from = new RegExp(`\\bfrom ${time} (?:to|until|till) ${time}`).exec(text);
  if (from !== null) return { type: 'at', minutes: readPair(from[1] ?? '', from[2] ?? '')[0] };
  const after = new RegExp(`\\b(?:after|from) ${time}`).exec(text);
  if (after !== null) return { type: 'within', from: minutesOf(after[1] ?? ''), to: 24 * 60 };
  const before = new RegExp(`\\b(?:before|by) ${time}`).exec(text);
  return before === null ? undefined : { type: 'within', from: 0, to: minutesOf(before[1] ?? '') };
}

function readTime(text: string): Clock | undefined {
  const found = new RegExp(marked).exec(text) ?? new RegExp(`\\b(?:at|around) ${time}`).exec(text);
  return found === null ? undefined : { type: 'at', minutes: minutesOf(found[1] ?? '') };
}

function readPartOfDay(text: string): Clock | undefined {
  const part = partsOfDay.find(([pattern]) => pattern.test(text));
  return part && { type: 'within', from: part[1], to: part[2] };
}

/** Of "2 and 4pm", both are in the afternoon. */
function readPair(from: string, to: string): [number, number] {
  const half = /[ap]\.?m/.exec(to)?.[0] ?? '';
  const isBare = /^\d{1,2}(?::\d\d)?$/.test(from.trim());
  const end = minutesOf(to);
  const start = minutesOf(isBare ? `${from.trim()}${half}` : from);
  return [start <= end ? start : minutesOf(from), end];
}

function minutesOf(text: string): number {
  if (text === 'noon' || text === 'midday') return 12 * 60;
  if (text === 'midnight') return 0;
  const [, hour = '', minute = '0', half] = /(\d{1,2})(?::(\d\d))?\s?([ap])?/.exec(text) ?? [];
  return (hourOf(Number(hour), half) % 24) * 60 + Number(minute);
}

function hourOf(hour: number, half: string | undefined): number {
  if (half === undefined) return hour < 8 ? hour + 12 : hour;
  return (hour % 12) + (half === 'p' ? 12 : 0);
}
