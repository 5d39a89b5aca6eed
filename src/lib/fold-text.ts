const invisible = /[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\u0640]/g;
const otherDigit = /(?![0-9])\p{Nd}/gu;

/**
 * A text in the form in which its words and numbers are compared, whatever the script: Unicode normal form NFKC (so
 * full-width letters and digits are plain ones), every decimal digit as 0-9, without marks of writing direction, soft
 * hyphens, other invisible characters and the Arabic stretching mark.
 */
export function foldText(text: string): string {
  return foldDigits(text.normalize('NFKC').replace(invisible, ''));
}

/** Full-width forms as plain ones: `＄１，２０４` becomes `$1,204`. Nothing else changes, unlike with NFKC. */
export function foldWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e\uffe5\uffe1\uffe0]/g, (character) => character.normalize('NFKC'));
}

/** Every decimal digit of any script as 0-9: `٤٢` and `४२` become `42`. */
export function foldDigits(text: string): string {
  return text.replace(otherDigit, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)));
}

/** Digits stand in runs from 0 to 9, one run after the other or alone. */
function digitValue(codePoint: number): number {
  let start = codePoint;
  while (/\p{Nd}/u.test(String.fromCodePoint(start - 1))) start--;
  return (codePoint - start) % 10;
}
