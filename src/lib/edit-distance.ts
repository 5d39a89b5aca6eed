/**
 * Levenshtein distance of two lists: the fewest items to insert, delete or replace. Myers' bit-parallel algorithm in
 * blocks of 32 (Hyyrö, 2003): time is the product of the lengths over 32.
 */
export function editDistance(first: readonly string[], second: readonly string[]): number {
  let start = 0;
  while (start < first.length && start < second.length && first[start] === second[start]) start++;
  let firstEnd = first.length;
  let secondEnd = second.length;
  while (firstEnd > start && secondEnd > start && first[firstEnd - 1] === second[secondEnd - 1]) {
    firstEnd--;
    secondEnd--;
  }
  const pattern = first.slice(start, firstEnd);
  const text = second.slice(start, secondEnd);
  return pattern.length === 0 || text.length === 0 ? pattern.length + text.length : countEdits(pattern, text);
}

const wordSize = 32;

function countEdits(pattern: string[], text: string[]): number {
  const codes = new Map<string, number>();
  const codeOf = (item: string) => {
    const code = codes.get(item) ?? codes.size;
    codes.set(item, code);
    return code;
  };
  const patternCodes = pattern.map(codeOf);
  const textCodes = text.map(codeOf);
  // How the horizontal difference enters each block from the one above: -1, 0 or 1 for each item of the text.
  let incoming = new Int8Array(text.length).fill(1);
  let distance = pattern.length;
  for (let block = 0; block < pattern.length; block += wordSize) {
    const rows = patternCodes.slice(block, block + wordSize);
    const outgoing = advanceBlock(rows, textCodes, { symbols: codes.size, incoming });
    if (block + wordSize >= pattern.length) for (const difference of outgoing) distance += difference;
    incoming = outgoing;
  }
  return distance;
}

function advanceBlock(
  rows: number[],
  textCodes: number[],
  { symbols, incoming }: { symbols: number; incoming: Int8Array },
): Int8Array<ArrayBuffer> {
  const matches = new Int32Array(symbols);
  for (const [bit, code] of rows.entries()) matches[code] = (matches[code] ?? 0) | (1 << bit);
  const lastBit = rows.length - 1;
  const outgoing = new Int8Array(textCodes.length);
  let rises = -1;
  let falls = 0;
  for (const [column, code] of textCodes.entries()) {
    const carry = incoming[column] ?? 0;
    const equal = (matches[code] ?? 0) | (carry < 0 ? 1 : 0);
    const vertical = (matches[code] ?? 0) | falls;
    const horizontal = (((equal & rises) + rises) ^ rises) | equal;
    const up = falls | ~(horizontal | rises);
    const down = rises & horizontal;
    outgoing[column] = ((up >>> lastBit) & 1) - ((down >>> lastBit) & 1);
    const upShifted = (up << 1) | (carry > 0 ? 1 : 0);
    const downShifted = (down << 1) | (carry < 0 ? 1 : 0);
    rises = downShifted | ~(vertical | upShifted);
    falls = upShifted & vertical;
  }
  return outgoing;
}
