import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { z } from 'zod';
import { formatPlural } from '../../../../src/look/report/format.ts';
import {
  askAgainCommand,
  type AskAgainPlan,
  askAgainPlanSchema,
  type AskedAgain,
} from '../../../../src/core/schema/api/acting/ask-again.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { useData } from '../../data/data-source.ts';
import { useChange } from '../../data/use-changes.ts';
import { useRights } from '../../data/use-rights.ts';
import { takeFocus } from '../../keys/focus.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../button.tsx';
import { CommandLine, CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { PlainText } from '../plain-text.tsx';
import { Skeleton } from '../skeleton.tsx';

interface AskAgainOptions {
  readonly view: { readonly run: Run; readonly storeFolder?: string };
  /** The questions and the targets. */
  readonly asked: AskedAgain;
}

/** A button that asks questions of a run again; where no run can be begun, one that copies the command for it. */
export function AskAgain({ view, asked }: AskAgainOptions) {
  const { canAsk } = useRights();
  const dialog = useRef<HTMLDialogElement>(null);
  const [opened, setOpened] = useState(0);
  const isAnswered = view.run.importedAt !== undefined;
  const show = (): void => {
    setOpened(opened + 1);
    dialog.current?.showModal();
  };
  useKeys(canAsk && !isAnswered ? [{ keys: 'a', does: 'Ask again', run: show }] : []);
  // Answers that were recorded elsewhere cannot be had again.
  if (isAnswered) return null;
  const command = askAgainCommand(view, asked);
  if (!canAsk) return <CopyButton label="Copy the command to ask again" text={command} />;
  return (
    <>
      <Button onClick={show}>Ask again…</Button>
      <Dialog ref={dialog} title={askAgainTitle(asked)}>
        {opened > 0 && <AskPlan key={opened} run={view.run.id} asked={asked} command={command} />}
      </Dialog>
    </>
  );
}

/** Returns the title of a dialog that asks questions again. */
export function askAgainTitle({ ids }: Pick<AskedAgain, 'ids'>): string {
  return `Ask ${formatPlural(ids.length, 'question')} again`;
}

interface AskPlanOptions {
  readonly run: string;
  readonly asked: AskedAgain;
  /** The command that does the same, where it is known before there is a plan. */
  readonly command?: string;
}

/** Reads what asking again takes, shows it, and asks for a confirmation. */
export function AskPlan({ run, asked: given, command }: AskPlanOptions) {
  const { mutate: plan, data, error } = usePlan(run);
  // What is confirmed is what was planned.
  const [asked] = useState(given);
  useEffect(() => plan(asked), [plan, asked]);
  if (error !== null)
    return (
      <div className="space-y-4">
        <ErrorPanel error={error} onRetry={() => plan(asked)} />
        {command !== undefined && <CommandLine text={command} />}
      </div>
    );
  return data === undefined ? <Skeleton /> : <Confirmation run={run} plan={data} asked={asked} />;
}

interface ConfirmationOptions {
  readonly run: string;
  readonly plan: AskAgainPlan;
  readonly asked: AskedAgain;
}

/** The plan with its price, the limit of the cost, and the button that begins. */
function Confirmation({ run, plan, asked }: ConfirmationOptions) {
  const help = useId();
  const navigate = useNavigate();
  const [limit, setLimit] = useState('');
  const { mutate, error, isPending } = useAskAgain(run);
  return (
    <form
      className="space-y-4"
      onSubmit={(event) => {
        event.preventDefault();
        const maxCost = limit.trim() === '' ? undefined : Number(limit);
        mutate(
          { ...asked, maxCost },
          { onSuccess: (begun) => void navigate({ to: '/runs/$run', params: { run: begun } }) },
        );
      }}
    >
      <pre className="overflow-x-auto rounded-md bg-surface px-3 py-2 font-mono text-xs whitespace-pre-wrap">
        <PlainText text={plan.text.trim()} />
      </pre>
      <label className="block">
        Spend at most, in US dollars
        <input
          // After the form of a question that was edited before.
          ref={takeFocus}
          type="number"
          min="0.0001"
          step="any"
          value={limit}
          placeholder="no limit"
          aria-describedby={help}
          onChange={({ target }) => setLimit(target.value)}
          className="mt-1 block h-8 w-40 rounded-md border border-line bg-page px-2"
        />
        <span id={help} className="text-quiet">
          Calls whose price is not known are not limited by it.
        </span>
      </label>
      {error !== null && <ErrorPanel error={error} />}
      <Button type="submit" look="main" disabled={isPending}>
        {isPending ? 'Beginning …' : 'Ask again'}
      </Button>
      <p className="text-quiet">It is a new run, the same as by this command:</p>
      <CommandLine text={plan.command} />
    </form>
  );
}

/** Returns the mutation that finds out what asking again takes. */
function usePlan(run: string) {
  const { send } = useData();
  return useMutation({
    mutationFn: async (asked: AskedAgain) =>
      askAgainPlanSchema.parse(await send?.('POST', `/runs/${encodeURIComponent(run)}/plans`, asked)),
  });
}

/** Returns the mutation that begins a run, and answers its id. */
function useAskAgain(run: string) {
  return useChange(async (send, asked: AskedAgain) => {
    const answer = await send('POST', `/runs/${encodeURIComponent(run)}/again`, asked);
    return z.object({ run: z.string() }).parse(answer).run;
  });
}
