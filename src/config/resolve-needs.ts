import type { RateLimiter } from '../models/account/rate-limiter.ts';
import type { Case } from '../schema/case.ts';

/** What the caller adds to a config. */
export interface ResolveNeeds {
  /** The folder of the config file: paths in it are relative to that. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of the targets to keep; all when left out. */
  readonly targetNames?: readonly string[] | undefined;
  readonly selects?: ((testCase: Case) => boolean) | undefined;
  readonly limit?: number | undefined;
  /** Holds the limits of accounts; the one of this process when left out. */
  readonly rateLimiter?: RateLimiter | undefined;
}
