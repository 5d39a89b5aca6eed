import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { sides } from '../../../../src/core/lib/filter/filter.ts';
import type { MatrixHead, MatrixRow } from '../../../../src/core/schema/api/comparison/matrix.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { useHasPage } from '../../parts/links/use-has-page.ts';
import { ColumnHead } from './column-head.tsx';
import { matrixSearch, QuestionCell, AnswerCell } from './matrix-cells.tsx';
import type { Lines } from './matrix-tools.tsx';
import { withoutColumn } from './without-column.ts';

const route = getRouteApi('/matrix');

interface MatrixTableOptions {
  readonly columns: readonly MatrixHead[];
  /** The rows that are loaded. */
  readonly rows: readonly MatrixRow[];
  /** The number of all rows; undefined as long as it is not known. */
  readonly rowCount: number | undefined;
  readonly lines: Lines;
  /** The column whose words others are compared with; -1 for none. */
  readonly against: number;
  readonly isBusy: boolean;
  /** Called when the end of the loaded rows comes near. */
  readonly onEnd: () => void;
  /** Edits a question in its file; undefined where that is not possible. */
  readonly onEdit: ((row: MatrixRow) => void) | undefined;
}

/** The height of a row before it is measured. */
const heights: Readonly<Record<Lines, number>> = { '1': 84, '4': 148, all: 220 };

/** A cell of the table: the question is in column -1. */
interface Place {
  readonly row: number;
  readonly column: number;
}

/** A table of which only the visible rows are drawn, with one cell that has the focus. Keys move it from cell to cell. */
export function MatrixTable(options: MatrixTableOptions) {
  const { columns, rows, rowCount, lines, against, isBusy, onEnd, onEdit } = options;
  const { frame, virtual, current, setCurrent, onKeyDown, opened, toggle } = useCells(options);
  const items = virtual.getVirtualItems();
  const lastItem = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (lastItem >= rows.length - 20) onEnd();
  }, [lastItem, rows.length, onEnd]);
  const template = `var(--question) repeat(${columns.length}, minmax(var(--answer), 1fr))`;
  const row = { gridTemplateColumns: template };
  const cellProps = (place: Place) => ({
    'data-cell': `${place.row}:${place.column}`,
    'aria-colindex': place.column + 2,
    tabIndex:
      place.row === Math.min(current.row, rows.length - 1) && place.column === current.column ? 0 : -1,
    onFocus: () => setCurrent(place),
  });
  return (
    <div
      ref={frame}
      role="grid"
      aria-label="Answers side by side"
      aria-busy={isBusy}
      aria-rowcount={rowCount === undefined ? -1 : rowCount + 1}
      aria-colcount={columns.length + 1}
      onKeyDown={onKeyDown}
      className="scroll-sign relative max-h-[max(26rem,calc(100vh-11rem))] overflow-auto rounded-lg border border-line [--answer:14rem] [--question:8rem] sm:[--answer:17rem] sm:[--question:15rem]"
    >
      <div className="w-max min-w-full">
        <HeadRow columns={columns} style={row} />
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start: top }) => {
            const shown = rows[index];
            if (shown === undefined) return null;
            const isOpen = opened.has(shown.position);
            return (
              <div
                key={shown.position}
                ref={virtual.measureElement}
                role="row"
                data-index={index}
                aria-rowindex={index + 2}
                className="absolute inset-x-0 grid border-b border-line"
                style={{ ...row, transform: `translateY(${top}px)` }}
              >
                <QuestionCell
                  row={shown}
                  lines={isOpen ? 'all' : lines}
                  isOpen={isOpen}
                  onToggle={lines === 'all' ? undefined : () => toggle(shown)}
                  onEdit={onEdit && (() => onEdit(shown))}
                  {...cellProps({ row: index, column: -1 })}
                />
                {columns.map((column, at) => (
                  <AnswerCell
                    key={`${column.run} ${column.target}`}
                    row={shown}
                    column={column}
                    at={at}
                    against={at === against ? -1 : against}
                    lines={isOpen ? 'all' : lines}
                    {...cellProps({ row: index, column: at })}
                  />
                ))}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface HeadRowOptions extends Pick<MatrixTableOptions, 'columns'> {
  readonly style: { readonly gridTemplateColumns: string };
}

function HeadRow({ columns, style }: HeadRowOptions) {
  return (
    <div
      role="row"
      aria-rowindex={1}
      className="sticky top-0 z-2 grid border-b border-line bg-surface"
      style={style}
    >
      <div
        role="columnheader"
        aria-colindex={1}
        className="sticky left-0 bg-surface px-3 py-2 text-xs font-medium text-quiet"
      >
        Question
      </div>
      {columns.map((column, at) => (
        <ColumnHead key={`${column.run} ${column.target}`} columns={columns} at={at} />
      ))}
    </div>
  );
}

/** Reads the place of the cell that one comes back to, such as `12b`; its question is row 12 of the plan. */
function readPlace(at: string | undefined, rows: readonly MatrixRow[]): Place | undefined {
  const [, position, side] = /^(\d+)([a-h])$/.exec(at ?? '') ?? [];
  const row = rows.findIndex((each) => String(each.position) === position);
  return row === -1 ? undefined : { row, column: sides.findIndex((each) => each === side) };
}

/** Keeps the visible rows, the opened ones and the cell that has the focus, which keys move. */
function useCells({ rows, columns, lines, onEdit }: MatrixTableOptions) {
  const search = route.useSearch();
  const navigate = useNavigate();
  const hasPage = useHasPage('/runs/$run/cases/$ordinal');
  const frame = useRef<HTMLDivElement>(null);
  const [start] = useState(() => readPlace(search.at, rows));
  const [current, setCurrent] = useState<Place>(start ?? { row: 0, column: 0 });
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set());
  const wantsFocus = useRef(start !== undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => heights[lines],
    overscan: 4,
    initialOffset: () => Math.max(0, current.row - 1) * heights[lines],
  });
  useEffect(() => virtual.measure(), [virtual, lines]);
  const focusCell = ({ row, column }: Place): void => {
    const cell = frame.current?.querySelector<HTMLElement>(`[data-cell="${row}:${column}"]`);
    wantsFocus.current = cell === null || cell === undefined;
    cell?.focus({ preventScroll: true });
    cell?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  // A cell that was not yet drawn when it was to have the focus gets it now.
  useEffect(() => {
    if (wantsFocus.current) focusCell(current);
  });
  const move = (to: Place): void => {
    const next = {
      row: Math.min(rows.length - 1, Math.max(0, to.row)),
      column: Math.min(columns.length - 1, Math.max(-1, to.column)),
    };
    setCurrent(next);
    virtual.scrollToIndex(next.row, { align: 'auto' });
    focusCell(next);
  };
  const toggle = ({ position }: MatrixRow): void => {
    const after = new Set(opened);
    if (!after.delete(position)) after.add(position);
    setOpened(after);
  };
  const open = ({ row, column }: Place): void => {
    const shown = rows[row];
    const at = Math.max(0, column);
    const [of, cell] = [columns[at], shown?.cells[at]];
    if (shown === undefined || of === undefined || cell === undefined || cell.ordinal === null) return;
    if (!hasPage) toggle(shown);
    else
      void navigate({
        to: '/runs/$run/cases/$ordinal',
        params: { run: of.run, ordinal: String(cell.ordinal) },
        search: { matrix: matrixSearch(search, shown, at) },
      });
  };
  const isWithin = (): boolean => frame.current?.contains(document.activeElement) === true;
  const step = (by: number) => (): void =>
    move({ ...current, row: isWithin() ? current.row + by : current.row });
  useKeys([
    {
      keys: 'j',
      does: 'Next row; arrow keys go from cell to cell, Enter opens one, Space its whole texts',
      run: step(1),
    },
    { keys: 'k', does: 'Previous row', run: step(-1) },
  ]);
  const shown = rows[current.row];
  useEditKey(shown, onEdit);
  useLeaveOutKey(columns, current);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLElement) || event.target.dataset['cell'] === undefined) return;
    const to = moveOf(event, current, { rows: rows.length, columns: columns.length });
    if (to !== undefined) move(to);
    else if (event.key === 'Enter') open(current);
    else if (event.key === ' ' && shown !== undefined) toggle(shown);
    else return;
    event.preventDefault();
  };
  return { frame, virtual, current, setCurrent, onKeyDown, opened, toggle };
}

/** Binds `E`, which edits the question of the row. */
function useEditKey(row: MatrixRow | undefined, onEdit: MatrixTableOptions['onEdit']): void {
  const isBound = onEdit !== undefined && row !== undefined;
  useKeys(isBound ? [{ keys: 'E', does: 'Edit the question of the row', run: () => onEdit(row) }] : []);
}

/** Binds `x`, which leaves out the column of the current cell. */
function useLeaveOutKey(columns: readonly MatrixHead[], { column }: Place): void {
  const isFile = useIsFile();
  const search = route.useSearch();
  const navigate = useNavigate();
  const leaveOut = (): void => {
    if (column < 0 || columns.length === 1) return;
    void navigate({ to: '/matrix', search: withoutColumn(search, columns, column) });
  };
  useKeys(isFile ? [] : [{ keys: 'x', does: 'Leave out the column of the cell', run: leaveOut }]);
}

/** Returns the place that a key leads to; undefined for another key. */
function moveOf(
  { key, ctrlKey }: Pick<KeyboardEvent, 'key' | 'ctrlKey'>,
  { row, column }: Place,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Place | undefined {
  const moves: Readonly<Record<string, Place>> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: { row, column: column + 1 },
    ArrowLeft: { row, column: column - 1 },
    PageDown: { row: row + 5, column },
    PageUp: { row: row - 5, column },
    Home: { row: ctrlKey ? 0 : row, column: -1 },
    End: { row: ctrlKey ? rows - 1 : row, column: columns - 1 },
  };
  return moves[key];
}
