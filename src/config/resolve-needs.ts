import type { RateLimiter } from '../models/account/rate-limiter.ts';
import type { Case } from '../schema/case.ts';

/** The context in which a config is resolved: its folder, the environment, and the choices of the caller. */
export interface ResolveNeeds {
  /** The folder of the config file, from which relative paths start. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The names of the targets to keep; all by default. */
  readonly targetNames?: readonly string[] | undefined;
  readonly selects?: ((testCase: Case) => boolean) | undefined;
  readonly limit?: number | undefined;
  /** Holds the limits of accounts; the one of this process when left out. */
  readonly rateLimiter?: RateLimiter | undefined;
}
