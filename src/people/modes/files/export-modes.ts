import type { Label, Subject } from '../../../core/schema/review/label.ts';
import { notesRubricId } from '../../../core/schema/modes/mode.ts';
import type { ReviewItem } from '../../../core/schema/review/review-task.ts';
import { csvLine } from '../../../look/reporters/csv.ts';
import { labelKind } from '../../../stores/kinds/label.ts';
import type { Store } from '../../../stores/store.ts';
import { readItems } from '../../../stores/reviews/review-records.ts';
import { labelsInForce } from '../../../core/schema/review/label.ts';
import { answerId, readMarksOf } from '../read-marks.ts';
import { openModes, readModes } from '../read-modes.ts';
import { listNoteTasks } from '../read-notes.ts';

/** The columns before the columns of modes, in files of what was read. */
const noteColumns = [
  'case',
  'target',
  'attempt',
  'run',
  'stratum',
  'probability',
  'reviewer',
  'at',
  'anything_wrong',
  'note',
  'first',
] as const;

/** The beginning of the name of a column of a mode. */
export const modeColumn = 'mode:';

/** The columns of a file of failure modes. */
const definitionColumns = ['id', 'name', 'definition', 'includes', 'excludes', 'state', 'into'] as const;

/**
 * Yields the lines of a table of what was read, as CSV: one for each reader of an answer, with `yes`, `no` or nothing for each open mode; and one for each
 * answer that was drawn and not read yet, since the chances of a draw follow from all of them.
 */
export async function* exportNotes(
  store: Store,
  { run }: { readonly run?: string } = {},
): AsyncGenerator<string> {
  const { documents } = store;
  const modes = await readModes(documents);
  const open = openModes(modes);
  const marks = await readMarksOf(documents, modes, open);
  yield csvLine([...noteColumns, ...open.map(({ id }) => modeColumn + id)]);
  const tasks = (await listNoteTasks(documents)).filter(
    ({ frame }) => run === undefined || frame.run === run,
  );
  // As many cells as the others.
  const unread = Array.from({ length: noteColumns.length - 6 + open.length }, () => '');
  for (const { id } of tasks.toReversed()) {
    const all = await Array.fromAsync(
      documents.list(labelKind, { where: { task: id, rubric: notesRubricId } }),
    );
    const byItem = Map.groupBy(labelsInForce(all), ({ item }) => item);
    for (const item of await readItems(documents, id)) {
      const labels = (byItem.get(item.position) ?? []).filter(({ outcome }) => outcome.status === 'answered');
      if (labels.length === 0) yield csvLine([...placeCells(item), ...unread]);
      for (const label of labels) {
        const said = open.map((mode) => marks.get(mode.id)?.get(answerId(item.subject)));
        const person = label.by.person;
        const first = open.find(
          (_, place) => said[place]?.isFirst === true && said[place].people.get(person) === true,
        );
        yield csvLine([
          ...placeCells(item),
          ...noteCells(label),
          first?.id ?? '',
          ...said.map((mark) => yesOrNo(mark?.people.get(person))),
        ]);
      }
    }
  }
}

function placeCells({
  subject,
  stratum,
  probability,
}: Pick<ReviewItem, 'stratum' | 'probability'> & { readonly subject: Subject }) {
  return [subject.caseId, subject.target, subject.attempt, subject.run ?? '', stratum, probability ?? ''];
}

function noteCells({ by, at, outcome, note }: Label) {
  const isWrong = outcome.status === 'answered' && outcome.value === true;
  return [by.person, at, yesOrNo(isWrong), note ?? ''];
}

function yesOrNo(value: boolean | undefined): string {
  if (value === undefined) return '';
  return value ? 'yes' : 'no';
}

/** Yields the lines of a table of the failure modes, as CSV. Several sentences of what a mode includes are lines of one cell. */
export async function* exportDefinitions({ documents }: Pick<Store, 'documents'>): AsyncGenerator<string> {
  const { current } = await readModes(documents);
  yield csvLine(definitionColumns);
  for (const { id, name, definition, includes, excludes, state } of current.values()) {
    const into = state.status === 'merged' ? [state.into] : state.status === 'split' ? state.into : [];
    yield csvLine([
      id,
      name,
      definition,
      includes.join('\n'),
      excludes.join('\n'),
      state.status,
      into.join(' '),
    ]);
  }
}
