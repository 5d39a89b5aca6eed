/** A span of days, both ends included, as ISO dates, with the words to name it. */
export interface Period {
  label: string;
  from: string;
  to: string;
}

const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const quarters = ['first', 'second', 'third', 'fourth'];

/** Finds the months, quarters and years that a question names; relative ones are counted from `asOf`. */
export function findPeriods(text: string, asOf: string): Period[] {
  const year = Number(asOf.slice(0, 4));
  const month = Number(asOf.slice(5, 7));
  const years = [...text.matchAll(/\b(20\d\d)\b/g)].map((match) => Number(match[1]));
  const named = [...findMonths(text), ...findQuarters(text)].map((span) => span(years[0] ?? year));
  if (named.length > 0) return named;
  if (years.length > 0) return years.map(yearPeriod);
  if (/\blast month\b/i.test(text))
    return [month === 1 ? monthPeriod(year - 1, 12) : monthPeriod(year, month - 1)];
  if (/\bthis month\b/i.test(text)) return [monthPeriod(year, month)];
  if (/\blast year\b/i.test(text)) return [yearPeriod(year - 1)];
  if (/\b(this|end of the) year\b/i.test(text)) return [yearPeriod(year)];
  return [];
}

/** Names a month given as `2024-08`: "August 2024". */
export function nameMonth(month: string): string {
  return `${months[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`;
}

function findMonths(text: string): ((year: number) => Period)[] {
  const found = months.filter((name) =>
    (name === 'May' ? /\bMay\b/ : new RegExp(`\\b${name}\\b`, 'i')).test(text),
  );
  return found.map((name) => (year) => monthPeriod(year, months.indexOf(name) + 1));
}

function findQuarters(text: string): ((year: number) => Period)[] {
  const matches = [...text.matchAll(/\b(first|second|third|fourth) quarter\b|\bq([1-4])\b/gi)];
  return matches.map((match) => (year) => {
    const quarter = match[2] ? Number(match[2]) : quarters.indexOf((match[1] ?? '').toLowerCase()) + 1;
    const first = monthPeriod(year, quarter * 3 - 2);
    return {
      label: `the ${quarters[quarter - 1]} quarter of ${year}`,
      from: first.from,
      to: monthPeriod(year, quarter * 3).to,
    };
  });
}

function monthPeriod(year: number, month: number): Period {
  const days = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const prefix = `${year}-${String(month).padStart(2, '0')}`;
  return { label: nameMonth(prefix), from: `${prefix}-01`, to: `${prefix}-${days}` };
}

function yearPeriod(year: number): Period {
  return { label: String(year), from: `${year}-01-01`, to: `${year}-12-31` };
}
