import { createContext, useContext } from 'react';
import { QueryClient } from '@tanstack/react-query';

/** The origin of everything that a page shows: a server, or the answers inside of a single file. */
export interface DataSource {
  /** True for a file, which contains one run. */
  readonly isFile?: boolean;
  /** Returns the answer to `GET /api` + path. Throws a {@link FailedRequest}. */
  get(path: string, signal?: AbortSignal): Promise<unknown>;
  /**
   * Returns the answer to `GET /api` + path while it is on its way, for those that come line by line. Throws a
   * {@link FailedRequest}. Absent for a file.
   */
  open?(path: string, signal: AbortSignal): Promise<Response>;
  /** Returns a picture that is inside of a file as a data URL; undefined for one that is not. Absent for a server. */
  picture?(hash: string): string | undefined;
  /** Sends a change. Absent where nothing can be changed. */
  send?(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<unknown>;
}

/** A request that failed, with what the command line would print. */
export class FailedRequest extends Error {
  override readonly name = 'FailedRequest';
  readonly code: string;
  readonly remedy: string;

  constructor({ code, message, remedy }: { code: string; message: string; remedy: string }) {
    super(message);
    this.code = code;
    this.remedy = remedy;
  }
}

const DataContext = createContext<DataSource | undefined>(undefined);

/** Provides the source of data to all components inside. */
export const DataProvider = DataContext.Provider;

/** Returns the source of data. */
export function useData(): DataSource {
  const source = useContext(DataContext);
  if (source === undefined) throw new Error('There is no source of data around this component.');
  return source;
}

/** Returns whether the page is in a file, which contains one run and asks no server. */
export function useIsFile(): boolean {
  return useData().isFile === true;
}

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
