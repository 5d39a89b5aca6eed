import { canonicalJson } from '../../core/lib/content-hash.ts';
import { copyJson } from '../../core/lib/json/copy-json.ts';
import { compareLabels, type Label, markOf } from '../../core/schema/review/label.ts';
import type { Reservation, ReviewItem } from '../../core/schema/review/review-task.ts';
import { type ItemAtHand, refuseLabel } from './admit.ts';
import { itemNotFound, recordConflict, requireAdmission, taskNotFound } from './refusals.ts';
import type {
  AddedRecords,
  LabelChoice,
  ReservationRequest,
  ReviewRecords,
  ReviewStore,
  Submission,
} from './review-store.ts';
import { type MemoryTexts, valuesOf } from '../texts/memory-texts.ts';

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

/** The records and reservations, and the number of writes. */
interface Memory {
  readonly kept: KeptRecords;
  readonly reservations: Map<string, Reservation & { readonly task: string }>;
  writes: number;
}

/** Creates an empty collection of labels in memory. `countWrites` returns a number that grows with every write. */
export function createMemoryReviews(): {
  readonly reviews: ReviewStore;
  readonly countWrites: () => number;
  /** The records whose texts may be erased. */
  readonly texts: Pick<MemoryTexts, 'equivalence' | 'review-item' | 'label'>;
} {
  const memory: Memory = {
    kept: {
      rubrics: new Map(),
      equivalences: new Map(),
      tasks: new Map(),
      items: new Map(),
      labels: new Map(),
    },
    reservations: new Map(),
    writes: 0,
  };
  const reviews = { ...recordMethods(memory), ...labelMethods(memory), ...workMethods(memory) };
  const { equivalences, items, labels } = memory.kept;
  const texts = {
    equivalence: () => valuesOf(equivalences),
    'review-item': () => valuesOf(items),
    label: () => valuesOf(labels),
  };
  return { reviews, countWrites: () => memory.writes, texts };
}

type LabelMethods = 'readLabels' | 'readMarks' | 'countLabels' | 'readWholeLabels';
type WorkMethods = 'reserve' | 'readReservations' | 'release' | 'submit';

function recordMethods(memory: Memory): Omit<ReviewStore, LabelMethods | WorkMethods> {
  const { kept } = memory;
  return {
    add: async (records) => add(memory, records),
    updateRubric: async (rubric) => {
      memory.writes += 1;
      kept.rubrics.set(kinds.rubrics.keyOf(rubric), copyJson(rubric));
    },
    updateTask: async (task) => {
      if (!kept.tasks.has(task.id)) throw taskNotFound(task.id);
      memory.writes += 1;
      kept.tasks.set(task.id, copyJson(task));
    },
    readRubrics: async () => copyJson(sortedBy([...kept.rubrics.values()], kinds.rubrics.keyOf)),
    readEquivalences: async () =>
      copyJson(sortedBy([...kept.equivalences.values()], kinds.equivalences.keyOf)),
    readTask: async (taskId) => copyJson(kept.tasks.get(taskId)),
    listTasks: async () =>
      copyJson(sortedBy([...kept.tasks.values()], ({ createdAt, id }) => `${createdAt} ${id}`).toReversed()),
    readItems: async (taskId, positions) => {
      const wanted = positions && new Set(positions);
      return copyJson(itemsOf(memory, taskId).filter(({ position }) => wanted?.has(position) !== false));
    },
    readItemHeads: async (taskId) =>
      itemsOf(memory, taskId).map(({ position, people }) => ({ position, people })),
  };
}

function labelMethods({ kept }: Memory): Pick<ReviewStore, LabelMethods> {
  return {
    readLabels: async function* (choice = {}) {
      yield* copyJson(labelsOf(kept, choice));
    },
    // Without copies of the labels, which never change: every answer of a task reads all of its marks.
    readMarks: async (taskId) => labelsOf(kept, { task: taskId }).map(markOf),
    countLabels: async (choice = {}) => labelsOf(kept, choice).length,
    readWholeLabels: async function* () {
      yield* copyJson(labelsOf(kept, {}));
    },
  };
}

function workMethods(memory: Memory): Pick<ReviewStore, WorkMethods> {
  const { kept, reservations } = memory;
  return {
    reserve: async (request) => reserve(memory, request),
    readReservations: async (taskId) =>
      [...reservations.values()]
        .filter(({ task }) => task === taskId)
        .sort((one, other) => one.item - other.item)
        .map(({ task: _of, ...reservation }) => reservation),
    release: async (taskId, person, items) => {
      memory.writes += 1;
      for (const [key, { task, item, person: holder }] of reservations)
        if (task === taskId && holder === person && items?.includes(item) !== false) reservations.delete(key);
    },
    submit: async (submission: Submission) => {
      const { task, item, labels } = submission;
      const isKept = labels.every(({ id }) => kept.labels.has(id));
      if (!isKept) requireAdmission(itemAtHand(memory, task, item), submission);
      add(memory, { labels });
      if (!isKept) reservations.delete(`${task} ${item}`);
    },
  };
}

function reserve(memory: Memory, request: ReservationRequest): Reservation[] {
  const { task, person, wishes, count, now, until } = request;
  if (!memory.kept.tasks.has(task)) throw taskNotFound(task);
  const reserved: Reservation[] = [];
  for (const { item, purpose } of wishes) {
    if (reserved.length === count) break;
    if (refuseLabel(itemAtHand(memory, task, item), { person, purpose, now }) !== undefined) continue;
    const reservation = { item, person, purpose, until };
    memory.reservations.set(`${task} ${item}`, { ...reservation, task });
    reserved.push(reservation);
  }
  memory.writes += Number(reserved.length > 0);
  return reserved;
}

function itemAtHand({ kept, reservations }: Memory, task: string, item: number): ItemAtHand {
  const found = kept.items.get(`${task} ${item}`);
  if (found === undefined) throw kept.tasks.has(task) ? itemNotFound(task, item) : taskNotFound(task);
  const own = [...kept.labels.values()].filter((label) => label.task === task && label.item === item);
  return {
    marks: own.sort(compareLabels).map(markOf),
    people: found.people,
    reservation: reservations.get(`${task} ${item}`),
  };
}

function add(memory: Memory, records: ReviewRecords): AddedRecords {
  const fresh = freshRecords(memory.kept, records);
  memory.writes += 1;
  const counts = Object.entries(fresh).map(([kind, entries]) => {
    const map = memory.kept[kind as keyof ReviewRecords] as Kept<unknown>;
    for (const [key, record] of entries) map.set(key, copyJson(record));
    return [kind, entries.size];
  });
  return Object.fromEntries(counts) as AddedRecords;
}

function labelsOf({ labels }: KeptRecords, choice: LabelChoice): Label[] {
  return [...labels.values()].filter(matches(choice)).sort(compareLabels);
}

function itemsOf({ kept }: Memory, taskId: string): ReviewItem[] {
  return [...kept.items.values()]
    .filter(({ task }) => task === taskId)
    .sort((one, other) => one.position - other.position);
}

/** Returns records in the order of a text, by code units. */
function sortedBy<Each>(records: readonly Each[], keyOf: (record: Each) => string): Each[] {
  return records.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
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
