import { certaintyOf } from '../../../../src/look/report/certainty.ts';
import { cellName } from '../../../../src/look/report/grid/cell-name.ts';
import { joinSentences, type Phrase } from '../../../../src/look/report/phrase.ts';
import {
  type IntervalRow,
  intervalRows,
  sharedIntervalRows,
} from '../../../../src/look/report/rows/interval-rows.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Summary } from '../../../../src/core/schema/summary.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

interface MethodSectionOptions {
  readonly run: Run;
  readonly summary: Summary;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** The certainty of the numbers: sentences, and on demand n, coverage and method of every interval. */
export function MethodSection({ run, summary, isOpen, onToggle }: MethodSectionOptions) {
  const shared = sharedIntervalRows(summary);
  const certainties = certaintiesOf(run, summary);
  return (
    <Section title="How certain is this?">
      {certainties.map(({ targets, phrase }) => (
        <p key={targets.join()} className="max-w-prose">
          {certainties.length > 1 && (
            <span className="font-medium">
              <PlainText text={targets.join(', ')} />:{' '}
            </span>
          )}
          <PhraseText phrase={phrase} />
        </p>
      ))}
      <p className="mt-1 text-quiet">Seed {run.seed}.</p>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          onToggle(currentTarget.open);
          if (currentTarget.open) currentTarget.scrollIntoView({ block: 'nearest' });
        }}
        className="mt-3"
      >
        <summary className="link w-fit">n, coverage and method of every interval</summary>
        {summary.targets.map((target) => (
          <div key={target.target} className="mt-4">
            {summary.targets.length > 1 && (
              <h3 className="font-medium">
                <PlainText text={cellName(run, target.target)} />
              </h3>
            )}
            <Intervals
              label={`Intervals of ${cellName(run, target.target)}`}
              rows={intervalRows(run, target)}
            />
          </div>
        ))}
        {shared.length > 0 && (
          <div className="mt-4">
            <Intervals label="Intervals of differences and conditions" rows={shared} />
          </div>
        )}
      </details>
    </Section>
  );
}

/** Describes how certain the scores are: once for all targets of which the same is to be said. */
function certaintiesOf(run: Run, { targets }: Summary): readonly { targets: string[]; phrase: Phrase }[] {
  const groups = Map.groupBy(
    targets.map((target) => ({
      name: cellName(run, target.target),
      phrase: joinSentences(certaintyOf(run, target)),
    })),
    ({ phrase }) => JSON.stringify(phrase),
  );
  return Array.from(groups.values(), (same) => ({
    targets: same.map(({ name }) => name),
    phrase: same[0]?.phrase ?? [],
  }));
}

function Intervals({ label, rows }: { readonly label: string; readonly rows: readonly IntervalRow[] }) {
  return (
    <DataTable
      label={label}
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name.map((part) => (typeof part === 'string' ? part : part.quoted)).join('')}
    />
  );
}

const columns: readonly Column<IntervalRow>[] = [
  { title: 'Number', isName: true, cell: ({ name }) => <PhraseText phrase={name} /> },
  { title: 'Value', align: 'right', cell: ({ value }) => <span className="whitespace-nowrap">{value}</span> },
  {
    title: 'Interval',
    cell: ({ interval, reason, caution }) => (
      <span className="whitespace-nowrap">
        {interval === '' ? <span className="text-quiet">{reason}</span> : interval}{' '}
        <span className="text-unsure">{caution}</span>
      </span>
    ),
  },
  { title: 'n', align: 'right', cell: ({ n }) => n },
  { title: 'Clusters', align: 'right', isOptional: true, cell: ({ clusters }) => clusters },
  { title: 'Coverage', align: 'right', isOptional: true, cell: ({ coverage }) => coverage },
  {
    title: 'Method',
    cell: ({ method, confidence }) => (
      <span className="whitespace-nowrap">
        <PlainText text={method} />, {confidence}
      </span>
    ),
  },
];
