/** A text in pieces of a length, the way a file comes. */
export async function* piecesOf(text: string, length: number = text.length): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
