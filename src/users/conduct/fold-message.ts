import { foldText } from '../../lib/fold-text.ts';

/** A message in the form in which it is compared: without case, needless white space and the commas of large numbers. */
export function foldMessage(text: string): string {
  return foldText(text)
    .toLowerCase()
    .replace(/(?<=\d)[,'’ ](?=\d{3}(?!\d))/gu, '')
    .replace(/\s+/gu, ' ')
    .trim();
}

/** A message without anything but its words, for finding the same words again. */
export function wordsOf(text: string): string[] {
  return foldMessage(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}
