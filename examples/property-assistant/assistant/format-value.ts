import { nameMonth } from './find-periods.ts';
import type { Cell } from './tools/query-database.ts';

/** Formats dollars: `$16,144`, and with cents only where there are some, `$18,074.07`. */
export function formatDollars(amount: Cell | undefined): string {
  const value = Number(amount ?? 0);
  const digits = Number.isInteger(value) ? 0 : 2;
  const text = Math.abs(value).toLocaleString('en-US', {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  return `${value < 0 ? '-' : ''}$${text}`;
}

/** Formats an ISO date the long way: `2024-08-01` becomes "August 1, 2024". */
export function formatDate(date: Cell | undefined): string {
  const iso = String(date);
  return nameMonth(iso).replace(' ', ` ${Number(iso.slice(8, 10))}, `);
}
