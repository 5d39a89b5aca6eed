import { useNavigate } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { z } from 'zod';
import { parseJson } from '../../../../src/core/lib/json/parse-json.ts';
import type { ProposeRequest } from '../../../../src/core/schema/api/proposals.ts';
import { useChange } from '../../data/use-changes.ts';
import { usePerson } from '../../data/use-person.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';
import { NameForm } from '../../parts/name-form.tsx';

interface ProposeChangeOptions {
  readonly run: string;
  /** Reads the whole question. */
  readonly readCase: () => Promise<unknown>;
  /** The name of the person who proposes; undefined where it is asked. */
  readonly person: string | undefined;
}

/** The parts of a question that can be changed. */
const knownSchema = z.object({ id: z.string(), input: z.unknown(), expected: z.unknown() });

/** A button that proposes a change of a question where its file is not at hand: somebody else approves it. */
export function ProposeChange({ run, readCase, person: known }: ProposeChangeOptions) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [asked, setAsked] = useState<z.infer<typeof knownSchema>>();
  const [named, setNamed] = usePerson(known === undefined ? undefined : { person: known, isSignedIn: true });
  const show = (): void => {
    dialog.current?.showModal();
    void readCase().then((read) => setAsked(knownSchema.parse(read)));
  };
  useKeys([{ keys: 'E', does: 'Propose a change of the question', run: show }]);
  return (
    <>
      <Button onClick={show}>Propose a change…</Button>
      <Dialog ref={dialog} title="Propose a change of the question">
        {named === undefined ? (
          <NameForm
            question="Who proposes?"
            storedWith="proposal"
            offered={undefined}
            onName={(name) => setNamed?.(name)}
          />
        ) : (
          asked !== undefined && <ChangeForm run={run} known={asked} person={named} />
        )}
      </Dialog>
    </>
  );
}

const field = 'mt-1 block w-full rounded-md border border-line bg-page px-2 py-1';

function ChangeForm({
  run,
  known,
  person,
}: Pick<ProposeRequest, 'run' | 'person'> & { readonly known: z.infer<typeof knownSchema> }) {
  const help = useId();
  const { id, input } = known;
  const [question, setQuestion] = useState(typeof input === 'string' ? input : undefined);
  const [expected, setExpected] = useState(() => JSON.stringify(known.expected, null, 2));
  const { mutate, error, isPending } = usePropose();
  const navigate = useNavigate();
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        mutate(
          { person, run, id, question, expected },
          { onSuccess: (at) => void navigate({ to: '/proposals', search: { at } }) },
        );
      }}
    >
      {question !== undefined && (
        <label className="block">
          <span className="text-xs text-quiet">Question</span>
          <textarea
            rows={3}
            value={question}
            dir="auto"
            onChange={({ target }) => setQuestion(target.value)}
            className={field}
          />
        </label>
      )}
      <label className="block">
        <span className="text-xs text-quiet">What is expected, as JSON</span>
        <textarea
          rows={Math.min(14, Math.max(4, expected.split('\n').length))}
          value={expected}
          spellCheck={false}
          aria-describedby={help}
          onChange={({ target }) => setExpected(target.value)}
          className={`${field} font-mono text-xs`}
        />
        <span id={help} className="text-quiet">
          The server does not have the file. Somebody else approves the change, and `touchstone proposals
          export` writes it.
        </span>
      </label>
      <ErrorPanel error={error} />
      <Button type="submit" look="main" disabled={isPending}>
        Propose
      </Button>
    </form>
  );
}

/** A change as the form shows it. */
interface Draft extends Omit<ProposeRequest, 'expected' | 'question'> {
  readonly question: string | undefined;
  /** JSON. */
  readonly expected: string;
}

/** Returns the mutation that stores the proposal, and answers its id. */
function usePropose() {
  return useChange(async (send, { expected, ...draft }: Draft) => {
    const answer = await send('POST', '/proposals', { ...draft, expected: parseJson(expected) });
    return z.object({ id: z.string() }).parse(answer).id;
  });
}
