import { getRouteApi, linkOptions } from '@tanstack/react-router';
import { equalTo, type FilterTerm } from '../../../../src/core/lib/filter/filter.ts';
import { formatCount, formatPlural, missing } from '../../../../src/look/report/format.ts';
import type { ToolsView, ToolTarget, ToolRow } from '../../../../src/core/schema/api/tools-view.ts';
import { useTools } from '../../data/use-tools.ts';
import { RunHead } from '../../layout/run-head.tsx';
import { PassKPlot } from '../../parts/charts/pass-k-plot.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { TargetChoice } from '../../parts/links/choice-links.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { CasesOf } from './cases-of.tsx';
import { ConversationSection } from './conversation-section.tsx';
import { DistributionSection } from './distribution-section.tsx';
import { FaultMatrix } from './fault-matrix.tsx';
import { SequenceTable } from './sequence-table.tsx';

const route = getRouteApi('/runs/$run/tools');

/** The tools of a run: which are used as expected, in which order, and what happens when they fail. */
export function ToolsPage() {
  const { run } = route.useParams();
  const { data, error, refetch } = useTools(run);
  return (
    <>
      <RunHead run={run} title="Tools" />
      {data === undefined ? (
        <Pending error={error} refetch={refetch} />
      ) : 'isBeingPrepared' in data ? (
        <div role="status" className="mt-6">
          <EmptyState title="The tools of this run are being counted">
            A run that an earlier version of Touchstone stored is read as a whole, once. This page shows its
            tools as soon as they are counted.
          </EmptyState>
        </div>
      ) : (
        <ToolsReport view={data} />
      )}
    </>
  );
}

function ToolsReport({ view }: { readonly view: ToolsView }) {
  const { target: named } = route.useSearch();
  const { run, targets } = view;
  const shown = targets.find(({ target }) => target === named) ?? targets[0];
  if (shown === undefined) return <EmptyState title="This run has no targets" />;
  const { reliability, conversations } = shown;
  return (
    <>
      <TargetChoice
        targets={targets.map(({ target }) => target)}
        chosen={shown.target}
        linkTo={(target) => linkOptions({ to: '/runs/$run/tools', params: { run }, search: { target } })}
      />
      <TrialCounts run={run} target={shown} />
      {shown.tools.length === 0 ? (
        <NoCalls />
      ) : (
        <>
          <Section title="Which tools are used as expected?" note={toolNote(shown)}>
            <ToolTable run={run} target={shown} />
          </Section>
          <Section
            title="In which order are they called?"
            note="Answers with exactly these calls. Calls of one tool in a row are one step."
          >
            <SequenceTable run={run} target={shown} hasScorecard={view.hasScorecard} />
          </Section>
        </>
      )}
      {shown.faults.length > 0 && <FaultMatrix run={run} faults={shown.faults} />}
      {reliability !== undefined && (
        <Section title="Does it succeed every time?">
          <PassKPlot
            title={`Attempts at the same question, of ${reliability.attempts}`}
            levels={reliability.levels}
          />
        </Section>
      )}
      <DistributionSection run={run} target={shown} />
      {conversations !== null && (
        <ConversationSection run={run} target={shown.target} conversations={conversations} />
      )}
    </>
  );
}

/** The numbers of all answers of a target, each of which leads to them. */
function TrialCounts({ run, target }: { readonly run: string; readonly target: ToolTarget }) {
  const { target: name, trials, answered, unknown, withCalls } = target;
  const counted = (count: number, term: FilterTerm) => (
    <CasesOf run={run} target={name} count={count} where={[term]} />
  );
  return (
    <p className="mt-2 text-quiet">
      {counted(answered, equalTo('status', ['completed']))} {answered === 1 ? 'answer' : 'answers'} of{' '}
      {formatPlural(trials, 'attempt')} · {counted(withCalls, equalCalls)} with tool calls
      {unknown > 0 && (
        <>
          {' · '}
          {counted(unknown, equalTo('toolsUnknown', ['true']))} whose recording does not say which tools were
          used
        </>
      )}
    </p>
  );
}

/** Answers with calls, in any order. */
const equalCalls: FilterTerm = { field: 'calls', operator: '=', values: ['*'] };

function toolNote({ hasArguments }: ToolTarget): string {
  const counted =
    'Numbers of answers, unless they are of calls. Missing: the question expects the tool, and it was not called.';
  return hasArguments
    ? counted
    : `${counted} Arguments were not measured: the metrics tool-arguments and tool-f1 compare them.`;
}

function NoCalls() {
  return (
    <div className="mt-6">
      <EmptyState title="No answer of this target has a tool call, and no question expects one">
        A target returns its calls as <code className="font-mono">toolCalls</code> next to its answer, each
        with its name, arguments and result. A question names the tools to use under{' '}
        <code className="font-mono">expected.tools</code>, or rules for calls under{' '}
        <code className="font-mono">expected.calls</code>.
      </EmptyState>
    </div>
  );
}

/** The tools of a target: in how many answers each was expected, used and missing, and what was wrong with its calls. */
function ToolTable({ run, target }: { readonly run: string; readonly target: ToolTarget }) {
  /** A number with its cases; one that should be 0 is bold when it is not. */
  const cases = (field: string, tool: string, { isBad = false, ...counts }: ShownCount) => (
    <span className={isBad && counts.count > 0 ? 'font-semibold' : ''}>
      <CasesOf run={run} target={target.target} where={[equalTo(field, [tool])]} {...counts} />
    </span>
  );
  const columns: readonly Column<ToolRow>[] = [
    {
      title: 'Tool',
      isName: true,
      cell: ({ tool }) => <PlainText text={tool} className="inline-block min-w-36 font-mono wrap-anywhere" />,
    },
    {
      title: 'Expected',
      align: 'right',
      cell: ({ tool, expected }) => cases('expectedTool', tool, { count: expected }),
    },
    { title: 'Used', align: 'right', cell: ({ tool, used }) => cases('tool', tool, { count: used }) },
    {
      title: 'Missing',
      align: 'right',
      cell: ({ tool, missing: count }) => cases('missingTool', tool, { count, isBad: true }),
    },
    { title: 'Calls', align: 'right', isOptional: true, cell: ({ calls }) => formatCount(calls) },
    {
      title: 'Failed calls',
      align: 'right',
      cell: ({ tool, failed, failedCalls }) =>
        cases('failedTool', tool, { count: failed, shown: failedCalls, isBad: true }),
    },
    {
      title: 'Wrong arguments',
      align: 'right',
      cell: ({ tool, wrong, wrongCalls }) =>
        target.hasArguments ? (
          cases('wrongTool', tool, { count: wrong, shown: wrongCalls, isBad: true })
        ) : (
          <span className="text-quiet">{missing}</span>
        ),
    },
  ];
  return <DataTable label="Tools" columns={columns} rows={target.tools} keyOf={({ tool }) => tool} />;
}

interface ShownCount {
  readonly count: number;
  readonly shown?: number;
  readonly isBad?: boolean;
}
