import type { Filter } from '../../../../src/core/lib/filter/filter.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import type { TrialFacets } from '../../../../src/core/schema/api/trial-facets.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

interface EmptyListOptions {
  readonly view: RunView;
  readonly filter: Filter;
  readonly facets: TrialFacets | undefined;
  readonly onChange: (where: string) => void;
}

/** The text in place of an empty list: which term of the filter leaves nothing, or that there are no answers yet. */
export function EmptyList({ view, filter, facets, onChange }: EmptyListOptions) {
  if (filter.length === 0) {
    const isOver = view.progress === undefined;
    return (
      <EmptyState title={isOver ? 'The run has no answers' : 'There are no answers yet'}>
        {isOver ? 'It ended before the first one.' : 'They appear here as they come.'}
      </EmptyState>
    );
  }
  const helpful = facets?.without.filter(({ trials }) => trials > 0) ?? [];
  return (
    <EmptyState title="Nothing matches the filter">
      {facets !== undefined && (
        <div className="mt-3 flex flex-col items-center gap-2">
          {helpful.length === 0 && <p>No single term is the reason.</p>}
          {helpful.map(({ term, where, trials }) => (
            <Button key={term} onClick={() => onChange(where)}>
              <span>
                Without{' '}
                <code className="font-mono">
                  <PlainText text={term} />
                </code>
                : {formatPlural(trials, 'answer')}
              </span>
            </Button>
          ))}
          <Button onClick={() => onChange('')}>Show all</Button>
        </div>
      )}
    </EmptyState>
  );
}
