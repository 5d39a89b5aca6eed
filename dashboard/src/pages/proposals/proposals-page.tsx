import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatPlural } from '../../../../src/look/report/format.ts';
import type { ProposalList } from '../../../../src/core/schema/api/proposals.ts';
import { usePerson } from '../../data/use-person.ts';
import { useProposal, useProposals } from '../../data/people/use-proposals.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Pending } from '../../parts/skeleton.tsx';
import { NameForm } from '../../parts/name-form.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ProposalView } from './proposal-view.tsx';

/** Proposed cases, one at a time: a person ticks what the case expects, and approves or rejects it by keys. */
export function ProposalsPage() {
  const { data, error, refetch } = useProposals();
  const [person, setPerson] = usePerson(data);
  if (data === undefined) {
    return (
      <>
        <PageHead title="Proposals" />
        <Pending error={error} refetch={refetch} />
      </>
    );
  }
  if (data.proposals.length === 0) {
    return (
      <>
        <PageHead title="Proposals" />
        <EmptyState title="No question is proposed yet">
          Propose questions of stored traces: <code className="font-mono">touchstone propose</code>.
        </EmptyState>
      </>
    );
  }
  if (person === undefined) {
    return (
      <>
        <PageHead title="Proposals" />
        <NameForm
          question="Who decides?"
          storedWith="decision"
          offered={data.person}
          onName={(name) => setPerson?.(name)}
        />
      </>
    );
  }
  return (
    <Queue
      list={data}
      person={person}
      onPerson={setPerson && (() => setPerson(undefined))}
      onDecided={() => void refetch()}
    />
  );
}

interface QueueOptions {
  readonly list: ProposalList;
  readonly person: string;
  /** Forgets the name of the person; undefined where people are signed in. */
  readonly onPerson: (() => void) | undefined;
  readonly onDecided: () => void;
}

function Queue({ list: { proposals }, person, onPerson, onDecided }: QueueOptions) {
  const { at } = useSearch({ from: '/proposals' });
  const navigate = useNavigate();
  const firstOpen = proposals.findIndex(({ state }) => state === 'open');
  const named = proposals.findIndex(({ id }) => id === at);
  const place = named >= 0 ? named : Math.max(firstOpen, 0);
  const shown = proposals[place];
  const goTo = (next: number) => {
    const target = proposals[next];
    if (target !== undefined) void navigate({ to: '/proposals', search: { at: target.id } });
  };
  /** Goes to the next open proposal after the one on the screen, or from the beginning. */
  const goToOpen = () => {
    const open = proposals.flatMap(({ state }, index) =>
      state === 'open' && index !== place ? [index] : [],
    );
    goTo(open.find((index) => index > place) ?? open[0] ?? place + 1);
  };
  useKeys([
    { keys: 'n', does: 'Go to the next proposal', run: () => goTo(place + 1) },
    { keys: 'p', does: 'Go to the previous proposal', run: () => goTo(place - 1) },
  ]);
  const open = proposals.filter(({ state }) => state === 'open').length;
  return (
    <>
      <PageHead
        title="Proposals"
        about={
          <>
            {formatPlural(open, 'open proposal')} of {proposals.length} · number {place + 1} on the screen ·
            as <PlainText text={person} />
          </>
        }
        actions={
          <>
            <Button onClick={() => goTo(place - 1)} disabled={place === 0}>
              Previous
            </Button>
            <Button onClick={() => goTo(place + 1)} disabled={place === proposals.length - 1}>
              Next
            </Button>
            {onPerson !== undefined && <Button onClick={onPerson}>Another person</Button>}
          </>
        }
      />
      {shown !== undefined && (
        <OneProposal
          key={shown.id}
          id={shown.id}
          person={person}
          onDecided={(isDone) => {
            onDecided();
            if (isDone) goToOpen();
          }}
        />
      )}
    </>
  );
}

interface OneProposalOptions {
  readonly id: string;
  readonly person: string;
  /** Called after a decision; true when the proposal is decided now. */
  readonly onDecided: (isDone: boolean) => void;
}

function OneProposal({ id, person, onDecided }: OneProposalOptions) {
  const { data, error, refetch } = useProposal(id);
  // While another proposal is on its way, the one before is still there; and what was ticked stays when the server is gone.
  if (data === undefined || data.proposal.id !== id) {
    return <Pending error={error} refetch={refetch} />;
  }
  return (
    <ProposalView
      key={`${id} ${data.decisions.length}`}
      view={data}
      person={person}
      onDecided={(isDone) => {
        void refetch();
        onDecided(isDone);
      }}
    />
  );
}
