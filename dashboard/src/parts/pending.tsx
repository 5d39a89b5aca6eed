import { ErrorPanel } from './error-panel.tsx';
import { Skeleton } from './skeleton.tsx';

interface PendingOptions {
  /** The error of the request; null while it is under way. */
  readonly error: Error | null;
  /** Sends the request again. */
  readonly refetch: () => unknown;
}

/** What is shown in place of data that has not arrived: its shape, or the error with a way to try again. */
export function Pending({ error, refetch }: PendingOptions) {
  return error === null ? <Skeleton /> : <ErrorPanel error={error} onRetry={() => void refetch()} />;
}
