import { quoteForShell } from '../../core/lib/text/quote-for-shell.ts';

/** The options of a command that say which config and which store it uses. */
type Place = Partial<Record<'store' | 'config', string | undefined>>;

/**
 * Returns the place of a command's store: the one that `--store` names, otherwise the one that its config names, otherwise the one of the
 * current folder. So no command reads or writes in another store than the config that it was given.
 */
export function storeOf({ store, config }: Place) {
  return { store, config, folder: process.cwd() };
}

/** Returns the value of `--store` that shows the records of a command again: the one given, or the store of its config if it is another. */
export async function storeToRepeat({ store, config }: Place): Promise<string | undefined> {
  if (store !== undefined || config === undefined) return store;
  const { findStore, storeToName } = await import('../../library/api/open-store.ts');
  return await storeToName(await findStore(storeOf({ config })));
}

/** Returns the options that a command to type next has to repeat, each after a blank: the config and the store that were named. */
export function placeFlags({ store, config }: Place): string {
  const given = [
    ['--config', config],
    ['--store', store],
  ];
  return given
    .flatMap(([flag, value]) => (value === undefined ? [] : ` ${flag} ${quoteForShell(value)}`))
    .join('');
}

/** The commands that read the config by which others were run; the others find the store alone. */
const readsConfig = /^touchstone (?:gate|rescore|review create|score)\b/;

/**
 * Returns a text for people in which the commands between backticks repeat the config and the store that a command was given, so that
 * they can be pasted as they are.
 */
export async function repeatPlace(text: string, { store, config }: Place): Promise<string> {
  const found = await storeToRepeat({ store, config });
  const repeat = (command: string) =>
    command + placeFlags(readsConfig.test(command) ? { config, store } : { store: found });
  return text.replaceAll(
    /`(touchstone [^`]*)`/g,
    (_, commands: string) => `\`${commands.split(' && ').map(repeat).join(' && ')}\``,
  );
}
