import { canonicalJson } from '../../lib/content-hash.ts';
import { compareLabels, type Label, markOf } from '../../schema/review/label.ts';
import type { Reservation, ReviewItem, ReviewTask } from '../../schema/review/review-task.ts';
import { refuseLabel } from './admit.ts';
import { itemNotFound, recordConflict, requireAdmission, taskNotFound } from './refusals.ts';
import type {
  AddedRecords,
  LabelChoice,
  ReservationRequest,
  ReviewRecords,
  ReviewStore,
  Submission,
} from './review-store.ts';

/** The records of one kind by their keys. */
type Kept<Each> = Map<string, Each>;

type KeptRecords = {
  readonly [Kind in keyof ReviewRecords]-?: Kept<NonNullable<ReviewRecords[Kind]>[number]>;
};

/** The names of the records in messages, and their keys. */
const kinds = {
  rubrics: {
    noun: 'rubric',
    keyOf: ({ id, version }: { id: string; version: string }) => `${id} ${version}`,
  },
  equivalences: { noun: 'equivalence', keyOf: ({ id }: { id: string }) => id },
  tasks: { noun: 'review task', keyOf: ({ id }: { id: string }) => id },
  items: { noun: 'item', keyOf: ({ task, position }: ReviewItem) => `${task} ${position}` },
  labels: { noun: 'label', keyOf: ({ id }: { id: string }) => id },
};

/** Creates an empty collection of labels in memory. `countWrites` returns a number that grows with every write. */
export function createMemoryReviews(): { readonly reviews: ReviewStore; readonly countWrites: () => number } {
  const kept: KeptRecords = {
    rubrics: new Map(),
    equivalences: new Map(),
    tasks: new Map(),
    items: new Map(),
    labels: new Map(),
  };
  const reservations = new Map<string, Reservation & { readonly task: string }>();
  let writes = 0;

  const labelsOf = (choice: LabelChoice) =>
    [...kept.labels.values()].filter(matches(choice)).sort(compareLabels);
  const itemsOf = (taskId: string) =>
    [...kept.items.values()]
      .filter(({ task }) => task === taskId)
      .sort((one, other) => one.position - other.position);
  const itemAtHand = (task: string, item: number) => {
    const found = kept.items.get(`${task} ${item}`);
    if (found === undefined) throw kept.tasks.has(task) ? itemNotFound(task, item) : taskNotFound(task);
    const marks = labelsOf({ task })
      .filter((label) => label.item === item)
      .map(markOf);
    return { marks, people: found.people, reservation: reservations.get(`${task} ${item}`) };
  };

  const add = (records: ReviewRecords): AddedRecords => {
    const fresh = freshRecords(kept, records);
    writes += 1;
    const counts = Object.entries(fresh).map(([kind, entries]) => {
      const map = kept[kind as keyof ReviewRecords] as Kept<unknown>;
      for (const [key, record] of entries) map.set(key, structuredClone(record));
      return [kind, entries.size];
    });
    return Object.fromEntries(counts) as AddedRecords;
  };

  const reviews: ReviewStore = {
    add: async (records) => add(records),
    updateRubric: async (rubric) => {
      writes += 1;
      kept.rubrics.set(kinds.rubrics.keyOf(rubric), structuredClone(rubric));
    },
    updateTask: async (task) => {
      if (!kept.tasks.has(task.id)) throw taskNotFound(task.id);
      writes += 1;
      kept.tasks.set(task.id, structuredClone(task));
    },
    readRubrics: async () =>
      structuredClone(
        [...kept.rubrics.values()].sort((one, other) =>
          kinds.rubrics.keyOf(one) < kinds.rubrics.keyOf(other) ? -1 : 1,
        ),
      ),
    readEquivalences: async () =>
      structuredClone([...kept.equivalences.values()].sort((one, other) => (one.id < other.id ? -1 : 1))),
    readTask: async (taskId) => structuredClone(kept.tasks.get(taskId)),
    listTasks: async () => structuredClone([...kept.tasks.values()].sort(compareTasks)),
    readItems: async (taskId, positions) => {
      const wanted = positions && new Set(positions);
      return structuredClone(itemsOf(taskId).filter(({ position }) => wanted?.has(position) !== false));
    },
    readItemHeads: async (taskId) => itemsOf(taskId).map(({ position, people }) => ({ position, people })),
    readLabels: async function* (choice = {}) {
      yield* structuredClone(labelsOf(choice));
    },
    readMarks: async (taskId) => structuredClone(labelsOf({ task: taskId }).map(markOf)),
    countLabels: async (choice = {}) => labelsOf(choice).length,
    reserve: async ({ task, person, wishes, count, now, until }: ReservationRequest) => {
      if (!kept.tasks.has(task)) throw taskNotFound(task);
      const reserved: Reservation[] = [];
      for (const { item, purpose } of wishes) {
        if (reserved.length === count) break;
        if (refuseLabel(itemAtHand(task, item), { person, purpose, now }) !== undefined) continue;
        const reservation = { item, person, purpose, until };
        reservations.set(`${task} ${item}`, { ...reservation, task });
        reserved.push(reservation);
      }
      writes += Number(reserved.length > 0);
      return reserved;
    },
    readReservations: async (taskId) =>
      [...reservations.values()]
        .filter(({ task }) => task === taskId)
        .sort((one, other) => one.item - other.item)
        .map(({ task: _of, ...reservation }) => reservation),
    release: async (taskId, person, items) => {
      writes += 1;
      for (const [key, { task, item, person: holder }] of reservations)
        if (task === taskId && holder === person && items?.includes(item) !== false) reservations.delete(key);
    },
    submit: async (submission: Submission) => {
      const { task, item, labels } = submission;
      const isKept = labels.every(({ id }) => kept.labels.has(id));
      if (!isKept) requireAdmission(itemAtHand(task, item), submission);
      add({ labels });
      if (!isKept) reservations.delete(`${task} ${item}`);
    },
    readWholeLabels: async function* () {
      yield* structuredClone(labelsOf({}));
    },
  };
  return { reviews, countWrites: () => writes };
}

/** Returns the records that are not kept yet. Throws `label-conflict` when one is kept with another content. */
function freshRecords(kept: KeptRecords, records: ReviewRecords) {
  const entries = Object.entries(kinds).map(([kind, { noun, keyOf }]) => {
    const fresh = new Map<string, unknown>();
    const known = kept[kind as keyof ReviewRecords] as ReadonlyMap<string, unknown>;
    for (const record of records[kind as keyof ReviewRecords] ?? []) {
      const key = (keyOf as (record: unknown) => string)(record);
      const same = known.get(key) ?? fresh.get(key);
      if (same === undefined) fresh.set(key, record);
      else if (canonicalJson(same) !== canonicalJson(record)) throw recordConflict(noun, key);
    }
    return [kind, fresh] as const;
  });
  return Object.fromEntries(entries);
}

function matches({ task, rubric, run, answerHash }: LabelChoice): (label: Label) => boolean {
  return (label) =>
    (task === undefined || label.task === task) &&
    (rubric === undefined || label.rubric.id === rubric) &&
    (run === undefined || label.subject.run === run) &&
    (answerHash === undefined || label.subject.answerHash === answerHash);
}

function compareTasks(one: ReviewTask, other: ReviewTask): number {
  const [a, b] = [`${one.createdAt} ${one.id}`, `${other.createdAt} ${other.id}`];
  return a > b ? -1 : Number(a < b);
}
