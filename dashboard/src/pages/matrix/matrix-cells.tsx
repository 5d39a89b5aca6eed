import { getRouteApi, Link } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';
import { equalTo, sides } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import type { MatrixCell, MatrixHead, MatrixRow } from '../../../../src/core/schema/api/comparison/matrix.ts';
import { diffSides } from '../../../../src/look/report/comparison/word-difference.ts';
import { formatCount, formatPercent } from '../../../../src/look/report/format.ts';
import { useIsFile } from '../../data/data-source.ts';
import { AttemptMarks, OutcomeMark } from '../../parts/outcome-mark.tsx';
import { useHasPage } from '../../parts/links/use-has-page.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { WordDiff } from '../../parts/word-diff.tsx';
import type { Lines } from './matrix-tools.tsx';

const route = getRouteApi('/matrix');

const clamps: Readonly<Record<Lines, string>> = { '1': 'line-clamp-1', '4': 'line-clamp-4', all: '' };

/** Writes the address of the matrix into the address of a question, from which Escape leads back to the cell. */
export function matrixSearch(
  search: Readonly<Record<string, unknown>>,
  { position }: MatrixRow,
  at: number,
): string {
  const parts = Object.entries({ ...search, at: `${position}${sides[at] ?? 'a'}` });
  const present = parts.flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : []));
  return String(new URLSearchParams(present));
}

/** The props of a cell that has, or can get, the focus. */
type CellProps = Pick<ComponentProps<'div'>, 'tabIndex' | 'onFocus' | 'aria-colindex'> & {
  readonly 'data-cell': string;
};

const focusLook = 'focus-visible:bg-accent-soft focus-visible:-outline-offset-2';

const smallButton = 'min-h-[24px] rounded px-1 text-xs text-quiet hover:bg-hover hover:text-text';

interface QuestionCellOptions extends CellProps {
  readonly row: MatrixRow;
  readonly lines: Lines;
  readonly isOpen: boolean;
  /** Shows the whole texts of the row, or no longer; undefined where they are shown anyway. */
  readonly onToggle: (() => void) | undefined;
  /** Edits the question in its file; undefined where that is not possible. */
  readonly onEdit: (() => void) | undefined;
}

/** The question of a row, with its category. */
export function QuestionCell({ row, lines, isOpen, onToggle, onEdit, ...cell }: QuestionCellOptions) {
  return (
    <div
      {...cell}
      role="rowheader"
      className={`sticky left-0 z-1 border-r border-line bg-page px-3 py-2 ${focusLook}`}
    >
      <Text lines={lines === '1' ? 'two' : lines} className="font-medium">
        <PlainText text={row.question === '' ? row.caseId : row.question} />
      </Text>
      <div className="mt-1 text-xs text-quiet wrap-anywhere">
        <PlainText text={row.category} />
      </div>
      <div className="mt-1 -ml-1 flex flex-wrap gap-x-2">
        {onToggle !== undefined && (
          <button
            type="button"
            tabIndex={-1}
            aria-expanded={isOpen}
            onClick={onToggle}
            className={smallButton}
          >
            {isOpen ? 'Less' : 'Whole texts'}
          </button>
        )}
        {onEdit !== undefined && (
          <button type="button" tabIndex={-1} onClick={onEdit} className={smallButton}>
            Edit…
          </button>
        )}
      </div>
    </div>
  );
}

interface AnswerCellOptions extends CellProps {
  readonly row: MatrixRow;
  readonly column: MatrixHead;
  readonly at: number;
  /** The column whose words this one is compared with; -1 for none. */
  readonly against: number;
  readonly lines: Lines;
}

/** The answer of a column: how it turned out, its score, its text, and the first reason of a failure. */
export function AnswerCell({ row, column, at, against, lines, ...cell }: AnswerCellOptions) {
  const shown = row.cells[at];
  const hasPage = useHasPage('/runs/$run/cases/$ordinal');
  if (shown === undefined) return null;
  const { result, answer, answerLength, reason } = shown;
  const isCut = answer !== null && answer.length < answerLength && lines === 'all';
  return (
    <div
      {...cell}
      role="gridcell"
      className={`min-w-0 border-l border-line px-3 py-1.5 first:border-l-0 ${focusLook}`}
    >
      <CellHead row={row} column={column} at={at} />
      {answer === null || answer.trim() === '' ? (
        result !== null && <p className="text-quiet">{answer === null ? 'No answer.' : 'An empty answer.'}</p>
      ) : (
        <Text lines={lines}>
          <Words answer={answer} other={against === -1 ? null : (row.cells[against]?.answer ?? null)} />
        </Text>
      )}
      {isCut && (
        <p className="mt-1 text-xs text-quiet">
          The first {formatCount(answer.length)} of {formatCount(answerLength)} characters; the rest is
          {hasPage ? ' on the page of the answer' : ' in the store'}.
        </p>
      )}
      {reason !== null && (
        <p className={`mt-1 text-xs text-quiet wrap-anywhere ${lines === 'all' ? '' : 'line-clamp-2'}`}>
          <PlainText text={reason} />
        </p>
      )}
      <MissedTools cell={shown} at={at} />
    </div>
  );
}

/** The result, the score and the attempts of a cell, which lead to its answer. */
function CellHead({ row, column, at }: Pick<AnswerCellOptions, 'row' | 'column' | 'at'>) {
  const search = route.useSearch();
  const hasPage = useHasPage('/runs/$run/cases/$ordinal');
  const shown = row.cells[at];
  if (shown === undefined) return null;
  const { result, total, ordinal, attempts } = shown;
  const mark =
    result === null ? <span className="text-quiet">– not asked</span> : <OutcomeMark outcome={result} />;
  const score = total !== null && <span className="text-text tabular-nums">{formatPercent(total)}</span>;
  return (
    <div className="flex min-h-[24px] flex-wrap items-center gap-x-3 text-xs">
      {ordinal === null || !hasPage ? (
        <span className="inline-flex items-center gap-x-2">
          {mark}
          {score}
        </span>
      ) : (
        <Link
          to="/runs/$run/cases/$ordinal"
          params={{ run: column.run, ordinal: String(ordinal) }}
          search={{ matrix: matrixSearch(search, row, at) }}
          tabIndex={-1}
          className="inline-flex min-h-[24px] items-center gap-x-2 rounded hover:underline"
        >
          {mark}
          {score}
        </Link>
      )}
      {attempts.length > 1 && <AttemptMarks outcomes={attempts} />}
    </div>
  );
}

function Words({ answer, other }: { readonly answer: string; readonly other: string | null }) {
  if (other === null) return <PlainText text={answer} />;
  return (
    <span dir={isRightToLeft(answer) ? 'rtl' : undefined} className="block">
      <WordDiff pieces={diffSides(other, answer).second} />
    </span>
  );
}

/** The first letter of a text, and the letters that are written from right to left. */
const firstLetter = /\p{L}/u;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Returns whether a text begins at the right. Its pieces are isolated, so that the browser cannot tell. */
function isRightToLeft(text: string): boolean {
  return rightToLeft.test(firstLetter.exec(text)?.[0] ?? '');
}

interface TextOptions {
  readonly lines: Lines | 'two';
  readonly className?: string;
  readonly children: ReactNode;
}

/** A text from outside, cut to some lines. It begins at the right where it is written from right to left. */
function Text({ lines, className = '', children }: TextOptions) {
  const clamp = lines === 'two' ? 'line-clamp-2' : clamps[lines];
  return (
    <div className={`whitespace-pre-wrap wrap-anywhere [&>bdi]:block ${clamp} ${className}`}>{children}</div>
  );
}

interface MissedToolsOptions {
  readonly cell: Pick<MatrixCell, 'missedTools'>;
  readonly at: number;
}

/** Buttons that narrow the table to the rows where a column missed the same tool. A file has the rows that it has. */
function MissedTools({ cell: { missedTools }, at }: MissedToolsOptions) {
  const { where = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const isFile = useIsFile();
  const side = sides[at] ?? 'a';
  if (isFile) return null;
  return missedTools.map((tool) => {
    const term = formatFilter([{ ...equalTo('missingTool', [tool]), side }]);
    if (` ${where} `.includes(` ${term} `)) return null;
    return (
      <button
        key={tool}
        type="button"
        tabIndex={-1}
        onClick={() =>
          void navigate({
            search: (before) => ({ ...before, at: undefined, where: `${where} ${term}`.trimStart() }),
            replace: true,
            resetScroll: false,
          })
        }
        className="-ml-1 min-h-[24px] rounded px-1 text-left text-xs text-quiet wrap-anywhere hover:bg-hover hover:text-text"
      >
        Only where {side.toUpperCase()} missed <PlainText text={tool} />
      </button>
    );
  });
}
