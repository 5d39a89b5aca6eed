import { CommandLine } from '../../parts/command-line.tsx';
import { Section } from '../../parts/section.tsx';
import { LaterRuns } from './later-runs.tsx';

const example = `gate: {
  failUnder: 80,
  minCoverage: 0.95,
  rules: {
    'mostly right': { type: 'pass-rate', atLeast: 80, confidence: 0.95 },
    'must never break': { type: 'required-cases', ids: ['refund-*'] },
  },
},`;

/** The page of a run that has no gate: how to get one. */
export function NoGate({ run, store }: { readonly run: string; readonly store: string }) {
  return (
    <>
      <div className="max-w-5xl rounded-lg border border-dashed border-line px-6 py-10 text-center">
        <p className="font-medium">This run has no gate</p>
        <p className="mx-auto mt-1 max-w-lg text-quiet">
          Its exit code says only whether everything was measured. A gate says from which numbers on a build
          passes.
        </p>
      </div>
      <Section
        title="Add one to the config"
        note="Every later run decides by it. In YAML the names are the same."
      >
        <CommandLine text={example} />
      </Section>
      <Section title="Or decide on this run now" note="Nothing is called, and nothing stored is changed.">
        <CommandLine text={`touchstone gate ${run} --fail-under 80${store}`} />
      </Section>
      <LaterRuns run={run} store={store} />
    </>
  );
}
