import { quoteForShell } from '../lib/text/terminal-text.ts';
import type { ReportInput } from './report-input.ts';

/** A name that may come from a target, a dataset or a config, to be told apart from our own words. */
export interface Quoted {
  readonly quoted: string;
  /** Words rather than a name: stands between quotation marks where nothing else sets it apart. */
  readonly isText?: boolean;
}

/** A sentence of our own words and quoted names, to be set in the manner of each report. */
export type Phrase = readonly (string | Quoted)[];

/** Marks a name as not ours. */
export function quote(text: string): Quoted {
  return { quoted: text };
}

/** Marks words, such as a keyword, as not ours. */
export function quoteText(text: string): Quoted {
  return { quoted: text, isText: true };
}

/** Sentences one after the other. */
export function joinSentences(sentences: readonly Phrase[]): Phrase {
  return sentences.flatMap((sentence, index) => (index === 0 ? sentence : [' ', ...sentence]));
}

/** Names with what belongs to each, set apart by commas. */
export function listPhrase(items: readonly Phrase[]): Phrase {
  return items.flatMap((item, index) => (index === 0 ? item : [', ', ...item]));
}

/** The command that tells a run again, with flags; it names the store where it would not be found without. */
export function showCommand(
  { run, storeFolder }: Pick<ReportInput, 'run' | 'storeFolder'>,
  flags = '',
): string {
  const parts = ['touchstone show', run.id, flags];
  if (storeFolder !== undefined) parts.push(storeFlag(storeFolder));
  return parts.filter((part) => part !== '').join(' ');
}

/** The flag that names a store, as a shell takes it. */
export function storeFlag(storeFolder: string): string {
  return `--store ${quoteForShell(storeFolder)}`;
}
