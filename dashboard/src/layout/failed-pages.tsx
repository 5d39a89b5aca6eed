import { type ErrorComponentProps, Link } from '@tanstack/react-router';
import { ErrorPanel } from '../parts/error-panel.tsx';
import { PageHead } from './page-head.tsx';

/** The page under an address that has none. */
export function NotFound() {
  return (
    <>
      <PageHead title="There is no such page" />
      <p className="text-quiet">
        Check the address, or go to{' '}
        <Link to="/" className="link">
          the runs
        </Link>
        .
      </p>
    </>
  );
}

/** The page in place of one that failed. */
export function CaughtError({ error, reset }: ErrorComponentProps) {
  return <ErrorPanel error={error} onRetry={reset} />;
}
