import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { TrialRow } from '../../../../src/schema/api/trial-row.ts';
import type { Run } from '../../../../src/schema/run.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import type { CaseColumn } from './columns.tsx';

/** The options of {@link CaseGrid}. */
interface CaseGridOptions {
  readonly run: Pick<Run, 'metrics' | 'scorecard' | 'targets'>;
  readonly columns: readonly CaseColumn[];
  /** The rows that are loaded. */
  readonly rows: readonly TrialRow[];
  /** The number of all rows; undefined as long as it is not known. */
  readonly rowCount: number | undefined;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
  readonly selected: ReadonlySet<number>;
  readonly onSelect: (row: TrialRow) => void;
  readonly onOpen: (row: TrialRow) => void;
  /** Called when the end of the loaded rows comes near. */
  readonly onEnd: () => void;
  /** The ordinal of the row to begin at: the case from which one comes back. */
  readonly start: number | undefined;
}

const heights = { row: 32, card: 96 };

/** A table of which only the visible rows are drawn, with one row that has the focus. On a narrow screen, rows are cards. */
export function CaseGrid(options: CaseGridOptions) {
  const { run, columns, rows, rowCount, sort, selected, onSelect, onOpen, onEnd, start } = options;
  const frame = useRef<HTMLDivElement>(null);
  const isNarrow = useIsNarrow();
  const [current, setCurrent] = useState(() =>
    Math.max(
      0,
      rows.findIndex(({ ordinal }) => ordinal === start),
    ),
  );
  const wantsFocus = useRef(start !== undefined);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => (isNarrow ? heights.card : heights.row),
    overscan: 8,
    initialOffset: () => Math.max(0, current - 4) * (isNarrow ? heights.card : heights.row),
  });
  const items = virtual.getVirtualItems();
  const lastItem = items.at(-1)?.index ?? 0;
  useEffect(() => virtual.measure(), [virtual, isNarrow]);
  useEffect(() => {
    if (lastItem >= rows.length - 30) onEnd();
  }, [lastItem, rows.length, onEnd]);
  const focusRow = (index: number): void => {
    const row = frame.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    wantsFocus.current = row === null || row === undefined;
    row?.focus({ preventScroll: true });
  };
  // A row that was not drawn when it got the focus.
  useEffect(() => {
    if (wantsFocus.current) focusRow(current);
  });
  const move = (to: number): void => {
    const next = Math.min(rows.length - 1, Math.max(0, to));
    setCurrent(next);
    virtual.scrollToIndex(next);
    focusRow(next);
  };
  const withRow = (act: (row: TrialRow) => void) => (): void => {
    const row = rows[current];
    if (row !== undefined) act(row);
  };
  useKeys([
    { keys: 'j', does: 'Next row', run: () => move(isFocused(frame.current) ? current + 1 : current) },
    { keys: 'k', does: 'Previous row', run: () => move(isFocused(frame.current) ? current - 1 : current) },
    { keys: 'x', does: 'Select the row', run: withRow(onSelect) },
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
    if (to !== undefined) move(to);
    else if (event.key === 'Enter') withRow(onOpen)();
    else return;
    event.preventDefault();
  };
  const template = `1.75rem ${columns.map(({ width }) => width).join(' ')}`;
  return (
    <div
      ref={frame}
      role="grid"
      aria-label="Cases"
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
          className={`sticky top-0 z-1 border-b border-line bg-surface text-xs text-quiet ${isNarrow ? 'flex gap-3 overflow-x-auto px-3' : 'grid items-center gap-x-3 px-3'}`}
          style={isNarrow ? undefined : { gridTemplateColumns: template }}
        >
          <div role="columnheader" aria-colindex={1}>
            <span className="sr-only">Selected</span>
          </div>
          {(isNarrow ? columns.filter((column) => column.sort !== undefined) : columns).map(
            (column, index) => (
              <Heading
                key={column.name}
                column={column}
                number={index + 2}
                sort={sort}
                onSort={options.onSort}
              />
            ),
          )}
        </div>
        <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start: top, size }) => {
            const row = rows[index];
            if (row === undefined) return null;
            const isSelected = selected.has(row.ordinal);
            return (
              <div
                key={row.ordinal}
                role="row"
                data-index={index}
                aria-rowindex={index + 2}
                aria-selected={isSelected}
                tabIndex={index === Math.min(current, rows.length - 1) ? 0 : -1}
                onFocus={() => setCurrent(index)}
                onClick={() => onOpen(row)}
                className="absolute inset-x-0 cursor-pointer border-b border-line px-3 hover:bg-surface focus-visible:bg-accent-soft focus-visible:-outline-offset-2 aria-selected:bg-accent-soft"
                style={{ transform: `translateY(${top}px)`, height: size }}
              >
                {isNarrow ? (
                  <Card row={row} columns={columns} run={run} />
                ) : (
                  <div
                    role="presentation"
                    className="grid h-full items-center gap-x-3"
                    style={{ gridTemplateColumns: template }}
                  >
                    <div role="gridcell" aria-colindex={1}>
                      <SelectBox row={row} isSelected={isSelected} onSelect={onSelect} />
                    </div>
                    {columns.map(({ name, align, cell }, column) => (
                      <div
                        key={name}
                        role="gridcell"
                        aria-colindex={column + 2}
                        className={`min-w-0 truncate ${align === 'right' ? 'text-right' : ''} ${name === 'answer' || name === 'target' ? 'text-quiet' : ''}`}
                      >
                        {cell(row, run)}
                      </div>
                    ))}
                  </div>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

function isFocused(frame: HTMLElement | null): boolean {
  return document.activeElement?.role === 'row' && frame?.contains(document.activeElement) === true;
}

interface HeadingOptions {
  readonly column: CaseColumn;
  readonly number: number;
  readonly sort: string;
  readonly onSort: (sort: string) => void;
}

/** The head of a column, which sorts by it: first the smallest values, then the largest, then the order of the plan. */
function Heading({ column: { title, sort: field, align }, number, sort, onSort }: HeadingOptions) {
  const direction =
    field === undefined
      ? undefined
      : sort === field
        ? 'ascending'
        : sort === `-${field}`
          ? 'descending'
          : 'none';
  const next = { ascending: `-${field}`, descending: '', none: field ?? '' };
  return (
    <div
      role="columnheader"
      aria-colindex={number}
      aria-sort={direction}
      className={`flex h-8 items-center whitespace-nowrap ${align === 'right' ? 'sm:justify-end' : ''}`}
    >
      {direction === undefined ? (
        title
      ) : (
        <button
          type="button"
          onClick={() => onSort(next[direction])}
          className={`rounded font-medium hover:text-text ${direction === 'none' ? '' : 'text-text'}`}
        >
          {title}
          <span aria-hidden> {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}</span>
        </button>
      )}
    </div>
  );
}

interface SelectBoxOptions {
  readonly row: TrialRow;
  readonly isSelected: boolean;
  readonly onSelect: (row: TrialRow) => void;
}

/** The mark of a selected row, for a pointer; the key is `x`. */
function SelectBox({ row, isSelected, onSelect }: SelectBoxOptions) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={isSelected}
      aria-label={`Select ${row.caseId}`}
      onClick={(event) => event.stopPropagation()}
      onChange={() => onSelect(row)}
      className="block size-4 accent-accent"
    />
  );
}

interface CardOptions {
  readonly row: TrialRow;
  readonly columns: readonly CaseColumn[];
  readonly run: CaseGridOptions['run'];
}

/** A row on a narrow screen: result and numbers, the question, the answer. */
function Card({ row, columns, run }: CardOptions) {
  const short = columns.filter(({ name }) => name !== 'question' && name !== 'answer' && name !== 'id');
  const long = columns.filter(({ name }) => name === 'question' || name === 'answer');
  return (
    <div role="presentation" className="flex h-full flex-col justify-center gap-0.5">
      <div role="presentation" className="flex items-center gap-3 overflow-hidden text-xs whitespace-nowrap">
        {short.map(({ name, cell }) => (
          <div key={name} role="gridcell">
            {cell(row, run)}
          </div>
        ))}
        <div role="gridcell" className="ml-auto truncate text-quiet">
          <PlainText text={row.caseId} />
        </div>
      </div>
      {long.map(({ name, cell }) => (
        <div key={name} role="gridcell" className={name === 'answer' ? 'truncate text-quiet' : 'truncate'}>
          {cell(row, run)}
        </div>
      ))}
    </div>
  );
}

const narrow = '(max-width: 640px)';

function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => matchMedia(narrow).matches);
  useEffect(() => {
    const query = matchMedia(narrow);
    const onChange = (): void => setNarrow(query.matches);
    query.addEventListener('change', onChange);
    return () => query.removeEventListener('change', onChange);
  }, []);
  return isNarrow;
}
