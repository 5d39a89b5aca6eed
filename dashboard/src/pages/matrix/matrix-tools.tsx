import { getRouteApi } from '@tanstack/react-router';
import { type SubmitEvent, useEffect, useRef } from 'react';
import { sides } from '../../../../src/core/lib/filter/filter.ts';
import type { MatrixCounts, MatrixHead } from '../../../../src/core/schema/api/comparison/matrix.ts';
import { formatCount } from '../../../../src/look/report/format.ts';
import { useIsFile } from '../../data/data-source.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { ArrowGroup } from '../../keys/arrow-group.tsx';

const route = getRouteApi('/matrix');

/** The number of lines that are shown of an answer. */
export type Lines = '1' | '4' | 'all';
const lineChoices = [
  ['1', '1 line'],
  ['4', '4 lines'],
  ['all', 'All'],
] as const;

/** Returns a remembered number of lines. */
export function linesOf(kept: unknown): Lines {
  return lineChoices.find(([lines]) => lines === kept)?.[0] ?? '4';
}

interface MatrixToolsOptions {
  readonly columns: readonly MatrixHead[];
  readonly counts: MatrixCounts | undefined;
  readonly lines: Lines;
  readonly onLines: (lines: Lines) => void;
}

/** The choice of what is shown of a matrix: which rows, in which order, how much of each answer, and which words differ. */
export function MatrixTools({ columns, counts, lines, onLines }: MatrixToolsOptions) {
  const { where, diff = '' } = route.useSearch();
  const change = useChange();
  const isFile = useIsFile();
  const presets = presetsOf(columns, counts);
  const names = sides.slice(0, columns.length);
  const next = <Value,>(values: readonly Value[], current: Value): Value | undefined =>
    values[(values.indexOf(current) + 1) % values.length];
  useKeys([
    ...presets.slice(0, 9).map(({ label, where: filter }, at) => ({
      keys: String(at + 1),
      does: at === 0 ? 'Show all rows' : `Show the rows: ${label.toLowerCase()}`,
      run: () => change({ where: filter }),
    })),
    {
      keys: 'l',
      does: 'Show one line of each answer, four, or all',
      run: () =>
        onLines(
          next(
            lineChoices.map(([each]) => each),
            lines,
          ) ?? '4',
        ),
    },
    {
      keys: 'd',
      does: 'Mark the words that differ from a column: the first, the next, none',
      run: () => change({ diff: next(['', ...names], diff) || undefined }),
    },
  ]);
  return (
    <div className="mb-3 space-y-2 print:hidden">
      <ArrowGroup className="flex flex-wrap gap-2" role="group" aria-label="Rows">
        {presets.map(({ label, where: filter, count }) => (
          <button
            key={label}
            type="button"
            aria-pressed={where === filter}
            onClick={() => change({ where: filter })}
            className="h-7 rounded-full border border-line px-3 text-xs hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft"
          >
            {label}
            {count !== undefined && (
              <span className="ml-1.5 text-quiet tabular-nums">{formatCount(count)}</span>
            )}
          </button>
        ))}
      </ArrowGroup>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        {!isFile && <FilterField />}
        <Selects names={names} />
        <LineChoice lines={lines} onLines={onLines} />
      </div>
    </div>
  );
}

/** The choice of an order, and of the column that words are compared with. */
function Selects({ names }: { readonly names: readonly string[] }) {
  const { sort = '', diff = '' } = route.useSearch();
  const isFile = useIsFile();
  const change = useChange();
  return (
    <>
      <label className="flex items-center gap-2 text-quiet">
        Order
        <select
          value={sort}
          onChange={({ target }) => change({ sort: target.value || undefined })}
          className="h-8 max-w-56 rounded-md border border-line bg-page px-2 text-text"
        >
          {ordersOf(names, { sort, isFile }).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
      </label>
      <label className="flex items-center gap-2 text-quiet">
        Mark words unlike
        <select
          value={diff}
          onChange={({ target }) => change({ diff: target.value || undefined })}
          className="h-8 rounded-md border border-line bg-page px-2 text-text"
        >
          <option value="">–</option>
          {names.map((side) => (
            <option key={side} value={side}>
              {side.toUpperCase()}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

function LineChoice({ lines, onLines }: Pick<MatrixToolsOptions, 'lines' | 'onLines'>) {
  return (
    <ArrowGroup role="group" aria-label="Lines of each answer" className="flex rounded-md border border-line">
      {lineChoices.map(([value, label]) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === lines}
          onClick={() => onLines(value)}
          className="h-8 px-3 first:rounded-l-md last:rounded-r-md hover:bg-hover aria-pressed:bg-accent-soft aria-pressed:font-medium"
        >
          {label}
        </button>
      ))}
    </ArrowGroup>
  );
}

/** Returns the function that changes parts of the address. */
function useChange() {
  const navigate = route.useNavigate();
  return (parts: { where?: string; sort?: string; diff?: string }) =>
    void navigate({
      search: (before) => ({ ...before, at: undefined, ...parts }),
      replace: true,
      resetScroll: false,
    });
}

interface Preset {
  readonly label: string;
  readonly where: string | undefined;
  readonly count: number | undefined;
}

function presetsOf(columns: readonly MatrixHead[], counts: MatrixCounts | undefined): Preset[] {
  const all = { label: 'All', where: undefined, count: counts?.all };
  if (columns.length < 2)
    return [all, { label: 'It fails', where: 'cells=all-fail', count: counts?.allFail }];
  return [
    all,
    { label: 'They differ', where: 'cells=differ', count: counts?.differ },
    { label: 'All fail', where: 'cells=all-fail', count: counts?.allFail },
    { label: 'Not all pass', where: 'cells!=all-pass', count: counts?.notAllPass },
    ...columns.map((_, at) => ({
      label: `Only ${(sides[at] ?? 'a').toUpperCase()} fails`,
      where: `cells=only-${sides[at] ?? 'a'}-fails`,
      count: counts?.onlyFails[at],
    })),
  ];
}

function ordersOf(
  names: readonly string[],
  { sort, isFile }: { readonly sort: string; readonly isFile: boolean },
): (readonly [sort: string, label: string])[] {
  const orders: (readonly [string, string])[] = [
    ['', isFile ? 'Order of the file' : 'Order of the dataset'],
    ...(names.length > 1
      ? [['-spread', 'Largest difference first'] as const, ['mean', 'Lowest mean score first'] as const]
      : []),
    ...names.map((side) => [`${side}.total`, `Lowest score in ${side.toUpperCase()} first`] as const),
  ];
  return orders.some(([known]) => known === sort) ? orders : [...orders, [sort, sort]];
}

function FilterField() {
  const { where } = route.useSearch();
  const change = useChange();
  const input = useRef<HTMLInputElement>(null);
  useKeys([{ keys: '/', does: 'Filter the questions', run: () => input.current?.focus() }]);
  useEffect(() => {
    if (input.current !== null) input.current.value = where ?? '';
  }, [where]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    change({ where: input.current?.value.trim() || undefined });
  };
  return (
    <form onSubmit={submit} className="flex min-w-0 flex-1 basis-72 gap-2">
      <input
        ref={input}
        type="search"
        aria-label="Filter of the questions"
        placeholder="a.passed=true c.total<0.5 category=taxes"
        defaultValue={where}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          // The browser would empty the field.
          event.preventDefault();
          event.currentTarget.blur();
        }}
        spellCheck={false}
        autoComplete="off"
        className="h-8 min-w-0 flex-1 rounded-md border border-line bg-page px-3 font-mono text-xs placeholder:text-quiet"
      />
      <Button type="submit">Filter</Button>
    </form>
  );
}
