import type { PortableRules } from '../config/portable-rules.ts';
import type { StoreSetting } from '../config/store-setting.ts';
import type { ErrorCode } from '../errors.ts';
import type { HelpedWork } from '../run/scoring-help.ts';

/** What a scoring thread is given. */
export interface ThreadWork extends HelpedWork {
  readonly rules: PortableRules;
  /** The file of the store. */
  readonly file: string;
  readonly durability?: StoreSetting['durability'] | undefined;
}

/** What it tells: up to but without which ordinal all is kept, at the end that it is done, or what the user can mend. */
export type ThreadMessage =
  | { readonly type: 'kept'; readonly to: number }
  | { readonly type: 'done' }
  | { readonly type: 'refused'; readonly code: ErrorCode; readonly message: string; readonly remedy: string };
