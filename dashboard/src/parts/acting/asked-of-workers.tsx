import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { type AskedRunView, askedRunViewSchema } from '../../../../src/core/schema/api/acting/asked-run.ts';
import { FailedRequest } from '../../data/data-source.ts';
import { useAnswer } from '../../data/use-answer.ts';
import { useChange } from '../../data/use-changes.ts';
import { Button } from '../button.tsx';
import { CommandLine } from '../copy-button.tsx';
import { ErrorPanel } from '../error-panel.tsx';
import { Skeleton } from '../skeleton.tsx';
import { Confirmation } from './confirmation.tsx';

/** The milliseconds between two looks at what has become of it. */
const lookEveryMs = 1000;

/** A run that is asked of the workers of a server: what it waits for, its plan to confirm, and what has become of it. */
export function AskedOfWorkers({ id, command }: { readonly id: string; readonly command?: string }) {
  const path = `/asked-runs/${encodeURIComponent(id)}`;
  const place = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const { data, error } = useAnswer(path, askedRunViewSchema, {
    pollMs: (view) => (view?.state === 'begun' || view?.state === 'refused' ? false : lookEveryMs),
  });
  const confirm = useChange((send, limits: { readonly maxCost: number | undefined }) =>
    send('POST', `${path}/confirmation`, limits),
  );
  const withdraw = useChange((send, asked: string) => send('DELETE', asked));
  const run = data?.run;
  useEffect(() => {
    // A person who has closed the dialog works on something else.
    const isOpen = place.current?.closest('dialog')?.open === true;
    if (run !== undefined && isOpen) void navigate({ to: '/runs/$run', params: { run } });
  }, [run, navigate]);
  if (withdraw.isSuccess) return <p role="status">Withdrawn. Nothing was asked.</p>;
  if (error !== null) return <ErrorPanel error={error} />;
  if (data === undefined) return <Skeleton />;
  if (data.refusal !== undefined)
    return <ErrorPanel error={new FailedRequest({ code: 'asking-refused', ...data.refusal })} />;
  if (data.state === 'planned' && data.plan !== undefined)
    return (
      <Confirmation
        plan={data.plan}
        confirm={(maxCost) => confirm.mutate({ maxCost })}
        error={confirm.error}
        isPending={confirm.isPending}
      />
    );
  return (
    <div ref={place} className="space-y-4">
      <p role="status">{describe(data)}</p>
      {run !== undefined && (
        <Link to="/runs/$run" params={{ run }}>
          Open run {run}
        </Link>
      )}
      {data.workers === 0 && command !== undefined && (
        <>
          <p className="text-quiet">Or ask in the folder of the project by this command:</p>
          <CommandLine text={command} />
        </>
      )}
      <ErrorPanel error={withdraw.error} />
      {data.state !== 'begun' && data.state !== 'starting' && (
        <Button onClick={() => withdraw.mutate(path)} disabled={withdraw.isPending}>
          Withdraw
        </Button>
      )}
    </div>
  );
}

function describe({ state, workers }: AskedRunView): string {
  const isWaiting = state === 'waiting' || state === 'confirmed';
  if (isWaiting && workers === 0)
    return 'Waits for a worker, and none is there. Start one in the folder of the project: touchstone worker --wait';
  if (state === 'waiting' || state === 'planning') return 'A worker plans the questions.';
  if (state === 'confirmed') return 'Waits for a worker to begin it. It will be in the list of runs.';
  return state === 'starting' ? 'A worker begins the run.' : 'The run has begun.';
}
