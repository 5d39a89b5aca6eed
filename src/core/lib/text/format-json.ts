import { isContainer } from '../json/is-container.ts';
/** Formats a JSON value on one line, or where that is longer than `width`, with its parts on lines of their own. */
export function formatJson(value: unknown, width: number, before = ''): string {
  const whole = before + JSON.stringify(value);
  if (whole.length <= width || !isContainer(value)) return whole;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([key, part]) =>
    formatJson(part, width - 2, isList ? '' : `${JSON.stringify(key)}: `).replaceAll(/^/gm, '  '),
  );
  const [open, close] = isList ? '[]' : '{}';
  return `${before}${open}\n${parts.join(',\n')}\n${close}`;
}
