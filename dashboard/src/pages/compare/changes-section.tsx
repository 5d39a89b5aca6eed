import { noticePhrase, rescoreCommands } from '../../../../src/look/report/comparison/phrases.ts';
import type { PairComparison, TargetChange } from '../../../../src/core/schema/run-comparison.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { PhraseText } from '../../parts/phrase-text.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';

interface ChangesSectionOptions {
  readonly pair: PairComparison;
  readonly storeFolder: string | undefined;
}

/** The differences between the runs besides their answers: dataset, target, metrics, judges, scorecard, and their state. */
export function ChangesSection({ pair, storeFolder }: ChangesSectionOptions) {
  const { notices, targetChanges } = pair;
  if (notices.length === 0 && targetChanges === undefined) return null;
  const commands = rescoreCommands(pair, { storeFolder });
  return (
    <Section title="What else changed between the runs?">
      {notices.length > 0 && (
        <ul className="max-w-prose space-y-1">
          {notices.map((notice, index) => (
            <li key={index} className="flex gap-2">
              <span aria-hidden className="font-semibold text-unsure">
                !
              </span>
              <span className="line-clamp-6 min-w-0 wrap-anywhere">
                <span className="sr-only">Note: </span>
                <PhraseText phrase={noticePhrase(notice)} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {commands.length > 0 && (
        <div className="mt-3">
          <p>To score both by the rules of the config here:</p>
          <pre className="mt-1 overflow-x-auto rounded-md bg-surface p-3 font-mono text-xs" tabIndex={0}>
            {commands.join('\n')}
          </pre>
        </div>
      )}
      {targetChanges?.length === 0 && (
        <p className="mt-3">Different in B: no setting, but the files behind it.</p>
      )}
      {targetChanges !== undefined && targetChanges.length > 0 && (
        <div className="mt-3">
          <DataTable
            label="Settings of the target that differ"
            columns={columns}
            rows={targetChanges}
            keyOf={({ setting }) => setting}
          />
        </div>
      )}
    </Section>
  );
}

const columns: readonly Column<TargetChange>[] = [
  { title: 'Setting of the target', isName: true, cell: ({ setting }) => <Setting text={setting} /> },
  { title: 'A', cell: (change) => <Value change={change} value={change.a} /> },
  { title: 'B', cell: (change) => <Value change={change} value={change.b} /> },
];

function Setting({ text }: { readonly text: string }) {
  return <PlainText text={text} className="font-mono text-xs" />;
}

function Value({ change, value }: { readonly change: TargetChange; readonly value: string | null }) {
  if (change.isSecret === true) return <span className="text-quiet">a secret</span>;
  if (value === null) return <span className="text-quiet">not set</span>;
  return <PlainText text={value} className="font-mono text-xs wrap-anywhere" />;
}
