import type { LinkFact } from './fact.ts';

const link =
  /(?:https?:\/\/|www\.)[^\s<>"'“”«»`|]+|(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;

/** Every web and mail address in a text, without the punctuation after it. */
export function findLinks(text: string): LinkFact[] {
  return Array.from(text.matchAll(link), ({ 0: written, index }) => {
    const address = written.replace(/[.,;:!?)\]}*_]+$/u, '');
    return { kind: 'link', text: address, index, address: foldLink(address) };
  });
}

/** An address without what two spellings of it may differ in: `https://`, `www.`, capitals, the last slash. */
export function foldLink(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/u, '')
    .replace(/\/$/u, '');
}
