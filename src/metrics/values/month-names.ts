/** Languages whose month names are known unless others are asked for. */
export const usualLocales = ['en', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'sv', 'da', 'pl', 'ru'];

const known = new Map<string, ReadonlyMap<string, number>>();

/** Names and abbreviations of the months in some languages, lower case and without full stops, each with its number. */
export function monthNames(locales: readonly string[]): ReadonlyMap<string, number> {
  const key = locales.join();
  const names = known.get(key) ?? readMonthNames(locales);
  known.set(key, names);
  return names;
}

function readMonthNames(locales: readonly string[]): Map<string, number> {
  const names = new Map<string, number>();
  for (const locale of locales) {
    for (const form of ['long', 'short'] as const) {
      // Slavic languages bend the name beside a day.
      const formats = [{ month: form }, { month: form, day: 'numeric' }] as const;
      for (const parts of formats) {
        addNames(names, new Intl.DateTimeFormat(locale, { ...parts, timeZone: 'UTC' }));
      }
    }
  }
  names.set('sept', 9);
  return names;
}

function addNames(names: Map<string, number>, format: Intl.DateTimeFormat): void {
  for (let month = 0; month < 12; month++) {
    const parts = format.formatToParts(Date.UTC(2024, month, 10));
    const name = parts
      .find(({ type }) => type === 'month')
      ?.value.toLowerCase()
      .replaceAll('.', '')
      .trim();
    // A name that stands for another month in an earlier language keeps that meaning; a digit is no name.
    if (name !== undefined && /^\p{L}[\p{L}\p{M}]+$/u.test(name) && !names.has(name))
      names.set(name, month + 1);
  }
}
