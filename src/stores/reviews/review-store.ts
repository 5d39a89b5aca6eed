import type { Label, LabelMark, LabelPurpose } from '../../core/schema/review/label.ts';
import type { Reservation, ReviewItem, ReviewTask } from '../../core/schema/review/review-task.ts';
import type { Rubric, RubricEquivalence } from '../../core/schema/review/rubric.ts';
import type { Wish } from './admit.ts';

/** Records of people's labels. */
export interface ReviewRecords {
  readonly rubrics?: readonly Rubric[];
  readonly equivalences?: readonly RubricEquivalence[];
  readonly tasks?: readonly ReviewTask[];
  readonly items?: readonly ReviewItem[];
  readonly labels?: readonly Label[];
}

/** The numbers of records that were not in the store before. */
export type AddedRecords = Readonly<Record<keyof ReviewRecords, number>>;

/** The labels to read; a label must meet all conditions. */
export interface LabelChoice {
  /** The id of a task; null for labels without a task. */
  readonly task?: string | null;
  /** The id of a rubric, of any version. */
  readonly rubric?: string;
  /** The id of the run in which the answers were found. */
  readonly run?: string;
  /** The hash of an answer. */
  readonly answerHash?: string;
}

/** The request of a person for items. */
export interface ReservationRequest {
  readonly task: string;
  readonly person: string;
  /** The items, in the order in which they are preferred. */
  readonly wishes: readonly Wish[];
  /** The largest number of items. */
  readonly count: number;
  /** The current time, and the end of the reservations; ISO 8601. */
  readonly now: string;
  readonly until: string;
}

/** The labels that one person gives to one item, one for each rubric of the task. */
export interface Submission {
  readonly task: string;
  readonly item: number;
  readonly person: string;
  readonly purpose: LabelPurpose;
  readonly labels: readonly Label[];
  /** ISO 8601. */
  readonly now: string;
}

/**
 * The part of a store for people's labels. Labels never change and are not removed with the run whose answers they are
 * about: they were paid for with people's time, and they remain valid for the same answers in other runs. When the promise of
 * a write resolves, the data is stored, even if the process dies right afterwards. Methods that read throw `store-damaged` when a
 * record has changed since it was written, or when records are missing.
 */
export interface ReviewStore {
  /**
   * Adds records, all of them or none. A record that is stored already is left out. Throws `label-conflict` when a stored
   * record has the same id and another content.
   */
  add(records: ReviewRecords): Promise<AddedRecords>;
  /** Replaces the record of a rubric version, whose words stay the same. */
  updateRubric(rubric: Rubric): Promise<void>;
  /** Replaces the record of a task. Throws `review-not-found`. */
  updateTask(task: ReviewTask): Promise<void>;

  /** Returns all versions of all rubrics, by id and version. */
  readRubrics(): Promise<Rubric[]>;
  readEquivalences(): Promise<RubricEquivalence[]>;
  readTask(taskId: string): Promise<ReviewTask | undefined>;
  /** Returns all tasks, the newest first. */
  listTasks(): Promise<ReviewTask[]>;
  /** Returns the items of a task in the order of their positions, or only those at the given positions. */
  readItems(taskId: string, positions?: readonly number[]): Promise<ReviewItem[]>;
  /** Returns the position and the number of people of every item of a task, in order. It reads no records. */
  readItemHeads(taskId: string): Promise<Pick<ReviewItem, 'position' | 'people'>[]>;

  /** Yields labels in the order in which they were given. */
  readLabels(choice?: LabelChoice): AsyncIterable<Label>;
  /** Returns the part of the labels of a task from which its progress follows. It reads no records. */
  readMarks(taskId: string): Promise<LabelMark[]>;
  /** Counts labels. It reads no records. */
  countLabels(choice?: LabelChoice): Promise<number>;

  /**
   * Reserves items for a person: the first ones of the wishes that are still to be had, decided by `refuseLabel`. An item is
   * reserved by one person at a time; an own reservation is extended. Throws `review-not-found`.
   */
  reserve(request: ReservationRequest): Promise<Reservation[]>;
  /** Returns the reservations of a task, those included whose time is over. */
  readReservations(taskId: string): Promise<Reservation[]>;
  /** Ends the reservations of a person, of the given items or of all. */
  release(taskId: string, person: string, items?: readonly number[]): Promise<void>;
  /**
   * Stores the labels of one item, all of them or none, and ends its reservation. Labels that are stored already are no
   * error, so that a caller who never got an answer can send them again. Throws `label-refused` when `refuseLabel` refuses
   * them, `label-conflict` as `add` does, and `review-not-found` for an unknown task or item.
   */
  submit(submission: Submission): Promise<void>;

  /** Yields the undamaged labels, even where `readLabels` throws. */
  readWholeLabels(onLost: (what: string) => void): AsyncIterable<Label>;
}
