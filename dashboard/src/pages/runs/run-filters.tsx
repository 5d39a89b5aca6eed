import { type RunChoice, useRunValues } from '../../data/use-runs.ts';

/** The options of {@link RunFilters}. */
interface RunFiltersOptions {
  readonly choice: RunChoice;
  readonly onChange: (choice: RunChoice) => void;
}

const fields = [
  ['dataset', 'Dataset'],
  ['target', 'Target'],
  ['branch', 'Branch'],
] as const;

/** The choice of a dataset, a target and a branch among those of all runs; each only where there are several. */
export function RunFilters({ choice, onChange }: RunFiltersOptions) {
  const { data } = useRunValues();
  return (
    <div className="flex flex-wrap gap-3">
      {fields.map(([field, label]) => {
        const chosen = choice[field];
        const values = [...new Set([...(data?.[field] ?? []), ...(chosen === undefined ? [] : [chosen])])];
        if (values.length < 2 && chosen === undefined) return null;
        return (
          <label key={field} className="flex items-center gap-2 text-quiet">
            {label}
            <select
              value={chosen ?? ''}
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
