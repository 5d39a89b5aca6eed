import type { RunRow } from '../../../../src/schema/api/run-row.ts';
import type { RunChoice } from '../../data/use-runs.ts';

/** The options of {@link RunFilters}. */
interface RunFiltersOptions {
  /** The runs whose datasets, targets and branches can be chosen. */
  readonly runs: readonly RunRow[];
  readonly choice: RunChoice;
  readonly onChange: (choice: RunChoice) => void;
}

/** The choice of a dataset, a target and a branch; each only where there are several. */
export function RunFilters({ runs, choice, onChange }: RunFiltersOptions) {
  const filters = [
    ['dataset', 'Dataset', runs.flatMap(({ dataset }) => dataset.sources)],
    ['target', 'Target', runs.flatMap(({ targets }) => targets.map(({ target }) => target))],
    ['branch', 'Branch', runs.flatMap(({ git }) => git?.branch ?? [])],
  ] as const;
  return (
    <div className="flex flex-wrap gap-3">
      {filters.map(([field, label, all]) => {
        const values = [...new Set([...all, ...(choice[field] === undefined ? [] : [choice[field]])])].sort();
        if (values.length < 2 && choice[field] === undefined) return null;
        return (
          <label key={field} className="flex items-center gap-2 text-quiet">
            {label}
            <select
              value={choice[field] ?? ''}
              onChange={({ target: { value } }) =>
                onChange({ ...choice, [field]: value === '' ? undefined : value })
              }
              className="h-8 max-w-48 rounded-md border border-line bg-page px-2 text-text"
            >
              <option value="">all</option>
              {values.map((value) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
        );
      })}
    </div>
  );
}
