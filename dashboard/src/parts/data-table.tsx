import { type ReactNode, useState } from 'react';
import { formatCount } from '../../../src/look/report/format.ts';
import { Button } from './button.tsx';
import { PlainText } from './plain-text.tsx';

/** A column of a {@link DataTable}. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'left' | 'right';
  /** True for the column that names the row: its cells are headings of their rows. */
  readonly isName?: boolean;
  /** True for a column that a narrow screen leaves out. */
  readonly isOptional?: boolean;
  /** True for a column that only a wide screen has room for. */
  readonly isForWide?: boolean;
  /** True for a column whose title needs not be seen, such as a plot's. */
  readonly hidesTitle?: boolean;
}

interface DataTableOptions<Row> {
  /** The name of the table, for a screen reader. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** Returns whether a row belongs to the one above it: no line separates them. */
  readonly continues?: (row: Row) => boolean;
  /** True for a table of few short columns, which would be hard to read across a wide screen. */
  readonly isCompact?: boolean;
}

/** The most rows that a table draws at first: a run may have thousands of categories, and a page that draws them all takes seconds. */
const mostDrawn = 500;

/** A table of rows 32 pixels high, of many the first, the others on demand. On a narrow screen it scrolls within itself, with a shadow where it goes on. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  keyOf,
  continues = () => false,
  isCompact = false,
}: DataTableOptions<Row>) {
  const [drawn, setDrawn] = useState(mostDrawn);
  const left = rows.length - drawn;
  return (
    <>
      {/* A region that scrolls has to be reached by keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div role="region" aria-label={label} tabIndex={0} className="scroll-sign">
        <table className={`w-full border-collapse ${isCompact ? 'max-w-4xl' : ''}`}>
          <thead>
            <tr>
              {columns.map(({ title, hidesTitle, ...column }) => (
                <th
                  key={title}
                  scope="col"
                  className={`h-8 px-3 text-xs font-medium whitespace-nowrap text-quiet first:pl-0 last:pr-0 ${cellClass(column)}`}
                >
                  <span className={hidesTitle === true ? 'sr-only' : undefined}>
                    <PlainText text={title} />
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, drawn).map((row) => (
              <tr
                key={keyOf(row)}
                className={`border-line hover:bg-surface ${continues(row) ? '' : 'border-t'}`}
              >
                {columns.map(({ title, cell, isName, ...column }) => {
                  const className = `h-8 px-3 py-1 font-normal first:pl-0 last:pr-0 ${cellClass(column)}`;
                  return isName === true ? (
                    <th key={title} scope="row" className={className}>
                      {cell(row)}
                    </th>
                  ) : (
                    <td key={title} className={className}>
                      {cell(row)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {left > 0 && (
        <div className="mt-2">
          <Button onClick={() => setDrawn(drawn + 1_000)}>Show more of {formatCount(rows.length)}</Button>
          <p className="hidden text-quiet print:block">{formatCount(left)} more rows are not shown.</p>
        </div>
      )}
    </>
  );
}

function cellClass({
  align,
  isOptional,
  isForWide,
}: Pick<Column<never>, 'align' | 'isOptional' | 'isForWide'>) {
  const alignment = align === 'right' ? 'text-right whitespace-nowrap' : 'text-left';
  if (isForWide === true) return `${alignment} hidden min-[1400px]:table-cell`;
  return isOptional === true ? `${alignment} hidden sm:table-cell` : alignment;
}
