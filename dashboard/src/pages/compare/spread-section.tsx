import { nameMeasure } from '../../../../src/report/comparison-phrases.ts';
import { formatSigned } from '../../../../src/report/comparison-rows.ts';
import {
  measureKey,
  type PairComparison,
  type RunDifference,
} from '../../../../src/schema/run-comparison.ts';
import { useDifferences } from '../../data/use-comparison.ts';
import { DifferencePlot } from '../../parts/charts/difference-plot.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { Section } from '../../parts/section.tsx';
import { Skeleton } from '../../parts/skeleton.tsx';
import { useCompareAddress } from './use-compare-address.ts';

/** The paired differences of all cases in their order, on the measure that the address names. */
export function SpreadSection({ pair }: { readonly pair: PairComparison }) {
  const { address, choice, change } = useCompareAddress();
  const measures = pair.differences.filter(
    ({ measure, difference }) => measure !== 'category' && difference.n > 0,
  );
  const shown = measures.find((row) => measureKey(row) === address.measure) ?? measures[0];
  if (shown === undefined) return null;
  return (
    <Section title="Did a few cases move, or many?">
      <label className="mb-3 flex items-center gap-2 print:hidden">
        <span className="text-quiet">Measure</span>
        <select
          value={measureKey(shown)}
          onChange={({ target }) => change({ measure: target.value })}
          className="h-8 max-w-full min-w-0 rounded-md border border-line bg-page px-2"
        >
          {measures.map((row) => (
            <option key={measureKey(row)} value={measureKey(row)}>
              {plainName(row)}
            </option>
          ))}
        </select>
      </label>
      <Differences choice={choice} row={shown} />
    </Section>
  );
}

function Differences({
  choice,
  row,
}: {
  readonly choice: ReturnType<typeof useCompareAddress>['choice'];
  readonly row: RunDifference;
}) {
  const { data, error, refetch } = useDifferences(choice, measureKey(row));
  if (data === undefined)
    return error === null ? <Skeleton /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
  return (
    <DifferencePlot
      title={`Paired differences on the ${plainName(data)}`}
      steps={data.steps}
      better={data.better}
      format={(difference) => formatSigned(difference, data.unit)}
    />
  );
}

function plainName(row: Pick<RunDifference, 'measure' | 'name'>): string {
  return nameMeasure(row)
    .map((part) => (typeof part === 'string' ? part : part.quoted))
    .join('');
}
