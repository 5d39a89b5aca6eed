import { type ReactNode, useRef } from 'react';
import { formatPercent, formatQuantity, formatWeight } from '../../../../src/look/report/format.ts';
import { describeTerm, readTerms, type TermsSeen } from '../../../../src/look/report/read-evidence.ts';
import { readTools } from '../../../../src/core/trials/verdict-evidence.ts';
import { describePassMark } from '../../../../src/look/report/rows/check-rows.ts';
import {
  foldIdle,
  listVerdicts,
  quotedTexts,
  reasonOf,
  repeatedReasons,
  type VerdictRow,
} from '../../../../src/look/report/rows/verdict-rows.ts';
import type { TrialView } from '../../../../src/core/schema/api/trial-view.ts';
import type { Judgement } from '../../../../src/core/schema/judgement.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PlainText } from '../../parts/plain-text.tsx';
import { Section } from '../../parts/section.tsx';
import { CheckTree } from './check-tree.tsx';
import { JudgementBlock } from './judgement-block.tsx';
import { JsonText, LongText, Fold } from '../../parts/transcript/long-text.tsx';

interface VerdictsOptions {
  readonly view: TrialView;
  readonly judgements: readonly Judgement[];
  /** Marks the evidence of a verdict in the answer; nothing for none. */
  readonly onMark: (marks: readonly string[]) => void;
}

/** The tree of verdicts: the total, the criteria that it is made of, and what each of them is based on. */
export function Verdicts({ view, judgements, onMark }: VerdictsOptions) {
  const { run, result } = view;
  const { shown: rows, idle } = foldIdle(listVerdicts(run, result));
  const terms = readTerms(run, result);
  const tools = readTools(run, result);
  const repeated = repeatedReasons(rows);
  const list = useRef<HTMLUListElement>(null);
  useKeys([{ keys: 'e', does: 'Open or close what judges said', run: () => toggleFolds(list.current) }]);
  return (
    <Section title="Why this score?">
      <Total view={view} />
      {rows.length + idle.length === 0 && <p className="text-quiet">There is no verdict on this answer.</p>}
      {repeated.map(({ reason, count, metric }) => (
        <div key={reason} className="mb-2 rounded-lg border border-line px-3 py-2">
          <p className="text-unsure">{count} metrics could not be measured, for one reason:</p>
          <LongText text={reason} path={`${pathOf(metric)}/reason`} />
        </div>
      ))}
      <ul ref={list} className="divide-y divide-line rounded-lg border border-line">
        {rows.map((row) => (
          <VerdictItem
            key={row.name}
            row={row}
            judgements={judgements}
            terms={terms.filter(({ metric }) => metric === row.metric)}
            onMark={onMark}
            isReasonShown={!repeated.some(({ reason }) => reason === reasonOf(row.verdict))}
          />
        ))}
      </ul>
      {idle.length > 0 && <IdleVerdicts rows={idle} />}
      {tools !== undefined && tools.expected.length > 0 && (
        <p className="mt-3 wrap-anywhere">
          <span className="text-quiet">Tools </span>
          <Names
            names={tools.expected.filter((name) => !tools.missing.includes(name))}
            sign="✓"
            look="text-good"
          />
          <Names names={tools.missing} sign="✗" look="text-bad" />
          <Names
            names={tools.used.filter((name) => !tools.expected.includes(name))}
            sign="also"
            look="text-quiet"
          />
        </p>
      )}
    </Section>
  );
}

/** The verdicts that do not apply and count for nothing, by name. An import may bring along dozens of them. */
function IdleVerdicts({ rows }: { readonly rows: readonly VerdictRow[] }) {
  return (
    <div className="mt-2">
      <Fold title={`${rows.length} more metrics do not apply to this question`}>
        <ul>
          {rows.map(({ name, metric, verdict }) => (
            <li key={name} className="wrap-anywhere">
              <PlainText text={name} />
              <Reason verdict={verdict} path={pathOf(metric)} />
            </li>
          ))}
        </ul>
      </Fold>
    </div>
  );
}

/** Opens all folded parts of an element; closes them if all are open. The focus stays on one that can be seen. */
function toggleFolds(element: HTMLElement | null): void {
  const folds = [...(element?.querySelectorAll('details') ?? [])];
  const isOpen = folds.some((fold) => !fold.open);
  for (const fold of folds) {
    if (!isOpen && fold.contains(document.activeElement)) fold.querySelector('summary')?.focus();
    fold.open = isOpen;
  }
}

/** The total of the scorecard; when not all is measured, what it could be. */
function Total({ view: { run, result } }: { readonly view: TrialView }) {
  const { scorecard } = result;
  if (run.scorecard === null || scorecard === null) return null;
  const { total, lower, upper, grade, outcome, explanation, passMark } = scorecard;
  return (
    <div className="mb-3">
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span
          className={
            total === null ? 'text-xl font-semibold text-unsure' : 'text-3xl font-semibold tracking-tight'
          }
        >
          {total === null ? 'not measured' : formatPercent(total)}
        </span>
        {(outcome ?? grade) !== null && (outcome ?? grade) !== undefined && (
          <PlainText text={outcome ?? grade ?? ''} className="text-lg" />
        )}
        {total === null && (
          <span className="text-quiet">
            between {formatPercent(lower)} and {formatPercent(upper)}
          </span>
        )}
        <span className="text-quiet">
          {describePassMark(passMark) ?? `passes from ${formatPercent(run.scorecard.passMark)}`}
        </span>
      </p>
      {explanation !== '' && (
        <div className="mt-1 text-quiet">
          <LongText text={explanation} path="/result/scorecard/explanation" />
        </div>
      )}
    </div>
  );
}

/** Returns the JSON Pointer of a verdict in the view of a trial. */
function pathOf(metric: string): string {
  return `/result/verdicts/${metric.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

interface VerdictItemOptions {
  readonly row: VerdictRow;
  readonly judgements: readonly Judgement[];
  readonly terms: readonly TermsSeen[];
  readonly onMark: (marks: readonly string[]) => void;
  /** False where one reason is shown once for several. */
  readonly isReasonShown: boolean;
}

function VerdictItem({
  row: { name, metric, weight, isRequired, verdict },
  judgements,
  terms,
  onMark,
  isReasonShown,
}: VerdictItemOptions) {
  const path = pathOf(metric);
  const ids = verdict === undefined || verdict.status === 'not-applicable' ? [] : (verdict.judgements ?? []);
  const own = judgements.flatMap((judgement, index) =>
    ids.includes(judgement.id) ? [{ judgement, index }] : [],
  );
  const marks = [
    ...quotedTexts(verdict?.status === 'scored' ? verdict.evidence : undefined),
    ...own.flatMap(({ judgement: { outcome } }) =>
      outcome.status === 'answered' ? quotedTexts(outcome.answer) : [],
    ),
  ];
  const mark = (): void => onMark(marks);
  const unmark = (): void => onMark([]);
  return (
    <li
      className="p-3 hover:bg-surface"
      onPointerEnter={mark}
      onPointerLeave={unmark}
      onFocus={mark}
      onBlur={unmark}
    >
      <div className="flex flex-wrap items-baseline gap-x-2">
        {marks.length === 0 ? (
          <PlainText text={name} className="font-medium wrap-anywhere" />
        ) : (
          <button
            type="button"
            title="Its evidence is marked in the answer"
            onClick={mark}
            className="font-medium wrap-anywhere underline decoration-line decoration-dotted decoration-2 underline-offset-4"
          >
            <PlainText text={name} />
          </button>
        )}
        {metric !== name && <PlainText text={metric} className="text-xs text-quiet wrap-anywhere" />}
        <span className="ml-auto whitespace-nowrap">
          <Value verdict={verdict} />
          {weight > 0 && <span className="text-quiet"> × {formatWeight(weight)}</span>}
        </span>
      </div>
      {isRequired && <p className="text-xs text-quiet">It must be met in full.</p>}
      {isReasonShown && <Reason verdict={verdict} path={path} />}
      {terms.map((seen) => (
        <p key={metric} className="mt-1 wrap-anywhere">
          <Names names={seen.found.map((term) => describeTerm(term, seen))} sign="✓" look="text-good" />
          <Names
            names={seen.missing.map((term) => describeTerm(term, seen))}
            sign="✗ missing"
            look="text-bad"
          />
        </p>
      ))}
      <CheckTree verdict={verdict} />
      {verdict?.status === 'scored' && verdict.evidence !== undefined && (
        <Fold title="Evidence">
          <JsonText value={verdict.evidence} path={`${path}/evidence`} />
        </Fold>
      )}
      {own.map(({ judgement, index }) => (
        <JudgementBlock key={judgement.id} judgement={judgement} path={`/judgements/${index}`} />
      ))}
    </li>
  );
}

function Value({ verdict }: Pick<VerdictRow, 'verdict'>): ReactNode {
  if (verdict === undefined) return <span className="text-quiet">no verdict</span>;
  if (verdict.status === 'failed') return <span className="text-unsure">? not measured</span>;
  if (verdict.status === 'not-applicable') return <span className="text-quiet">not applicable</span>;
  const { value, unit, passed } = verdict;
  const look = passed === undefined ? '' : passed ? 'text-good' : 'text-bad';
  return (
    <span className={`font-medium ${look}`}>
      {passed !== undefined && (
        <span>
          <span aria-hidden>{passed ? '✓ ' : '✗ '}</span>
          <span className="sr-only">{passed ? 'passed' : 'failed'} </span>
        </span>
      )}
      {formatQuantity(value, unit)}
    </span>
  );
}

function Reason({ verdict, path }: Pick<VerdictRow, 'verdict'> & { readonly path: string }): ReactNode {
  if (verdict === undefined) return null;
  const isScored = verdict.status === 'scored';
  const text = isScored
    ? (verdict.explanation ?? '')
    : verdict.status === 'failed'
      ? `${verdict.code}, ${verdict.reason}`
      : verdict.reason;
  if (text === '') return null;
  return (
    <div className="mt-0.5 text-quiet">
      <LongText text={text} path={`${path}/${isScored ? 'explanation' : 'reason'}`} />
    </div>
  );
}

const mostNames = 20;

interface NamesOptions {
  readonly names: readonly string[];
  readonly sign: string;
  readonly look: string;
}

function Names({ names, sign, look }: NamesOptions) {
  if (names.length === 0) return null;
  return (
    <span className="mr-3">
      <span className={`text-xs ${look}`}>{sign} </span>
      {names.slice(0, mostNames).map((name) => (
        <span key={name} className="mr-1 rounded bg-surface px-1 font-mono text-xs">
          <PlainText text={name} />
        </span>
      ))}
      {names.length > mostNames && (
        <span className="text-xs text-quiet">+{names.length - mostNames} more</span>
      )}
    </span>
  );
}
