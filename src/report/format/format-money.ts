import { formatHuge, groupDigits, largestSize, missing } from './format-number.ts';

/** An amount in US dollars: `$1,234.50`; amounts under a dollar keep two significant digits: `$0.0012`. */
export function formatMoney(amount: number): string {
  if (!Number.isFinite(amount) || amount < 0) return missing;
  if (amount >= largestSize) return `$${formatHuge(amount)}`;
  if (amount === 0 || amount >= 0.995) return `$${groupDigits(amount.toFixed(2))}`;
  if (amount < 0.000_001) return '<$0.000001';
  const decimals = Math.min(6, Math.max(2, 1 - Math.floor(Math.log10(amount))));
  return `$${amount.toFixed(decimals).replace(/(\.\d\d+?)0+$/, '$1')}`;
}
