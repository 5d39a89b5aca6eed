import { useRef } from 'react';
import { useBaselines } from '../../data/use-runs.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { CommandLine } from '../../parts/copy-button.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { SetBaseline } from '../../parts/set-baseline.tsx';

/** The section that makes a run the baseline of later ones. */
export function LaterRuns({ run, store }: { readonly run: string; readonly store: string }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useKeys([{ keys: 'b', does: 'Set the run as a baseline', run: () => dialog.current?.showModal() }]);
  const { data: baselines = [] } = useBaselines();
  const names = baselines.filter((each) => each.run === run).map(({ name }) => name);
  return (
    <Section
      title="Compare later runs with this one"
      note="A rule of the type no-regression compares with it."
    >
      {names.length > 0 && (
        <p className="mb-3">
          This run is the baseline <PlainText text={names.join(', ')} className="font-medium" />.
        </p>
      )}
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <SetBaseline run={run} dialog={dialog} />
      </div>
      <CommandLine text={`touchstone baseline set main ${run}${store}`} />
    </Section>
  );
}
