import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { z } from 'zod';
import { formatPlural } from '../../../../src/look/report/format.ts';
import {
  askAgainCommand,
  type AskAgainPlan,
  askAgainPlanSchema,
  type AskedAgain,
} from '../../../../src/core/schema/api/acting/ask-again.ts';
import { askedRunViewSchema } from '../../../../src/core/schema/api/acting/asked-run.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { useData } from '../../data/data-source.ts';
import { useChange } from '../../data/use-changes.ts';
import { useRights } from '../../data/use-rights.ts';
import { useKeys } from '../../keys/use-keys.ts';
import { Button } from '../button.tsx';
import { CommandLine, CopyButton } from '../copy-button.tsx';
import { Dialog } from '../dialog.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { Skeleton } from '../skeleton.tsx';
import { Confirmation } from './confirmation.tsx';

/** Loaded where a server has workers that begin runs. */
const AskedOfWorkers = lazy(async () => ({
  default: (await import('./asked-of-workers.tsx')).AskedOfWorkers,
}));

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
  if (data === undefined) return <Skeleton />;
  if (!('id' in data)) return <OwnPlan run={run} plan={data} asked={asked} />;
  return (
    <Suspense fallback={<Skeleton />}>
      <AskedOfWorkers id={data.id} command={command} />
    </Suspense>
  );
}

/** The plan of a server that begins runs itself, and what begins one. */
function OwnPlan({
  run,
  plan,
  asked,
}: {
  readonly run: string;
  readonly plan: AskAgainPlan;
  readonly asked: AskedAgain;
}) {
  const navigate = useNavigate();
  const { mutate, error, isPending } = useAskAgain(run);
  const confirm = (maxCost: number | undefined) =>
    mutate(
      { ...asked, maxCost },
      { onSuccess: (begun) => void navigate({ to: '/runs/$run', params: { run: begun } }) },
    );
  return <Confirmation plan={plan} confirm={confirm} error={error} isPending={isPending} />;
}

/** The plan, or what was asked of the workers of a server, one of which plans it. */
const plannedSchema = z.union([askedRunViewSchema, askAgainPlanSchema]);

/** Returns the mutation that finds out what asking again takes. */
function usePlan(run: string) {
  const { send } = useData();
  return useMutation({
    mutationFn: async (asked: AskedAgain) =>
      plannedSchema.parse(await send?.('POST', `/runs/${encodeURIComponent(run)}/plans`, asked)),
  });
}

/** Returns the mutation that begins a run, and answers its id. */
function useAskAgain(run: string) {
  return useChange(async (send, asked: AskedAgain) => {
    const answer = await send('POST', `/runs/${encodeURIComponent(run)}/again`, asked);
    return z.object({ run: z.string() }).parse(answer).run;
  });
}
