/** Returns the content of a tool's result as one text, with a note for each part that is not text. */
export function textOfContent(content: readonly unknown[]): string {
  return content
    .map((part) => {
      const { type, text, mimeType } = Object(part) as { readonly [name: string]: unknown };
      if (type === 'text') return String(text);
      return `[${String(type)}${mimeType === undefined ? '' : ` ${String(mimeType)}`}]`;
    })
    .join('\n')
    .toWellFormed();
}
