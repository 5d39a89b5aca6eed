import { EventEmitter } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { buildCase, buildFailedTrial, buildRun, buildTrial } from '../library/testing/build-records.ts';
import { createProgress } from './progress.ts';

interface Row {
  text: string;
  /** True when the line continues in the next row. */
  isWrapped: boolean;
}

/** A terminal that wraps lines at its width, and wraps them again when it is resized. */
class FakeTerminal extends EventEmitter {
  readonly isTTY = true;
  columns: number;
  #rows: Row[] = [{ text: '', isWrapped: false }];
  #at = 0;

  constructor(columns: number) {
    super();
    this.columns = columns;
  }

  write(written: string): boolean {
    for (const [piece] of written.matchAll(/\x1b\[2K|\x1b\[1A|[^]/gu)) {
      if (piece === '\x1b[2K') this.#row.text = '';
      else if (piece === '\x1b[1A') this.#at = Math.max(0, this.#at - 1);
      else if (piece === '\n') this.#nextRow(false);
      else if (piece !== '\r') this.#put(piece);
    }
    return true;
  }

  resize(columns: number): void {
    const lines = this.#rows.map(({ text, isWrapped }) => (isWrapped ? text : `${text}\n`)).join('');
    this.columns = columns;
    this.#rows = [{ text: '', isWrapped: false }];
    this.#at = 0;
    this.write(lines.slice(0, -1));
  }

  get screen(): string[] {
    const rows = this.#rows.map(({ text }) => text);
    return rows.slice(0, rows.findLastIndex((text) => text !== '') + 1);
  }

  get #row(): Row {
    return this.#rows[this.#at] as Row;
  }

  #put(character: string): void {
    if (columnsOf(this.#row.text + character) > this.columns) this.#nextRow(true);
    this.#row.text += character;
  }

  #nextRow(isWrapped: boolean): void {
    this.#row.isWrapped = isWrapped;
    this.#at += 1;
    this.#rows[this.#at] ??= { text: '', isWrapped: false };
  }
}

function columnsOf(text: string): number {
  return Array.from(text).reduce(
    (sum, each) => sum + (/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u.test(each) ? 2 : 1),
    0,
  );
}

const scorecard = { total: 0.5, lower: 0.5, upper: 0.5, grade: 'F', passed: false, explanation: '' };
const bots = ['日本語のボットと長い名前です', 'b'];
const trials = bots.flatMap((target) => [
  { case: buildCase(), trial: { ...buildTrial('yes'), target }, verdicts: {}, scorecard },
  { case: buildCase(), trial: { ...buildFailedTrial('timeout', 'late'), target }, verdicts: {}, scorecard },
]);
const waiting = { inFlight: 8, waiting: 4, resting: 0, limit: 8, reason: 'rate-limited' } as const;

/** Returns the progress view of a run that is one second old, on a terminal of the given width. */
function shownOn(columns: number) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const terminal = new FakeTerminal(columns);
  const progress = createProgress({
    spent: () => ({ targets: 1234.5, judges: 12.25, users: 1 }),
    busyAccounts: () => ['https://本社の言語モデル.example', 'b'].map((name) => ({ name, ...waiting })),
    stream: terminal as unknown as NodeJS.WriteStream,
  });
  progress.begin(buildRun({ dataset: { sources: ['a.jsonl'], cases: 1200, hash: 'x' } }));
  progress.call(1);
  progress.add(trials);
  vi.advanceTimersByTime(1000);
  return { terminal, progress };
}

test.each([1, 2, 3, 20, 30, 40, 80])(
  'on %i columns no line is wrapped, and nothing remains at the end',
  (columns) => {
    const { terminal, progress } = shownOn(columns);
    expect(terminal.screen.length).toBeLessThanOrEqual(3);
    progress.note('one');
    vi.advanceTimersByTime(1000);
    progress.end();
    expect(terminal.screen.join('')).toBe('one');
  },
);

test.each([20, 30, 40])('on %i columns there is no bar, which leaves room for the figures', (columns) => {
  expect(shownOn(columns).terminal.screen[0]).toMatch(/^4\/1,200 attempts/);
});

test.each([
  [80, 20],
  [80, 30],
  [40, 20],
  [30, 100],
])('a terminal resized from %i to %i columns shows nothing of the earlier view', (before, after) => {
  const { terminal, progress } = shownOn(before);
  progress.note('kept');
  vi.advanceTimersByTime(1000);
  terminal.resize(after);
  vi.advanceTimersByTime(1000);
  expect(terminal.screen).toHaveLength(4);
  progress.end();
  expect(terminal.screen).toEqual(['kept']);
});
