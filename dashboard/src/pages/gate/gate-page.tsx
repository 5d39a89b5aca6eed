import { getRouteApi, Link } from '@tanstack/react-router';
import { formatPlural } from '../../../../src/look/report/format.ts';
import { countChecks, type GateCheck, listGateChecks } from '../../../../src/look/report/gate-checks.ts';
import { decisionWarnings } from '../../../../src/look/report/judged-rates.ts';
import { storeFlag } from '../../../../src/look/report/phrase.ts';
import type { GateView } from '../../../../src/core/schema/api/gate-view.ts';
import type { Decision } from '../../../../src/core/schema/decision.ts';
import { useGate } from '../../data/use-gate.ts';
import { RunHead } from '../../layout/run-head.tsx';
import { CopyButton, CommandLine } from '../../parts/copy-button.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { MessageText } from '../../parts/message-text.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { GateCheckList } from './gate-check-list.tsx';
import { LaterRuns } from './later-runs.tsx';
import { SizeSection } from './size-section.tsx';
import { TimeText } from '../../parts/time-text.tsx';

const route = getRouteApi('/runs/$run/gate');

/** The gate of a run: why the build is red, or what it takes to decide. */
export function GatePage() {
  const { run } = route.useParams();
  const { data, error, refetch } = useGate(run);
  return (
    <>
      <RunHead
        run={run}
        title="Gate"
        actions={
          data !== undefined && (
            <CopyButton
              label="Copy command"
              text={`touchstone gate ${data.run}${flagOf(data.storeFolder)}`}
            />
          )
        }
      />
      {data !== undefined ? <GateReport view={data} /> : <Pending error={error} refetch={refetch} />}
    </>
  );
}

function GateReport({ view }: { readonly view: GateView }) {
  const { run, decision, isGated, targets, gate, storeFolder } = view;
  if (decision === null) {
    return <p className="text-quiet">The run is under way: its gate decides at its end.</p>;
  }
  if (!isGated) return <NoGate run={run} store={flagOf(storeFolder)} />;
  const checks = listGateChecks(view);
  return (
    <>
      <Verdict decision={decision} checks={checks} />
      {checks.length > 0 && (
        <Section title="What does each rule say?" note={baselineNote(view)}>
          <GateCheckList run={run} checks={checks} hasSeveral={targets.length > 1} />
        </Section>
      )}
      <Baseline view={view} />
      <SizeSection run={run} targets={targets} gate={gate} />
      <Section
        title="Decide again"
        note={
          <>
            By the gate that the run was made with, or with{' '}
            <code className="font-mono whitespace-nowrap">--config</code> by the gate of a config. As it is
            now, the command ends with exit code {exitCodes[decision.outcome]}.
          </>
        }
      >
        <CommandLine text={`touchstone gate ${run}${flagOf(storeFolder)}`} />
      </Section>
      <LaterRuns run={run} store={flagOf(storeFolder)} />
    </>
  );
}

/** The exit codes of `touchstone gate`. */
const exitCodes = { pass: 0, fail: 1, 'not-measured': 2, inconclusive: 3 } as const satisfies Record<
  Decision['outcome'],
  number
>;

function flagOf(storeFolder: string | undefined): string {
  return storeFolder === undefined ? '' : ` ${storeFlag(storeFolder)}`;
}

/** The most reasons that are shown whole; where there are more, the list of rules has its own. */
const mostReasons = 3;

/** The decision with its reasons. */
function Verdict({
  decision,
  checks,
}: {
  readonly decision: Decision;
  readonly checks: readonly GateCheck[];
}) {
  const { outcome, reasons } = decision;
  const isShort = reasons.length <= mostReasons;
  const shown = isShort
    ? reasons
    : reasons.filter((reason) => !checks.some((check) => reason.endsWith(check.reason)));
  return (
    <section aria-label="Decision" className="max-w-5xl rounded-lg border border-line bg-surface p-5">
      <h2 className="text-lg font-semibold">
        <span className="sr-only">The gate: </span>
        <OutcomeMark outcome={outcome} />
      </h2>
      <ul className="mt-1 max-w-3xl space-y-1 wrap-anywhere">
        {!isShort && <li>{`Of ${formatPlural(checks.length, 'rule')}: ${countChecks(checks)}`}</li>}
        {shown.map((reason, index) => (
          <li key={index}>
            <MessageText text={reason} />
          </li>
        ))}
        {decisionWarnings(decision).map((warning) => (
          <li key={warning} className="text-unsure">
            <MessageText text={`Warning: ${warning}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function baselineNote({ decision }: GateView): string | undefined {
  const rules = decision?.rules ?? [];
  const hasBounds = rules.some(({ lower }) => typeof lower === 'number');
  return hasBounds
    ? 'Bar: the one-sided bounds. Dashed line: the threshold. A rule with a confidence passes or fails only when both bounds are on one side of it.'
    : undefined;
}

/** The baseline that the run was compared with. */
function Baseline({ view: { baseline } }: { readonly view: GateView }) {
  if (baseline === null) return null;
  return (
    <Section title="What was it compared with?">
      {'reason' in baseline ? (
        <p className="text-unsure">
          <MessageText text={baseline.reason} />
        </p>
      ) : (
        <p>
          The baseline <PlainText text={baseline.name} className="font-medium" />:{' '}
          {baseline.isKept ? (
            <Link to="/runs/$run" params={{ run: baseline.run.id }} className="link">
              <PlainText text={baseline.run.id} />
            </Link>
          ) : (
            <PlainText text={baseline.run.id} />
          )}
          <span className="text-quiet">
            {' of '}
            <TimeText at={baseline.run.createdAt} />
            {!baseline.isKept && ', which is not in this store'}
          </span>
        </p>
      )}
    </Section>
  );
}

const example = `gate: {
  failUnder: 80,
  minCoverage: 0.95,
  rules: {
    'mostly right': { type: 'pass-rate', atLeast: 80, confidence: 0.95 },
    'must never break': { type: 'required-cases', ids: ['refund-*'] },
  },
},`;

/** The page of a run that has no gate: how to get one. */
function NoGate({ run, store }: { readonly run: string; readonly store: string }) {
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
