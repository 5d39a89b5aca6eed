import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { takeFocus } from '../../keys/focus.ts';
import type { CaseColumn } from './columns.tsx';

/** The part of a run on which its rows depend. */
type ShownRun = Pick<Run, 'metrics' | 'scorecard'>;

interface CellsOptions {
  readonly options: {
    readonly columns: readonly CaseColumn[];
    readonly run: ShownRun;
    readonly selected: ReadonlySet<number>;
  };
  readonly row: TrialRow;
  readonly template: string;
  readonly onSelect: (row: TrialRow, isRange?: boolean) => void;
}

/** The cells of a row on a wide screen. */
export function Cells({ options: { columns, run, selected }, row, template, onSelect }: CellsOptions) {
  return (
    <div
      role="presentation"
      className="grid h-full items-center gap-x-3"
      style={{ gridTemplateColumns: template }}
    >
      <div role="gridcell" aria-colindex={1}>
        <SelectBox row={row} isSelected={selected.has(row.ordinal)} onSelect={onSelect} />
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
  );
}

interface HeadingOptions {
  readonly column: CaseColumn;
  readonly number: number;
  readonly sort: string;
  readonly onSort: (sort: string, column: string) => void;
  /** True for the column by which the list was sorted last: another list has another head, which takes the focus. */
  readonly isSortedLast: boolean;
}

/** The head of a column, which sorts by it: first the smallest values, then the largest, then the order of the plan. */
export function Heading({ column, number, sort, onSort, isSortedLast }: HeadingOptions) {
  const { name, title, sort: field, align } = column;
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
      className={`flex h-8 min-w-0 items-center whitespace-nowrap ${align === 'right' ? 'sm:justify-end' : ''}`}
    >
      {direction === undefined ? (
        <PlainText text={title} />
      ) : (
        <button
          ref={isSortedLast ? takeFocus : undefined}
          type="button"
          onClick={() => onSort(next[direction], name)}
          className={`truncate rounded font-medium hover:text-text ${direction === 'none' ? '' : 'text-text'}`}
        >
          <PlainText text={title} />
          <span aria-hidden> {direction === 'ascending' ? '↑' : direction === 'descending' ? '↓' : ''}</span>
        </button>
      )}
    </div>
  );
}

interface SelectBoxOptions {
  readonly row: TrialRow;
  readonly isSelected: boolean;
  readonly onSelect: (row: TrialRow, isRange?: boolean) => void;
}

/** The mark of a selected row, for a pointer; the key is `x`. With Shift, all rows since the one before are selected. */
function SelectBox({ row, isSelected, onSelect }: SelectBoxOptions) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      checked={isSelected}
      aria-label={`Select ${row.caseId}`}
      onClick={(event) => event.stopPropagation()}
      onChange={({ nativeEvent }) => onSelect(row, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
      className="block size-4 accent-accent"
    />
  );
}

interface CardOptions {
  readonly row: TrialRow;
  readonly columns: readonly CaseColumn[];
  readonly run: ShownRun;
}

/** A row on a narrow screen: result and numbers, the question, the answer. */
export function Card({ row, columns, run }: CardOptions) {
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
