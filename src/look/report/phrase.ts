import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';
import type { Run } from '../../core/schema/run.ts';
import { formatTime } from './format.ts';
import type { ReportInput } from './report-input.ts';

/** A name that may come from a target, a dataset or a config, to be distinguished from the report's own words. */
export interface Quoted {
  readonly quoted: string;
  /** True for words rather than a name: they are put in quotation marks unless something else sets them apart. */
  readonly isText?: boolean;
}

/** A sentence of own words and quoted names, which each report formats in its own way. */
export type Phrase = readonly (string | Quoted)[];

/** Marks a name from outside. */
export function quote(text: string): Quoted {
  return { quoted: text };
}

/** Marks words from outside, such as a keyword. */
export function quoteText(text: string): Quoted {
  return { quoted: text, isText: true };
}

/** Joins phrases to one, with a separator between them. */
export function joinPhrases(phrases: readonly Phrase[], separator: string): Phrase {
  return phrases.flatMap((phrase, index) => (index === 0 ? phrase : [separator, ...phrase]));
}

/** Joins sentences to one phrase. */
export function joinSentences(sentences: readonly Phrase[]): Phrase {
  return joinPhrases(sentences, ' ');
}

/** Joins items to one phrase, separated by commas. */
export function listPhrase(items: readonly Phrase[]): Phrase {
  return joinPhrases(items, ', ');
}

/** Returns a title for a run where another tool shows it: its name, else the description of its config, else its id. */
export function runTitle({ name, description, id }: Pick<Run, 'name' | 'description' | 'id'>): string {
  return name ?? description ?? `Run ${id} of Touchstone`;
}

/** Returns a clause on the import of a run that has the date of its recorded answers; none for every other run. */
export function importOf({ importedAt }: Pick<Run, 'importedAt'>): string[] {
  return importedAt === undefined ? [] : [`imported ${formatTime(importedAt)}`];
}

/** Returns the command that shows a run again, with flags; it names the store if it would not be found otherwise. */
export function showCommand(
  { run, storeFolder }: Pick<ReportInput, 'run' | 'storeFolder'>,
  flags = '',
): string {
  const parts = ['touchstone show', run.id, flags];
  if (storeFolder !== undefined) parts.push(storeFlag(storeFolder));
  return parts.filter((part) => part !== '').join(' ');
}

/** Returns the command that continues a run which ended early; a rescoring begins again and reuses stored judgements. */
export function resumeCommand({
  run: { id, rescoredFrom },
  storeFolder,
}: {
  readonly run: Pick<ReportInput['run'], 'id' | 'rescoredFrom'>;
  readonly storeFolder?: string;
}): string {
  const command =
    rescoredFrom === undefined ? `touchstone run --resume ${id}` : `touchstone rescore ${rescoredFrom}`;
  return storeFolder === undefined ? command : `${command} ${storeFlag(storeFolder)}`;
}

/** Returns the flag that names a store, quoted for a shell. */
export function storeFlag(storeFolder: string): string {
  return `--store ${quoteForShell(storeFolder)}`;
}
