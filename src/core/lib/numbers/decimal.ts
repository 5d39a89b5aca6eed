/**
 * Returns a decimal number in the one way to write it, so that equal numbers are equal texts, however many digits they
 * have: `442300`, `-0.05`. `digits` may have a point; `exponent` is the power of ten that multiplies them.
 */
export function canonicalDecimal(digits: string, exponent = 0, isNegative = false): string {
  const [whole = '', part = ''] = digits.split('.');
  const all = `${whole}${part}`;
  const point = whole.length + exponent;
  const padded = all.padStart(all.length + Math.max(0, -point), '0').padEnd(Math.max(all.length, point), '0');
  const place = Math.max(0, point);
  const before = padded.slice(0, place).replace(/^0+/, '');
  const after = withoutEndZeros(padded.slice(place));
  const size = `${before === '' ? '0' : before}${after === '' ? '' : `.${after}`}`;
  return isNegative && size !== '0' ? `-${size}` : size;
}

// A regular expression anchored at the end would take quadratic time.
function withoutEndZeros(text: string): string {
  let end = text.length;
  while (end > 0 && text.charAt(end - 1) === '0') end--;
  return text.slice(0, end);
}

/** Returns a canonical decimal times a power of ten: a percentage as a share with -2. */
export function shiftDecimal(decimal: string, exponent: number): string {
  const isNegative = decimal.startsWith('-');
  return canonicalDecimal(isNegative ? decimal.slice(1) : decimal, exponent, isNegative);
}

/** Returns a canonical decimal with the other sign. */
export function negateDecimal(decimal: string): string {
  if (decimal === '0') return decimal;
  return decimal.startsWith('-') ? decimal.slice(1) : `-${decimal}`;
}
