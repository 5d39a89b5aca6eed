import { callSources } from '../../../../src/look/report/tools/call-sources.ts';
import { Link } from '@tanstack/react-router';
import { formatMoney, formatQuantity, missing } from '../../../../src/look/report/format.ts';
import { turnsOf } from '../../../../src/look/report/conversation-turns.ts';
import type { Message, ToolCall } from '../../../../src/core/schema/message.ts';
import { outcomeOfTrial, type Result } from '../../../../src/core/schema/result.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import type { Verdict } from '../../../../src/core/schema/verdict.ts';
import { useReportedTrial } from '../../data/use-report.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { MarkdownText } from '../../parts/markdown/markdown-text.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { Expectations } from '../../parts/transcript/expectations.tsx';
import { TurnHead } from '../../parts/transcript/turn-head.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

interface CaseDetailsOptions {
  readonly run: Pick<Run, 'id' | 'scorecard' | 'targets' | 'attempts'>;
  readonly ordinal: number;
  /** True when it is one of several answers to the question: its target and its attempt are named. */
  readonly isOfSeveral: boolean;
}

/** One trial: what was said, what was expected, and how it was judged. */
export function CaseDetails({ run, ordinal, isOfSeveral }: CaseDetailsOptions) {
  const { data, error } = useReportedTrial(run.id, ordinal);
  if (error !== null) return <ErrorPanel error={error} />;
  if (data === undefined) return null;
  const { result } = data;
  const { trial, scorecard } = result;
  const turns = new Map(
    trial.conversation === undefined ? [] : turnsOf(result).turns.map((turn) => [turn.from, turn]),
  );
  return (
    <article className="grid gap-x-10 gap-y-4 lg:grid-cols-[3fr_2fr]">
      <div className="min-w-0 space-y-3">
        {isOfSeveral && (
          <h3 className="font-medium wrap-anywhere">
            {run.targets.length > 1 && <PlainText text={trial.target} />}
            {run.targets.length > 1 && run.attempts > 1 && ', '}
            {run.attempts > 1 && `attempt ${trial.attempt}`}{' '}
            <OutcomeMark outcome={outcomeOfTrial(run, result)} />
          </h3>
        )}
        {trial.transcript.map((message, index) => {
          const turn = turns.get(index);
          return (
            <div key={index}>
              {turn !== undefined && <TurnHead turn={turn} />}
              <MessageView message={message} />
            </div>
          );
        })}
        {trial.error !== undefined && (
          <p className="text-bad">
            <PlainText text={`${trial.error.code}: ${trial.error.message}`} />
          </p>
        )}
        {trial.spoilt !== undefined && (
          <p className="text-unsure">
            Not the fault of the target: <PlainText text={trial.spoilt.reason} />
          </p>
        )}
        <p className="text-xs text-quiet">
          {costOf(result)}{' '}
          <Link
            to="/runs/$run/cases/$ordinal"
            params={{ run: run.id, ordinal: String(ordinal) }}
            className="link print:hidden"
          >
            Everything about it
          </Link>
        </p>
      </div>
      <div className="min-w-0 space-y-4">
        {scorecard !== null && (
          <p>
            <PlainText text={[scorecard.grade, scorecard.explanation].filter(Boolean).join(': ')} />
          </p>
        )}
        <Verdicts
          label={`Verdicts on ${trial.caseId}, ${trial.target}, attempt ${trial.attempt}`}
          verdicts={result.verdicts}
        />
        {Object.keys(result.case.expected).length > 0 && (
          <div>
            <p className="text-xs font-medium text-quiet">What was expected</p>
            <Expectations expected={result.case.expected} />
          </div>
        )}
      </div>
    </article>
  );
}

function costOf({ trial: { latency, cost, retries } }: Result): string {
  const parts = [
    ...(latency === undefined ? [] : [formatQuantity(latency.totalMs, 'ms')]),
    ...(cost === undefined ? [] : [formatMoney(cost)]),
    ...(retries === 0 ? [] : [`${retries} retried`]),
  ];
  return parts.join(' · ');
}

const speakers = { system: 'System', user: 'User', assistant: 'Bot', tool: 'Tool' } as const;

function MessageView({ message: { role, content, reasoning, toolCalls } }: { readonly message: Message }) {
  return (
    <div className={`rounded-lg border border-line p-3 ${role === 'assistant' ? '' : 'bg-surface'}`}>
      <p className="mb-1 text-xs font-medium text-quiet">{speakers[role]}</p>
      {reasoning !== undefined && (
        <div className="mb-2 border-l-2 border-line pl-3 text-quiet">
          <LongText text={reasoning} />
        </div>
      )}
      {content !== null && content !== '' && (
        <div className="wrap-anywhere">
          {role === 'assistant' ? <MarkdownText text={content} /> : <LongText text={content} />}
        </div>
      )}
      {content === null && toolCalls === undefined && <p className="text-quiet">No answer.</p>}
      {toolCalls?.map((call, index) => (
        <ToolCallView key={index} call={call} />
      ))}
    </div>
  );
}

function LongText({ text }: { readonly text: string }) {
  return (
    <div className="wrap-anywhere whitespace-pre-wrap">
      <PlainText text={text} />
    </div>
  );
}

function ToolCallView({ call }: { readonly call: ToolCall }) {
  const { name, arguments: args, result, error, fault, from = 'tool' } = call;
  return (
    <div className="mt-2 rounded border border-line bg-surface p-2 font-mono text-xs wrap-anywhere whitespace-pre-wrap">
      <PlainText text={name} />(<PlainText text={args === undefined ? '' : jsonText(args)} />)
      {result !== undefined && (
        <div className="mt-1 text-quiet">
          → <PlainText text={jsonText(result)} />
        </div>
      )}
      {error !== undefined && (
        <div className="mt-1 text-bad">
          ✗ <PlainText text={error} />
        </div>
      )}
      {from !== 'tool' && <div className="mt-1 text-unsure">{callSources[from]}</div>}
      {fault !== undefined && (
        <div className="mt-1 text-unsure">
          injected fault: <PlainText text={fault} />
        </div>
      )}
    </div>
  );
}

function jsonText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

type NamedVerdict = readonly [name: string, verdict: Verdict];

function Verdicts({ label, verdicts }: { readonly label: string } & Pick<Result, 'verdicts'>) {
  const rows = Object.entries(verdicts).filter(([, { status }]) => status !== 'not-applicable');
  if (rows.length === 0) return null;
  return <DataTable label={label} columns={columns} rows={rows} keyOf={([name]) => name} />;
}

const columns: readonly Column<NamedVerdict>[] = [
  { title: 'Metric', isName: true, cell: ([name]) => <PlainText text={name} /> },
  { title: 'Value', align: 'right', cell: ([, verdict]) => <VerdictValue verdict={verdict} /> },
  {
    title: 'Why',
    cell: ([, verdict]) => (
      <PlainText
        text={verdict.status === 'scored' ? (verdict.explanation ?? '') : verdict.reason}
        className="wrap-anywhere"
      />
    ),
  },
];

function VerdictValue({ verdict }: { readonly verdict: Verdict }) {
  if (verdict.status === 'not-applicable') return missing;
  if (verdict.status === 'failed') return <span className="text-unsure">not measured</span>;
  return <span className="whitespace-nowrap">{formatQuantity(verdict.value, verdict.unit)}</span>;
}
