import { notesRubricId } from '../../../core/schema/modes/mode.ts';
import { type Label, labelsInForce } from '../../../core/schema/review/label.ts';
import { labelKind } from '../../../stores/kinds/label.ts';
import type { DocumentStore } from '../../../stores/documents/document-store.ts';

/** Reads the notes of what went wrong that are in force, in a review task or in all of them: labels, the oldest first. */
export async function readNotes(documents: DocumentStore, task?: string): Promise<Label[]> {
  const where = task === undefined ? { rubric: notesRubricId } : { rubric: notesRubricId, task };
  const labels = await Array.fromAsync(documents.list(labelKind, { where }));
  return labelsInForce(labels).filter(
    ({ outcome, note = '' }) => outcome.status === 'answered' && outcome.value === true && note.trim() !== '',
  );
}

/** Returns what went wrong first, as a note says it. */
export function firstFault({ note = '' }: Pick<Label, 'note'>): string {
  return note.trim().split('\n', 1)[0]?.trim() ?? '';
}
