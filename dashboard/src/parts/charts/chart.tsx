import { type ReactNode, type RefObject, useId, useLayoutEffect, useRef, useState } from 'react';
import { PlainText } from '../plain-text.tsx';

/** The numbers of a chart as a table. */
export interface ChartTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly ReactNode[])[];
}

/** The properties of every chart. */
export interface ChartProps {
  /** The question that the chart answers, as a heading. */
  readonly title: string;
  /** A sentence that says what the chart shows, for screen readers. */
  readonly label: string;
  readonly table: ChartTable;
  readonly height: number;
  /** True when parts of the drawing are links. */
  readonly hasLinks?: boolean;
  /** Draws the chart inside of an SVG element of the given width. */
  readonly children: (width: number) => ReactNode;
  /** The meaning of colours and marks, or the method behind the numbers. */
  readonly note?: ReactNode;
}

/** A figure with a title, a drawing, and the same numbers in a table that can be opened. */
export function Chart({ title, label, table, height, hasLinks = false, children, note }: ChartProps) {
  const [ref, width] = useWidth<HTMLDivElement>();
  const titleId = useId();
  return (
    <figure aria-labelledby={titleId} className="min-w-0 break-inside-avoid">
      <figcaption id={titleId} className="mb-2 font-medium">
        <PlainText text={title} />
      </figcaption>
      <div ref={ref} className="w-full overflow-hidden">
        <svg
          role={hasLinks ? 'group' : 'img'}
          aria-label={label}
          width={width}
          height={height}
          // On paper, which is narrower than the screen, the whole drawing is made smaller.
          viewBox={`0 0 ${width} ${height}`}
          className="block h-auto max-w-full text-[11px]"
        >
          {children(width)}
        </svg>
      </div>
      {note !== undefined && <p className="mt-1 text-quiet text-xs">{note}</p>}
      <details className="mt-1 text-xs print:hidden">
        <summary className="cursor-pointer text-quiet">As table</summary>
        <div
          className="mt-2 max-h-72 overflow-auto"
          tabIndex={0}
          role="region"
          aria-label={`${title}, as table`}
        >
          <table className="w-full border-collapse text-left">
            <thead>
              <tr className="border-line border-b text-quiet">
                {table.columns.map((column) => (
                  <th key={column} scope="col" className="py-1 pr-4 font-normal">
                    {column}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {table.rows.map((row, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a drawn chart never move.
                <tr key={index} className="border-line border-b">
                  {row.map((cell, column) => (
                    <td key={table.columns[column]} className="h-7 py-1 pr-4">
                      {cell}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}

/** Returns a ref for an element, and the width of that element in pixels, which follows its changes. */
function useWidth<Element extends HTMLElement>(initial = 640): [RefObject<Element | null>, number] {
  const ref = useRef<Element>(null);
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = () => setWidth(Math.max(200, Math.round(element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}
