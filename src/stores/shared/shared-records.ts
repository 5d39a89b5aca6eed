/** The result of looking at a shared record: the value that it gets, and what the caller is to know. */
export interface SharedChange<Value, Result> {
  /** The new value; undefined to remove the record. The same object as before leaves the record as it is. */
  readonly value: Value | undefined;
  readonly result: Result;
}

/**
 * Decides about a shared record by its value, which is undefined where there is none, and by the time. It may be called
 * several times, so it must change nothing outside; the value may be changed in place only if it is returned as a copy.
 * @param now - Milliseconds since 1970 on the clock of the store, which is the same for all processes.
 */
export type SharedUpdate<Value, Result> = (
  value: Value | undefined,
  now: number,
) => SharedChange<Value, Result>;

/** Returns the beginning of the names of all shared records that belong to a run. */
export function recordsOfRun(runId: string): string {
  return `run/${runId}/`;
}

/** A shared record with its name. */
export interface SharedRecord<Value> {
  readonly name: string;
  readonly value: Value;
}

/**
 * The part of a store for what several processes must agree on while they work: limits, counts, signs of life. Records are
 * small JSON values, found by name. They are no results: none is exported, and all can be removed while nothing runs.
 */
export interface SharedRecords {
  /**
   * Changes a record in one step: nothing else changes it between the look at its value and the write of the new one. Every
   * change is made exactly once, unless the connection is lost during the write: then it may be made twice.
   */
  change<Value, Result>(name: string, update: SharedUpdate<Value, Result>): Promise<Result>;
  /** Lists the records whose names begin with a text, in the order of their names (by code points). */
  list<Value>(prefix: string): Promise<SharedRecord<Value>[]>;
  /** Removes a record. Returns whether there was one of that name. */
  remove(name: string): Promise<boolean>;
}
