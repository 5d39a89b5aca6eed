import { equalTo } from '../../../../src/core/lib/filter/filter.ts';
import { formatFilter } from '../../../../src/core/lib/filter/format-filter.ts';
import { quoteForShell } from '../../../../src/core/lib/text/quote-for-shell.ts';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { askAgainCommand } from '../../../../src/core/schema/api/acting/ask-again.ts';
import { showCommand } from '../../../../src/look/report/phrase.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import type { RunView } from '../../../../src/core/schema/api/run-view.ts';
import { useRights } from '../../data/use-rights.ts';
import { Button } from '../../parts/button.tsx';
import { AskAgain } from '../../parts/ask-again.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { AskPeople } from './ask-people.tsx';

interface SelectionBarOptions {
  readonly view: RunView;
  /** The selected rows. */
  readonly rows: readonly TrialRow[];
  readonly onClear: () => void;
}

/** The commands for the selected cases, and a review task of them. */
export function SelectionBar({ view, rows, onClear }: SelectionBarOptions) {
  const { run, storeFolder } = view;
  const ids = [...new Set(rows.map(({ caseId }) => caseId))];
  const filter = quoteForShell(formatFilter([equalTo('id', ids)]));
  const { canAsk } = useRights();
  const targets = [...new Set(rows.map(({ target }) => target))];
  const table = showCommand({ run, storeFolder }, `--filter ${filter} --output questions.csv`);
  return (
    <section
      aria-label="Selection"
      className="sticky bottom-3 mt-3 rounded-lg border border-line bg-page p-3 shadow-lg"
    >
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-2 font-medium">{formatPlural(ids.length, 'question')} selected</p>
        <AskAgain view={view} asked={{ ids, targets }} />
        <AskPeople view={view} rows={rows} />
        <CopyButton label="Copy the command to export" text={table} />
        <Button onClick={onClear}>Clear</Button>
      </div>
      <pre className="mt-2 max-h-20 overflow-hidden font-mono text-xs break-all whitespace-pre-wrap text-quiet">
        <PlainText text={canAsk ? table : `${askAgainCommand(view, { ids, targets })}\n${table}`} />
      </pre>
    </section>
  );
}
