import type { PortableRules } from '../config/portable-rules.ts';
import type { ErrorCode } from '../errors.ts';
import type { HelpedWork } from '../run/scoring-help.ts';
import type { SqliteOptions } from '../stores/sqlite/open-database.ts';

/** What a scoring thread is given. */
export interface ThreadWork extends HelpedWork {
  readonly rules: PortableRules;
  /** The file of the store, and how it is kept. */
  readonly file: string;
  readonly options: SqliteOptions;
}

/** What it tells: up to but without which ordinal all is kept, at the end that it is done, or what the user can mend. */
export type ThreadMessage =
  | { readonly type: 'kept'; readonly to: number }
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string; readonly remedy: string };
