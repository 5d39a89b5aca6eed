import { useStopRun } from '../../data/use-changes.ts';
import { useRights } from '../../data/use-rights.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorPanel } from '../../parts/error-panel.tsx';

/** A button that stops a run: calls in flight are finished and stored. */
export function StopRun({ run }: { readonly run: string }) {
  const { may } = useRights();
  const { mutate, error, isPending, isSuccess } = useStopRun();
  if (!may('run')) return null;
  if (isSuccess)
    return (
      <p role="status" className="text-unsure">
        Stopping: the calls in flight are finished.
      </p>
    );
  return (
    <>
      <Button onClick={() => mutate(run)} disabled={isPending}>
        Stop
      </Button>
      <ErrorPanel error={error} />
    </>
  );
}
