import { MessageText } from './message-text.tsx';
import { messageOf } from '../../../src/core/errors.ts';
import { FailedRequest } from '../data/data-source.ts';
import { Button } from './button.tsx';

interface ErrorPanelOptions {
  /** The failure; nothing is shown without one. */
  readonly error: unknown;
  readonly onRetry?: () => unknown;
}

/** A failure with its code and its remedy: the same as the command line says. */
export function ErrorPanel({ error, onRetry }: ErrorPanelOptions) {
  if (error === null || error === undefined) return null;
  const { code, remedy } =
    error instanceof FailedRequest
      ? error
      : { code: 'internal', remedy: 'Reload the page. If it stays, report it with this message.' };
  return (
    <div role="alert" className="max-w-2xl rounded-lg border border-line bg-surface p-5">
      <p className="font-medium text-bad">
        <span aria-hidden>✗ </span>
        <MessageText text={messageOf(error)} />
      </p>
      <p className="mt-1">
        <MessageText text={remedy} />
      </p>
      <p className="mt-3 font-mono text-xs text-quiet">{code}</p>
      {onRetry !== undefined && (
        <div className="mt-4">
          <Button onClick={() => void onRetry()}>Try again</Button>
        </div>
      )}
    </div>
  );
}
