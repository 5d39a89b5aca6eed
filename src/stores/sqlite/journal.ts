import { type JournalFile, newestOf, openJournalFile } from './journal-file.ts';
import { claimJournal, createLeftJournals, journalFileOf, type LeftJournalNeeds } from './left-journals.ts';
import type { Placed } from './pages/piece.ts';

/**
 * Keeps rows that come a few at a time for as long as it takes to have many: a line at the end of a file costs a tenth of
 * a transaction, and survives the process as well.
 */
export interface Journal<Value> {
  /**
   * Keeps rows of a run; false when they are better put into the tables at once: they come slowly, or another process keeps
   * the journal of this run.
   */
  append(run: number, rows: readonly Placed<Value>[]): boolean;
  /** Whether this process keeps the journal of a run now. */
  isOpen(run: number): boolean;
  /** Moves what is in the journal of a run to where it belongs, also when a process has died over it. */
  settle(run: number): void;
  /** Lets go of a run that is over, or is to be forgotten, with all that is in its journal. */
  remove(run: number): void;
  /** Settles all and lets go. */
  close(): void;
}

/** What a journal works with. */
export interface JournalNeeds<Value> extends LeftJournalNeeds<Value> {
  /** So many rows are a page, and worth a transaction. */
  readonly many: number;
  /** After this long, in milliseconds, rows are put into the tables, so that others see them; slower ones go there at once. */
  readonly longestWaitMs: number;
}

/** So long rows are worth a transaction, however few they are. */
const muchBytes = 4 * 2 ** 20;

interface OpenJournal<Value> {
  readonly file: JournalFile<Value>;
  readonly release: () => void;
  waiting: Placed<Value>[];
}

/** The journals of a store: one for each run that is being made. */
export function createJournal<Value>({
  storeFile,
  many,
  longestWaitMs,
  idOf,
  keep,
}: JournalNeeds<Value>): Journal<Value> {
  const open = new Map<number, OpenJournal<Value>>();
  const left = createLeftJournals({ storeFile, idOf, keep });
  const comeFast = createPace(longestWaitMs);

  function begin(run: number): OpenJournal<Value> | undefined {
    const release = claimJournal(storeFile, run);
    if (release === undefined) return undefined;
    try {
      left.reuseAnswers(run);
      const file = openJournalFile<Value>(journalFileOf(storeFile, run), idOf(run));
      const begun = { file, release, waiting: [] };
      open.set(run, begun);
      return begun;
    } catch (error) {
      release();
      throw error;
    }
  }

  function empty(run: number, journal: OpenJournal<Value>): void {
    if (journal.waiting.length === 0) return;
    keep(run, newestOf(journal.waiting));
    journal.waiting = [];
    journal.file.empty();
  }

  const alarm = createAlarm(() => {
    try {
      for (const [run, journal] of open) empty(run, journal);
    } catch {
      // It is still in the journal, and the next call gets the error.
    }
  });

  function end(run: number, journal: OpenJournal<Value>): void {
    journal.file.remove();
    journal.release();
    open.delete(run);
  }

  return {
    append: (run, rows) => {
      const journal = comeFast() ? (open.get(run) ?? begin(run)) : undefined;
      if (journal === undefined) return false;
      if (endsPage(journal.waiting, many)) alarm.ring();
      journal.file.append(rows);
      journal.waiting.push(...rows);
      // Not at once even where there are many: work that waits for what was appended continues first.
      const isMuch = journal.waiting.length >= many || journal.file.size >= muchBytes;
      alarm.setFor(isMuch ? 0 : longestWaitMs);
      return true;
    },
    isOpen: (run) => open.has(run),
    settle: (run) => {
      const journal = open.get(run);
      if (journal !== undefined) empty(run, journal);
      else left.settle(run);
    },
    remove: (run) => {
      const journal = open.get(run);
      if (journal === undefined) left.remove(run);
      else end(run, journal);
    },
    close: () => {
      alarm.stop();
      for (const [run, journal] of open) {
        empty(run, journal);
        end(run, journal);
      }
    },
  };
}

/** Whether rows end with a page: then they go into the tables before those of the next, so that a page is one piece. */
function endsPage(rows: readonly Placed<unknown>[], size: number): boolean {
  const last = rows.at(-1);
  return last !== undefined && (last.place + 1) % size === 0;
}

/** Does something after a while, or at once; not later where it is then set for an earlier time. */
function createAlarm(work: () => void) {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const ring = () => {
    stop();
    work();
  };
  return {
    stop,
    ring,
    setFor: (milliseconds: number): void => {
      if (timer !== undefined && milliseconds > 0) return;
      stop();
      timer = setTimeout(ring, milliseconds).unref();
    },
  };
}

/** Tells whether it was asked less than so many milliseconds ago. */
function createPace(longestMs: number): () => boolean {
  let lastAt = -Infinity;
  return () => {
    const before = lastAt;
    lastAt = performance.now();
    return lastAt - before < longestMs;
  };
}
