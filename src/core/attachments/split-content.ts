import type { Attachment, Message } from '../schema/message.ts';

/** A piece of a message: a text, or a file between two texts. */
export type ContentPiece<File extends Attachment = Attachment> =
  | { readonly text: string }
  | { readonly file: File };

/**
 * Returns the pieces of a message in the order in which they stand. A file whose place is behind the text, as after the question was
 * rephrased, comes last.
 */
export function splitContent<File extends Attachment>(
  content: Message['content'],
  attachments: readonly File[],
): ContentPiece<File>[] {
  const text = content ?? '';
  const pieces: ContentPiece<File>[] = [];
  let from = 0;
  const addText = (to: number, isBefore: boolean) => {
    const part = text.slice(from, to);
    from = to;
    // The line break by which the texts on both sides of a file are separated is no part of them.
    const own = isBefore && to < text.length && part.endsWith('\n') ? part.slice(0, -1) : part;
    if (own !== '') pieces.push({ text: own });
  };
  for (const file of attachments.toSorted((a, b) => a.at - b.at)) {
    addText(Math.min(Math.max(file.at, from), text.length), true);
    pieces.push({ file });
  }
  addText(text.length, false);
  return pieces;
}

/** Collects the pieces of a message, so that `splitContent` gives them back. */
export class ContentBuilder<File extends object> {
  content = '';
  readonly files: (File & { at: number })[] = [];
  #isAfterFile = false;
  #hasText = false;

  /** Adds a text. Texts next to each other are joined by `between`; a line break separates the texts around a file. */
  addText(text: string, between: string): void {
    if (text === '' && this.#isAfterFile) return;
    if (this.#hasText && this.#isAfterFile) {
      // The files before it stand after the line break.
      const before = this.content.length;
      this.content += '\n';
      for (const file of this.files) if (file.at === before) file.at += 1;
    } else if (this.#hasText) this.content += between;
    this.content += text;
    this.#hasText = true;
    this.#isAfterFile = false;
  }

  /** Adds a file. */
  addFile(file: File): void {
    this.files.push(Object.assign(file, { at: this.content.length }));
    this.#isAfterFile = true;
  }
}
