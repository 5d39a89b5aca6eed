import { QueryClient } from '@tanstack/react-query';
import { FailedRequest } from './data-source.ts';

/** Creates the cache of answers. The server is on this machine: a failure that it explains is not worth a second try. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 2_000,
        retry: (count, error) => !(error instanceof FailedRequest) && count < 2,
      },
    },
  });
}
