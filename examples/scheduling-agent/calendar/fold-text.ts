/** A text in lower case, without accents, with single spaces and plain apostrophes: "Jörg’s" becomes "jorg's". */
export function foldText(text: string): string {
  const plain = text.toLowerCase().normalize('NFD').replace(/\p{M}/gu, '').replaceAll('’', "'");
  return plain.replace(/\s+/g, ' ').trim();
}
