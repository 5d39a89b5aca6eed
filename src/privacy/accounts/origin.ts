import type { AccountStore } from '../../stores/accounts/account-store.ts';
import { readRecord } from './accounts.ts';

const name = 'server/origin';

/** Stores the address at which people open the server, for links that commands print. */
export async function storeOrigin({ records }: AccountStore, origin: string): Promise<void> {
  await records.change<string, undefined>(name, () => ({ value: origin, result: undefined }));
}

/** Returns the address at which people open the server that was started last; undefined when none was. */
export async function readOrigin({ records }: AccountStore): Promise<string | undefined> {
  return await readRecord<string>(records, name);
}
