import { intervalRows } from '../../../../src/report/rows/interval-rows.ts';
import type { Advice } from '../../../../src/report/advice.ts';
import type { Run } from '../../../../src/schema/run.ts';
import type { CategorySummary, TargetSummary } from '../../../../src/schema/summary.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Headline } from '../../parts/headline.tsx';
import { IntervalPlot } from '../../parts/interval-plot.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';
import { Section } from '../../parts/section.tsx';

/** The options of {@link TargetSection}. */
interface TargetSectionOptions {
  readonly run: Run;
  readonly target: TargetSummary;
  readonly advice: readonly Advice[];
}

/** The numbers of one target. */
export function TargetSection({ run, target, advice }: TargetSectionOptions) {
  return (
    <Section title={target.target}>
      <Headline run={run} target={target} />
      {advice.length > 0 && (
        <ul className="mt-4 max-w-prose space-y-2">
          {advice.map((one, index) => (
            <li key={index}>
              <PhraseText phrase={one.title} />
            </li>
          ))}
        </ul>
      )}
      {target.categories.length > 1 && run.scorecard !== null && (
        <DataTable
          label="Categories"
          columns={columns}
          rows={target.categories}
          keyOf={({ category }) => category}
        />
      )}
      <details className="mt-4">
        <summary className="link">Method</summary>
        <ul>
          {intervalRows(run, target).map((row, index) => (
            <li key={index}>
              <PhraseText phrase={row.name} /> {row.value} {row.interval} n = {row.n}, {row.method}
            </li>
          ))}
        </ul>
      </details>
    </Section>
  );
}

const columns: readonly Column<CategorySummary>[] = [
  { title: 'Category', isName: true, cell: ({ category }) => <PlainText text={category} /> },
  { title: 'Plot', hidesTitle: true, cell: ({ score }) => <IntervalPlot estimate={score} /> },
  { title: 'Score', cell: ({ score }) => <ScoreText estimate={score} /> },
];
