import type { Setting } from '../../src/library/find/settings.ts';
import { code, table } from './markdown.ts';

const head = ['option', 'type', 'default', 'meaning'];

/** Writes options as a table; defaults that are too long for it stand below. Returns nothing for no options. */
export function settingsTable(settings: readonly Setting[]): string[] {
  if (settings.length === 0) return [];
  const rows = settings.flatMap((setting) => setting.rows);
  const long = settings.filter(({ longDefault }) => longDefault !== undefined);
  return [table(head, rows), ...long.flatMap(writeLongDefault)];
}

function writeLongDefault({ name, longDefault }: Setting): string[] {
  const lines = [longDefault].flat().map((item) => JSON.stringify(item));
  return [`Default of ${code(name)}:`, ['```json', ...lines, '```'].join('\n')];
}
