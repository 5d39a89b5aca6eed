import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { useIsNarrow } from '../../parts/use-is-narrow.ts';
import { Card, Cells, Heading } from './case-cells.tsx';
import type { CaseColumn } from './columns.tsx';

interface CaseGridOptions {
  readonly run: Pick<Run, 'metrics' | 'scorecard' | 'targets'>;
  readonly columns: readonly CaseColumn[];
  /** The rows that are loaded. */
  readonly rows: readonly TrialRow[];
  /** The number of all rows; undefined as long as it is not known. */
  readonly rowCount: number | undefined;
  readonly sort: string;
  readonly onSort: (sort: string, column: string) => void;
  /** The name of the column by whose head the list was sorted last. */
  readonly sortedLast: string | undefined;
  readonly selected: ReadonlySet<number>;
  /** Selects a row, or no longer; with `isRange` all rows from the one selected before to this one. */
  readonly onSelect: (row: TrialRow, isRange?: boolean) => void;
  /** Selects all rows of the list, also those that are not loaded; none where some are selected. */
  readonly onSelectAll: () => void;
  readonly onOpen: (row: TrialRow) => void;
  /** Called for Ctrl-F: the browser's own search would find only the rows that are drawn. */
  readonly onFind: () => void;
  /** Called when the end of the loaded rows comes near. */
  readonly onEnd: () => void;
  /** The ordinal of the row to begin at: the case from which one comes back. */
  readonly start: number | undefined;
}

const heights = { row: 32, card: 96 };

/** The most rows that End reads; of more, the other end is the first when they are sorted the other way round. */
const mostRead = 20_000;

/** A table of which only the visible rows are drawn, with one row that has the focus. On a narrow screen, rows are cards. */
export function CaseGrid(options: CaseGridOptions) {
  const { columns, rows, rowCount, sort, selected, onSelect, onOpen, onEnd } = options;
  const isNarrow = useIsNarrow();
  const { frame, virtual, current, setCurrent, onKeyDown } = useRows(options, isNarrow);
  const items = virtual.getVirtualItems();
  const lastItem = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastItem >= rows.length - 30) onEnd();
  }, [lastItem, rows.length, onEnd]);
  const template = `1.75rem ${columns.map(({ width }) => width).join(' ')}`;
  const heads = isNarrow ? columns.filter((column) => column.sort !== undefined) : columns;
  return (
    <div
      ref={frame}
      role="grid"
      aria-label="Questions"
      aria-rowcount={rowCount === undefined ? -1 : rowCount + 1}
      aria-colcount={columns.length + 1}
      aria-multiselectable
      onKeyDown={onKeyDown}
      className="relative max-h-[max(24rem,calc(100vh-13rem))] overflow-auto rounded-lg border border-line"
    >
      <div className={isNarrow ? '' : 'min-w-[64rem]'}>
        <div
          role="row"
          aria-rowindex={1}
          className={`sticky top-0 z-1 gap-x-3 border-b border-line bg-surface px-3 text-xs text-quiet ${isNarrow ? 'flex items-center overflow-x-auto' : 'grid items-center'}`}
          style={isNarrow ? undefined : { gridTemplateColumns: template }}
        >
          <div role="columnheader" aria-colindex={1}>
            <input
              type="checkbox"
              checked={selected.size > 0}
              aria-label={selected.size > 0 ? 'Select none' : 'Select all'}
              title={selected.size > 0 ? 'Select none' : 'Select all'}
              onChange={options.onSelectAll}
              className="block size-4 accent-accent"
            />
          </div>
          {heads.map((column) => (
            <Heading
              key={column.name}
              column={column}
              number={columns.indexOf(column) + 2}
              sort={sort}
              onSort={options.onSort}
              isSortedLast={column.name === options.sortedLast}
            />
          ))}
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start: top, size }) => {
            const row = rows[index];
            if (row === undefined) return null;
            return (
              <div
                key={row.ordinal}
                role="row"
                data-index={index}
                aria-rowindex={index + 2}
                aria-selected={selected.has(row.ordinal)}
                tabIndex={index === Math.min(current, rows.length - 1) ? 0 : -1}
                onFocus={() => setCurrent(index)}
                onClick={() => onOpen(row)}
                className="absolute inset-x-0 cursor-pointer border-b border-line px-3 hover:bg-surface focus-visible:bg-accent-soft focus-visible:-outline-offset-2 aria-selected:bg-accent-soft"
                style={{ transform: `translateY(${top}px)`, height: size }}
              >
                {isNarrow ? (
                  <Card row={row} columns={columns} run={options.run} />
                ) : (
                  <Cells options={options} row={row} template={template} onSelect={onSelect} />
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Keeps the visible rows and the one that has the focus, which keys move. */
function useRows({ rows, onSelect, onOpen, onFind, start }: CaseGridOptions, isNarrow: boolean) {
  const frame = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      rows.findIndex(({ ordinal, attempts }) => {
        const first = ordinal - (ordinal % attempts.length);
        return start !== undefined && start >= first && start < first + attempts.length;
      }),
    ),
  );
  const wantsFocus = useRef(start !== undefined);
  /** True after End, until another key: each part that is loaded brings another last row. */
  const wantsEnd = useRef(false);
  const height = isNarrow ? heights.card : heights.row;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => height,
    overscan: 8,
    initialOffset: () => Math.max(0, current - 4) * height,
  });
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  const focusRow = (index: number): void => {
    const row = frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    wantsFocus.current = row === null || row === undefined;
    row?.focus({ preventScroll: true });
  };
  // A row that was not yet drawn when it was to have the focus gets it now.
  useEffect(() => {
    if (wantsFocus.current) focusRow(current);
  });
  const move = (to: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, to));
    setCurrent(next);
    virtual.scrollToIndex(next);
    focusRow(next);
  };
  useEffect(() => {
    if (wantsEnd.current && rows.length < mostRead) move(rows.length - 1);
    // It follows the rows alone.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [rows.length]);
  const withRow = (act: (row: TrialRow) => void) => (): void => {
    const row = rows[current];
    if (row !== undefined) act(row);
  };
  useKeys([
    {
      keys: 'j',
      does: 'Next row; in the list also ↓, Page Down and End',
      run: () => move(isFocused(frame.current) ? current + 1 : current),
    },
    {
      keys: 'k',
      does: 'Previous row; in the list also ↑, Page Up and Home',
      run: () => move(isFocused(frame.current) ? current - 1 : current),
    },
    { keys: 'x', does: 'Select the row', run: withRow((row) => onSelect(row)) },
    { keys: 'X', does: 'Select the rows up to here', run: withRow((row) => onSelect(row, true)) },
  ]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== 'row') return;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: current + 1,
      ArrowUp: current - 1,
      PageDown: current + 15,
      PageUp: current - 15,
      Home: 0,
      End: rows.length - 1,
    };
    const to = moves[event.key];
    wantsEnd.current = event.key === 'End';
    if ((event.ctrlKey || event.metaKey) && event.key === 'f') onFind();
    else if (to !== undefined) move(to);
    else if (event.key === 'Enter') withRow(onOpen)();
    else return;
    event.preventDefault();
  };
  return { frame, virtual, current, setCurrent, onKeyDown };
}

/** Moves the focus to the row that Tab goes to, for a button that disappears when it is used. */
export function focusCurrentRow(): void {
  document.querySelector<HTMLElement>('[role=row][tabindex="0"]')?.focus({ preventScroll: true });
}

function isFocused(frame: HTMLElement | null): boolean {
  return document.activeElement?.role === 'row' && frame?.contains(document.activeElement) === true;
}
