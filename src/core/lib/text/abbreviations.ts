const weekdays = new Map(
  [
    'monday mon',
    'tuesday tue tues',
    'wednesday wed weds',
    'thursday thu thur thurs',
    'friday fri',
    'saturday sat',
    'sunday sun',
  ].flatMap((line) => {
    const [full = '', ...short] = line.split(' ');
    return [full, ...short].map((name) => [name, full] as const);
  }),
);

/** Abbreviations with a capital that are no other words; `Sun`, `Sat`, `Jan` and `Mar` are. */
const capital = new Map([
  ...[...weekdays].filter(([name, full]) => name !== full && name !== 'sat' && name !== 'sun'),
  ...[
    'february feb',
    'april apr',
    'august aug',
    'september sep sept',
    'october oct',
    'november nov',
    'december dec',
  ].flatMap((line) => {
    const [full = '', ...short] = line.split(' ');
    return short.map((name) => [name, full] as const);
  }),
  ['bce', 'bc'] as const,
]);
/** Abbreviations that are meant only with their full stop. */
const dotted = new Map([
  ['st', 'saint'],
  ['mt', 'mount'],
  ['prof', 'professor'],
  ['vs', 'versus'],
  ['dept', 'department'],
]);
/** Abbreviations that are meant only before a number: `Art. 5`. */
const numbered = new Map([
  ['art', 'article'],
  ['sec', 'section'],
  ['ch', 'chapter'],
  ['fig', 'figure'],
  ['vol', 'volume'],
  ['para', 'paragraph'],
  ['eq', 'equation'],
  ['ext', 'extension'],
]);
const longest = 5;

/** Returns the word that an abbreviation stands for, such as `Dec`, `Mt.` or `Art. 5`; undefined for any other word. */
export function spelledOut(written: string, after: string): string | undefined {
  const isCapital = written.charCodeAt(0) < 97;
  const isDotted = after.startsWith('.');
  if (written.length > longest || !(isCapital || isDotted)) return undefined;
  const lower = written.toLowerCase();
  const full = isDotted && /^. ?\d/.test(after) ? numbered.get(lower) : undefined;
  return full ?? (isDotted ? dotted.get(lower) : undefined) ?? (isCapital ? capital.get(lower) : undefined);
}

/** Returns the full name of a day of the week from its name or abbreviation in small letters; undefined for other words. */
export function weekdayOf(lower: string): string | undefined {
  return weekdays.get(lower);
}
