import { useKeys } from './use-keys.ts';

/**
 * Binds `j` and `k`, which go to the next and the previous row of the list, and, where rows can be picked, `x`, which picks
 * the row. A row is reached by the link that has the attribute `data-row`, and Enter follows it.
 */
export function useRowKeys({ canPick = false } = {}): void {
  useKeys([
    { keys: 'j', does: 'Go to the next row; Enter opens it', run: () => focusRow(1) },
    { keys: 'k', does: 'Go to the previous row', run: () => focusRow(-1) },
    ...(canPick ? [{ keys: 'x', does: 'Pick the row, or no longer', run: pickRow }] : []),
  ]);
}

function focusRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const current = rows.findIndex((row) => row === document.activeElement);
  const next = current === -1 ? (step === 1 ? 0 : rows.length - 1) : current + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

function pickRow(): void {
  const row = document.activeElement?.closest('tr');
  row?.querySelector<HTMLInputElement>('input[type=checkbox]')?.click();
}
