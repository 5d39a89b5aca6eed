import { formatCount, formatPercent } from '../../../../src/report/format.ts';
import type { RunProgress } from '../../../../src/schema/api/run-row.ts';

/** The progress of a run that is under way. */
export function ProgressSection({ progress }: { readonly progress?: RunProgress | undefined }) {
  if (progress === undefined) return <p className="text-quiet">The cases are being planned.</p>;
  const { done, planned, score } = progress;
  return (
    <section aria-label="Progress" className="max-w-xl rounded-lg border border-line bg-surface p-6">
      <p className="text-lg font-semibold">
        {formatCount(done)} of {formatCount(planned)} trials are done
      </p>
      <progress
        value={done}
        max={Math.max(planned, 1)}
        aria-label="Trials"
        className="mt-3 h-2 w-full accent-accent"
      />
      <p className="mt-2 text-quiet">
        {score === null
          ? 'Nothing is scored yet.'
          : `So far ${formatPercent(score)}; the interval comes with the end.`}
      </p>
    </section>
  );
}
