import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import type { ProposalView as View } from '../../../../src/core/schema/api/proposals.ts';
import type { DecisionOutcome } from '../../../../src/core/schema/proposal/decision.ts';
import { useData } from '../../data/data-source.ts';
import { proposalPath } from '../../data/people/use-proposals.ts';
import { useRights } from '../../data/use-rights.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { MessageBlock } from '../../parts/transcript/message-block.tsx';
import { SourceProvider } from '../../parts/transcript/long-text.tsx';
import { CaseFields } from './case-fields.tsx';
import { beginDraft, doubtsAbout, type ProposalDraft, toApproval, toggleAll, toggleTick } from './draft.ts';
import { ExpectationList } from './expectation-list.tsx';
import { Findings } from './findings.tsx';
import { TimeText } from '../../parts/time-text.tsx';

interface ProposalViewOptions {
  readonly view: View;
  readonly person: string;
  /** Called after a decision; true when the proposal is decided now. */
  readonly onDecided: (isDone: boolean) => void;
}

/** One proposal: its case to edit, its expectations to tick, what the checks say, and the decision. */
export function ProposalView({ view, person, onDecided }: ProposalViewOptions) {
  const { proposal, state } = view;
  const [draft, setDraft] = useState(() => beginDraft(proposal));
  const { error, isSending, send } = useDecision(view, person, onDecided);
  const questionRef = useRef<HTMLTextAreaElement>(null);
  const categoryRef = useRef<HTMLInputElement>(null);
  const { may } = useRights();
  const isOpen = state === 'open' && may('edit');
  const { approve, broken, question } = useApproval(proposal, draft, send);
  const reject = () => send({ status: 'rejected' });
  const undo = () => send({ status: 'withdrawn' });
  const move = (step: number) =>
    setDraft({ ...draft, at: clamp(draft.at + step, proposal.expectations.length) });
  useKeys(
    isOpen
      ? [
          ...proposal.expectations.slice(0, 9).map((_each, place) => ({
            keys: String(place + 1),
            does: `Tick expectation ${place + 1}`,
            run: () => setDraft(toggleTick(draft, place)),
          })),
          { keys: 'ArrowDown', does: 'Go to the next expectation', run: () => move(1) },
          { keys: 'ArrowUp', does: 'Go to the previous expectation', run: () => move(-1) },
          { keys: 'x', does: 'Tick the expectation', run: () => setDraft(toggleTick(draft, draft.at)) },
          { keys: 't', does: 'Tick all expectations, or none', run: () => setDraft(toggleAll(draft)) },
          { keys: 'v', does: 'Edit the value of the expectation', run: () => focusValue(draft.at) },
          { keys: 'e', does: 'Edit the question', run: () => questionRef.current?.focus() },
          { keys: 'c', does: 'Edit the category', run: () => categoryRef.current?.focus() },
          { keys: 'a', does: 'Approve the question with what is ticked', run: approve },
          { keys: 'r', does: 'Reject the proposal', run: reject },
        ]
      : may('edit')
        ? [{ keys: 'u', does: 'Take the decision back', run: undo }]
        : [],
  );
  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]">
      <div className="min-w-0 space-y-5">
        <Origin view={view} />
        <History view={view} />
        <Answered view={view} />
        <CaseFields
          draft={draft}
          isOpen={isOpen}
          onDraft={setDraft}
          questionRef={questionRef}
          categoryRef={categoryRef}
        />
        <ExpectationList
          proposal={proposal}
          draft={draft}
          isOpen={isOpen}
          broken={broken}
          onDraft={setDraft}
        />
      </div>
      <div className="min-w-0 space-y-5">
        <Decision
          view={view}
          draft={draft}
          isSending={isSending}
          actions={may('edit') ? { approve, reject, undo } : undefined}
        />
        <ErrorPanel error={error} />
        <Findings view={view} />
      </div>
      {question}
    </div>
  );
}

/** Returns the function that approves, and the dialog in which it asks first where there are doubts. */
function useApproval(
  proposal: View['proposal'],
  draft: ProposalDraft,
  send: (outcome: DecisionOutcome) => void,
) {
  const [broken, setBroken] = useState<number>();
  const [doubts, setDoubts] = useState<readonly string[]>([]);
  const confirmation = useRef<HTMLDialogElement>(null);
  const decide = (isSure: boolean) => {
    const outcome = toApproval(proposal, draft);
    setBroken('broken' in outcome ? outcome.broken : undefined);
    if ('broken' in outcome) return;
    const found = isSure ? [] : doubtsAbout(proposal, outcome);
    setDoubts(found);
    if (found.length > 0) return confirmation.current?.showModal();
    confirmation.current?.close();
    send(outcome);
  };
  const question = (
    <Dialog ref={confirmation} title="Approve it all the same?">
      <ul className="list-disc space-y-1 pl-5">
        {doubts.map((doubt) => (
          <li key={doubt}>
            <PlainText text={doubt} />
          </li>
        ))}
      </ul>
      <div className="mt-4">
        <Button look="main" onClick={() => decide(true)}>
          Approve all the same
        </Button>
      </div>
    </Dialog>
  );
  return { approve: () => decide(false), broken, question };
}

function clamp(place: number, length: number): number {
  return Math.min(Math.max(place, 0), Math.max(length - 1, 0));
}

function focusValue(place: number): void {
  document.getElementById(`expectation-${place}`)?.focus();
}

/** Returns a function that sends a decision, with the error where it was refused. */
function useDecision({ proposal: { id } }: View, person: string, onDecided: (isDone: boolean) => void) {
  const source = useData();
  const [error, setError] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const send = (outcome: DecisionOutcome): void => {
    if (isSending) return;
    setSending(true);
    const body = { person, outcome, id: crypto.randomUUID() };
    const sent = source.send?.('POST', `${proposalPath(id)}/decisions`, body) ?? Promise.resolve();
    sent
      .then(() => {
        setError(undefined);
        onDecided(outcome.status !== 'withdrawn');
      }, setError)
      .finally(() => setSending(false));
  };
  return { error, isSending, send };
}

function Origin({ view: { proposal, hasTrace } }: { readonly view: View }) {
  const { source, by, at, picked, isSynthetic, change, replaces, dataset } = proposal;
  return (
    <p className="text-quiet wrap-anywhere">
      {change === 'new' ? (
        'A new question'
      ) : (
        <>
          A change of the question <PlainText text={replaces ?? ''} />
        </>
      )}{' '}
      for <PlainText text={dataset} />
      {isSynthetic && ' · synthetic'} · from{' '}
      {source.type === 'trace' && hasTrace ? (
        <Link to="/traces/$trace" params={{ trace: source.traceId }} className="link">
          trace <PlainText text={source.traceId.slice(0, 12)} />
        </Link>
      ) : (
        <PlainText text={nameSource(proposal)} />
      )}{' '}
      · by <PlainText text={by.name} />, <TimeText at={at} />
      {picked.map(({ reason, why }) => (
        <span key={reason} className="block">
          Picked: {reason}, <PlainText text={why} />
        </span>
      ))}
    </p>
  );
}

function nameSource({ source }: View['proposal']): string {
  if (source.type === 'document') return `${source.document}, ${source.passage}`;
  if (source.type === 'run') return `an answer of the run ${source.run}`;
  return source.type === 'trace' ? `trace ${source.traceId}` : `label ${source.label}`;
}

/** The answer of the bot where the proposal comes from, and the tools that it used. */
function Answered({ view: { answered } }: { readonly view: View }) {
  if (answered === undefined) return null;
  const { answer, tools } = answered;
  return (
    <section aria-label="What was answered" className="rounded-lg border border-line px-4 py-3">
      <h2 className="text-xs text-quiet">What was answered</h2>
      <p dir="auto" className="max-h-80 overflow-y-auto whitespace-pre-wrap wrap-anywhere" tabIndex={0}>
        {answer === null ? <span className="text-quiet">nothing</span> : <PlainText text={answer} />}
      </p>
      {tools.length > 0 && (
        <p className="mt-1 text-xs text-quiet">
          Tools: <PlainText text={tools.join(', ')} />
        </p>
      )}
    </section>
  );
}

/** The messages before the question. */
function History({ view: { proposal } }: { readonly view: View }) {
  const { input } = proposal.case;
  if (typeof input === 'string' || input.length < 2) return null;
  return (
    <SourceProvider value={{ path: proposalPath(proposal.id), cuts: [] }}>
      <ol aria-label="Messages before the question" className="space-y-3">
        {input.slice(0, -1).map((message, index) => (
          <li key={index}>
            <MessageBlock message={message} path={`/proposal/case/input/${index}`} />
          </li>
        ))}
      </ol>
    </SourceProvider>
  );
}

interface DecisionOptions {
  readonly view: View;
  readonly draft: ProposalDraft;
  readonly isSending: boolean;
  /** Undefined for those who may not decide. */
  readonly actions:
    | { readonly approve: () => void; readonly reject: () => void; readonly undo: () => void }
    | undefined;
}

function Decision({ view: { state, decisions, exports }, draft, isSending, actions }: DecisionOptions) {
  const ticked = draft.ticks.filter(Boolean).length;
  return (
    <section aria-label="Decision" className="rounded-lg border border-line px-4 py-3">
      <p className="font-medium">
        {state === 'open'
          ? `${ticked} of ${draft.ticks.length} expectations ticked`
          : `This proposal is ${state}`}
      </p>
      {actions === undefined ? null : state === 'open' ? (
        <div className="mt-2 flex flex-wrap gap-2">
          <Button look="main" onClick={actions.approve} disabled={isSending}>
            Approve
          </Button>
          <Button onClick={actions.reject} disabled={isSending}>
            Reject
          </Button>
        </div>
      ) : (
        state !== 'exported' && (
          <div className="mt-2">
            <Button onClick={actions.undo} disabled={isSending}>
              Take it back
            </Button>
          </div>
        )
      )}
      <ul className="mt-2 text-quiet wrap-anywhere">
        {decisions.map(({ id, outcome, by, at, note }) => (
          <li key={id}>
            {outcome.status} by <PlainText text={by.person} />, <TimeText at={at} />
            {note !== undefined && (
              <>
                : <PlainText text={note} />
              </>
            )}
          </li>
        ))}
        {exports.map(({ id, file, caseId, part }) => (
          <li key={id}>
            in <PlainText text={file} /> ({part}) as <PlainText text={caseId} />
          </li>
        ))}
      </ul>
    </section>
  );
}
