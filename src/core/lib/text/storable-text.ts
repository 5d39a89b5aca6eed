/** Returns a text as every database can store it in a column: without lone surrogates and without U+0000. */
export function storableText(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\u{FFFD}');
}
