import { getRouteApi, linkOptions } from '@tanstack/react-router';
import { useState } from 'react';
import type { z } from 'zod';
import type { modeSharesSchema, Reading } from '../../../../src/core/schema/modes/reading.ts';
import { formatPercent } from '../../../../src/look/report/format.ts';
import { useModePerson, useModeShares, useReading } from '../../data/people/use-modes.ts';
import { usePerson } from '../../data/use-person.ts';
import { PageHead } from '../../layout/page-head.tsx';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { ChoiceLinks } from '../../parts/links/choice-links.tsx';
import { NameForm } from '../../parts/name-form.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { minutesOf } from './board.ts';
import { ConversationPane } from './conversation-pane.tsx';
import { ModeCard, NoteList, type ShownShare } from './mode-card.tsx';
import { ModeDialog } from './mode-dialogs.tsx';
import { type BoardHandle, useBoard, useBoardKeys } from './use-board.ts';
import { Pending, Skeleton } from '../../parts/skeleton.tsx';

const route = getRouteApi('/modes');
const title = 'Failure modes';

/** The page on which a person groups notes into failure modes, and marks the conversations by them. */
export function ModesPage() {
  const { run } = route.useSearch();
  const { data: known, error } = useModePerson();
  const [person, setPerson] = usePerson(known);
  if (known === undefined)
    return (
      <>
        <PageHead title={title} />
        {error === null ? <Skeleton /> : <ErrorPanel error={error} />}
      </>
    );
  if (person === undefined)
    return (
      <>
        <PageHead title={title} />
        <NameForm
          question="Who marks?"
          storedWith="mark"
          offered={known.person}
          onName={(name) => setPerson?.(name)}
        />
      </>
    );
  return <OwnModes key={person} person={person} run={run} />;
}

function OwnModes({ person, run }: { readonly person: string; readonly run: string | undefined }) {
  const { data, error, refetch } = useReading(person, run);
  if (data === undefined)
    return (
      <>
        <PageHead title={title} />
        <Pending error={error} refetch={refetch} />
      </>
    );
  if (data.conversations.length === 0)
    return (
      <>
        <PageHead title={title} />
        <EmptyState title={`${person} has read no conversations yet`}>
          Draw some: <code>touchstone review create --notes</code>, and note what went wrong on the page
          Review.
        </EmptyState>
      </>
    );
  return <BoardView reading={data} person={person} />;
}

/** On a narrow screen, the conversation stands first, and a list scrolls within itself. */
const listLook = 'min-w-0 overflow-y-auto max-lg:max-h-[45vh] lg:max-h-[80vh]';

function BoardView({ reading, person }: { readonly reading: Reading; readonly person: string }) {
  const handle = useBoard(reading, person);
  const { board, chosen, open, error, editError, choose, mark, noOthers, edit, show } = handle;
  useBoardKeys(handle, reading.modes);
  const { target } = route.useSearch();
  const { data: shares, error: unshared } = useModeShares(reading.run ?? undefined, target);
  const about = `${board.order.length} conversations read by ${person} · ${againWords(board.again.length, minutesOf(board))}`;
  return (
    <>
      <PageHead
        title={title}
        about={<PlainText text={about} />}
        actions={
          <Button
            look="main"
            onClick={() =>
              show({ type: 'new', name: '', definition: '', notes: chosen ? [chosen.note] : [] })
            }
          >
            New mode <kbd className="font-mono text-xs">n</kbd>
          </Button>
        }
      />
      <ErrorPanel error={error} />
      {reading.modes.length > 0 && (
        <>
          <SharesOf targets={shares?.targets ?? []} target={target} />
          {target !== undefined && <ErrorPanel error={unshared} />}
          <UnseenLine shares={shares} />
        </>
      )}
      <div className="grid gap-6 lg:grid-cols-[16rem_minmax(0,1fr)_minmax(0,1.2fr)]">
        <section aria-label="Notes without a mode" className={listLook}>
          <h2 className="mb-2 font-semibold">Without a mode ({board.unnamed.length})</h2>
          <NoteList
            label="Notes without a mode"
            notes={board.unnamed}
            chosen={chosen?.note}
            onChoose={choose}
          />
          <h2 className="mt-4 mb-2 font-semibold">Nothing wrong ({board.fine.length})</h2>
          <NoteList label="Nothing wrong" notes={board.fine} chosen={chosen?.note} onChoose={choose} />
        </section>
        <section aria-label="Modes" className={listLook}>
          <h2 className="mb-2 font-semibold">Modes ({reading.modes.length})</h2>
          <ModeCards handle={handle} shares={shares} />
          <Suggested reading={reading} handle={handle} />
        </section>
        {chosen !== undefined && (
          <ConversationPane
            read={chosen}
            modes={reading.modes}
            onMark={(mode, value) => mark(chosen.note, mode, value)}
            onNoOthers={noOthers}
          />
        )}
      </div>
      {open !== undefined && (
        <ModeDialog
          open={open}
          modes={reading.modes}
          error={editError}
          onEdit={edit}
          onClose={() => show(undefined)}
        />
      )}
    </>
  );
}

/** Links to the shares of all answers, and to the shares of each target where there are several. */
function SharesOf({
  targets,
  target,
}: {
  readonly targets: readonly string[];
  readonly target: string | undefined;
}) {
  const { run } = route.useSearch();
  if (targets.length < 2 && target === undefined) return null;
  const choices = [undefined, ...targets].map((each) => ({
    name: each ?? 'All targets',
    link: linkOptions({ to: '/modes', search: { run, target: each } }),
    isChosen: each === target,
  }));
  return <ChoiceLinks label="Shares of" choices={choices} />;
}

function againWords(count: number, minutes: number): string {
  return count === 0 ? 'all are marked for every mode' : `${count} to look at again, ${minutes} min (q)`;
}

type Shares = z.infer<typeof modeSharesSchema>;
type Share = Shares['rows'][number]['ofAll'];

function ModeCards({
  handle,
  shares,
}: {
  readonly handle: BoardHandle;
  readonly shares: Shares | undefined;
}) {
  const { board, chosen, active, choose, activate, mark } = handle;
  return (
    <ol className="space-y-3">
      {board.ofModes.map(({ mode, own }, index) => (
        <ModeCard
          key={mode.id}
          mode={mode}
          digit={index + 1}
          own={own}
          share={shareOf(shares, mode.id)}
          isActive={mode.id === active?.id}
          chosen={chosen?.note}
          onChoose={choose}
          onActivate={() => activate(mode.id)}
          onDrop={(note) => mark(note, mode.id, true)}
        />
      ))}
    </ol>
  );
}

function shareOf(shares: Shares | undefined, id: string): ShownShare | undefined {
  const row = shares?.rows.find((each) => each.id === id);
  return row && { ofFailed: row.ofFailed && wordsOf(row.ofFailed), ofAll: wordsOf(row.ofAll) };
}

function wordsOf(share: Share): string {
  if (share.lower === null || share.upper === null) return 'not measured';
  const [lower, upper] = [formatPercent(share.lower), formatPercent(share.upper)];
  return share.estimate === null
    ? `between ${lower} and ${upper}`
    : `${formatPercent(share.estimate)} [${lower}, ${upper}]`;
}

function UnseenLine({ shares }: { readonly shares: Shares | undefined }) {
  if (shares === undefined || shares.unseen === null) return null;
  const { failures, once, upper, more } = shares.unseen;
  return (
    <p className="mb-4 text-quiet">
      {shares.read} of {shares.answers} conversations read. At most {formatPercent(upper)} of failures are of
      kinds not seen yet ({failures} read, {once} seen once)
      {more > 0 ? `; ${more} more without a new kind: under 10 %.` : '.'}
    </p>
  );
}

/** The suggested groups, of which nothing counts: a person makes modes of them, or drops them. */
function Suggested({ reading, handle }: { readonly reading: Reading; readonly handle: BoardHandle }) {
  const [dropped, setDropped] = useState<readonly string[]>([]);
  const isOpen = new Set(handle.board.unnamed.map(({ note }) => note));
  const groups = (reading.grouping?.groups ?? [])
    .map((group) => ({ ...group, notes: group.notes.filter((note) => isOpen.has(note)) }))
    .filter(({ name, notes }) => notes.length > 0 && !dropped.includes(name));
  if (groups.length === 0) return null;
  return (
    <>
      <h2 className="mt-6 mb-2 font-semibold">Suggested groups</h2>
      <ul className="space-y-2">
        {groups.map(({ name, definition, notes }) => (
          <li key={name} className="rounded-lg border border-dashed border-line px-3 py-2">
            <p className="font-medium wrap-anywhere">
              <PlainText text={name} /> ({notes.length})
            </p>
            <p className="text-quiet wrap-anywhere">
              <PlainText text={definition} />
            </p>
            <div className="mt-2 flex gap-2">
              <Button
                onClick={() => handle.show({ type: 'new', name: name.slice(0, 60), definition, notes })}
              >
                Make a mode of it
              </Button>
              <Button onClick={() => setDropped([...dropped, name])}>Drop</Button>
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}
