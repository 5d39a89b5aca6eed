import { getRouteApi } from '@tanstack/react-router';
import { equalTo, sides } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import type { MatrixCell } from '../../../../src/core/schema/api/comparison/matrix.ts';
import { useData } from '../../data/data-source.ts';
import { PlainText } from '../../parts/plain-text.tsx';

const route = getRouteApi('/matrix');

interface MissedToolsOptions {
  readonly cell: Pick<MatrixCell, 'missedTools'>;
  readonly at: number;
}

/** Buttons that narrow the table to the rows where a column missed the same tool. A file has the rows that it has. */
export function MissedTools({ cell: { missedTools }, at }: MissedToolsOptions) {
  const { where = '' } = route.useSearch();
  const navigate = route.useNavigate();
  const { isFile = false } = useData();
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
