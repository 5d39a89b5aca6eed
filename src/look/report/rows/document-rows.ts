import { firstUnits } from '../../../core/lib/text/terminal-text.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import { formatCount } from '../format.ts';

/** A document that a target retrieved, as reports show it. */
export interface DocumentRow {
  readonly rank: number;
  readonly id: string;
  /** Its source, its score, and whether it was given with the question, as far as they are known. */
  readonly facts: string;
  readonly text: string | undefined;
}

/** The most characters of an id in a report. */
const longestId = 120;

/** Lists the documents of a trial in their order. */
export function listDocuments({ documents = [] }: Pick<Trial, 'documents'>): DocumentRow[] {
  return documents.map(({ id, text, score, sources = [], given }, index) => {
    const facts = [
      ...sources.slice(0, 1).map((source) => firstUnits(source, longestId)),
      ...(score === undefined ? [] : [String(Number(score.toPrecision(3)))]),
      ...(given === true ? ['given with the question'] : []),
    ];
    // A text may be its own id.
    return {
      rank: index + 1,
      id: firstUnits(id, longestId),
      facts: facts.join(' · '),
      text: text === id ? undefined : text,
    };
  });
}

/** Names the first documents that a target retrieved, in their order; undefined when it reported none. */
export function nameDocuments(trial: Pick<Trial, 'documents'>, most: number): string | undefined {
  if (trial.documents === undefined) return undefined;
  const rows = listDocuments(trial);
  if (rows.length === 0) return 'nothing';
  const rest = rows.length > most ? `, … ${formatCount(rows.length - most)} more` : '';
  return `${rows
    .slice(0, most)
    .map(({ id }) => id)
    .join(', ')}${rest}`;
}
