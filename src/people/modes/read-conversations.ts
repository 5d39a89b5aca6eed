import { notesRubricId } from '../../core/schema/modes/mode.ts';
import type { Grouping } from '../../core/schema/modes/grouping.ts';
import type { ReadConversation, Reading } from '../../core/schema/modes/reading.ts';
import { questionOf } from '../../core/schema/case.ts';
import { labelsInForce, type Subject } from '../../core/schema/review/label.ts';
import { labelKind } from '../../stores/kinds/label.ts';
import { groupingKind } from '../../stores/kinds/mode.ts';
import type { DocumentStore } from '../../stores/documents/document-store.ts';
import type { Store } from '../../stores/store.ts';
import { answerId, readMarksOf } from './read-marks.ts';
import { openModes, readModes } from './read-modes.ts';

/** The length up to which a question is shown in a list. */
const longestQuestion = 200;

/**
 * Reads the conversations that a person has read, with their own notes and marks; the notes and marks of others are hidden, as they are
 * while people read, and once the own mark is there, it says only where another person's mark differs. Of one run, or of all.
 */
export async function readConversations(
  store: Store,
  { person, run }: { readonly person: string; readonly run?: string },
): Promise<Reading> {
  const { documents } = store;
  const modes = await readModes(documents);
  const open = openModes(modes);
  const marks = await readMarksOf(documents, modes, open);
  const where = { rubric: notesRubricId, person };
  const labels = labelsInForce(await Array.fromAsync(documents.list(labelKind, { where })));
  const own = labels.filter(({ subject }) => run === undefined || subject.run === run);
  const questions = await readQuestions(store, own);
  const conversations = own.flatMap(({ id, task, item, outcome, subject, note = '', spans = [] }) => {
    if (outcome.status !== 'answered' || task === null || item === null) return [];
    const answer = answerId(subject);
    const said = open.flatMap((mode): [string, boolean][] => {
      const value = marks.get(mode.id)?.get(answer)?.people.get(person);
      return value === undefined ? [] : [[mode.id, value]];
    });
    const values = Object.fromEntries(said);
    const isDisputed = ({ id: mode }: { readonly id: string }) =>
      values[mode] !== undefined && marks.get(mode)?.get(answer)?.value === 'disputed';
    const isWrong = outcome.value === true;
    const read: ReadConversation = {
      note: id,
      task,
      item,
      isWrong,
      text: note,
      question: questions.get(questionKey(subject)) ?? subject.caseId,
      spans,
      marks: values,
      disputed: open.filter(isDisputed).map(({ id: mode }) => mode),
    };
    return [read];
  });
  return {
    run: run ?? own.at(-1)?.subject.run ?? null,
    modes: open.map(({ id, name, definition, includes, excludes }) => ({
      id,
      name,
      definition,
      includes,
      excludes,
    })),
    conversations,
    grouping: await readGrouping(documents, new Set(conversations.map(({ note }) => note))),
  };
}

function questionKey({ run = '', caseId }: Subject): string {
  return `${run} ${caseId}`;
}

/** Reads the beginnings of the questions of answers, while their runs are stored. */
async function readQuestions(
  store: Store,
  labels: readonly { readonly subject: Subject }[],
): Promise<ReadonlyMap<string, string>> {
  const questions = new Map<string, string>();
  const runs = new Set(labels.map(({ subject }) => subject.run ?? ''));
  // Notes and marks outlive the run, which retention removes.
  for (const run of runs) if ((await store.readRun(run)) === undefined) runs.delete(run);
  for (const { subject } of labels) {
    const key = questionKey(subject);
    if (subject.run === undefined || !runs.has(subject.run) || questions.has(key)) continue;
    const planned = await store.findCase(subject.run, subject.caseId);
    if (planned !== undefined) questions.set(key, questionOf(planned.case).slice(0, longestQuestion));
  }
  return questions;
}

/** Reads the groups that were suggested last, of these notes alone; null without any. */
async function readGrouping(documents: DocumentStore, notes: ReadonlySet<string>): Promise<Grouping | null> {
  for await (const grouping of documents.list(groupingKind)) {
    const groups = grouping.groups
      .map((group) => ({ ...group, notes: group.notes.filter((id) => notes.has(id)) }))
      .filter((group) => group.notes.length > 0);
    return { ...grouping, groups, ungrouped: grouping.ungrouped.filter((id) => notes.has(id)) };
  }
  return null;
}
