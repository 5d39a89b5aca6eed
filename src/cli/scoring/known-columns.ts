import type { FieldMapping } from '../../datasets/field-mapping.ts';
import { hashContent } from '../../lib/content-hash.ts';
import { answerColumns, type RecordAliases, taskColumns } from '../../targets/replay/record-aliases.ts';

/** The columns of which it is known what they hold: a part of a case, a part of an answer, or how both are found. */
export function knownColumns({
  aliases,
  mapping,
}: {
  readonly aliases: RecordAliases;
  readonly mapping: FieldMapping;
}): (name: string) => boolean {
  const columns = new Set([...answerColumns(aliases), ...aliases.id, ...aliases.question, ...taskColumns]);
  return (name) => columns.has(name) || mapping.targetOf(name) !== undefined;
}

/** A hash of what a column holds; the same one for all that cannot be hashed: the check of the case says what it is. */
export function hashCell(cell: unknown): string {
  try {
    return hashContent(cell ?? null);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return '';
    throw error;
  }
}
