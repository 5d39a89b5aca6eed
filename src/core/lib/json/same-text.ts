/** Characters of which one text may have several forms in Unicode: none before U+00C0 has. */
const variable = /[\u00c0-\uffff]/;

/** Returns a text in the composed form of Unicode (NFC): `é` for `e` and an accent. */
export function composed(text: string): string {
  return variable.test(text) ? text.normalize('NFC') : text;
}

/** Returns whether two texts are the same, however Unicode writes their letters: composed or decomposed. */
export function isSameText(one: string, other: string): boolean {
  return one === other || composed(one) === composed(other);
}

/**
 * Returns the own member of an object under a name, which the object may write in another form of Unicode; undefined
 * when there is none.
 */
export function memberNamed<Value>(
  record: { readonly [name: string]: Value },
  name: string,
): Value | undefined {
  if (Object.hasOwn(record, name)) return record[name];
  // Only a name that has several forms, or a record with such names, is worth the search.
  const wanted = composed(name);
  if (!variable.test(wanted)) return undefined;
  const found = Object.keys(record).find((key) => composed(key) === wanted);
  return found === undefined ? undefined : record[found];
}
