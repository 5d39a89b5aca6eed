/**
 * Returns the place of a command's store: the one that `--store` names, otherwise the one that its config names, otherwise the one of the
 * current folder. So no command reads or writes in another store than the config that it was given.
 */
export function storeOf({ store, config }: Partial<Record<'store' | 'config', string | undefined>>) {
  return { store, config, folder: process.cwd() };
}
