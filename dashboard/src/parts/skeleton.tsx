import { ErrorPanel } from './error-panel.tsx';

/** The shape of a page that is being loaded. It becomes visible after 150 ms, since most answers come earlier. */
export function Skeleton() {
  return (
    <div role="status" className="skeleton">
      <span className="sr-only">Loading</span>
      <div aria-hidden className="h-7 w-56 rounded bg-hover" />
      <div aria-hidden className="mt-8 space-y-2">
        {[1, 0.9, 0.95, 0.8, 0.85].map((width) => (
          <div key={width} className="h-7 rounded bg-surface" style={{ width: `${width * 100}%` }} />
        ))}
      </div>
    </div>
  );
}

interface PendingOptions {
  /** The error of the request; null while it is under way. */
  readonly error: Error | null;
  /** Sends the request again. */
  readonly refetch: () => unknown;
}

/** Shows the shape of data that has not arrived, or the error with a way to try again. */
export function Pending({ error, refetch }: PendingOptions) {
  return error === null ? <Skeleton /> : <ErrorPanel error={error} onRetry={refetch} />;
}
