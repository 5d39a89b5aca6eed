import type { Column, ColumnsAside, ObjectColumn } from './column.ts';

/**
 * Divides a column in two: what is left of it, and the columns that `isAside` picks by the keys that lead to them. What is
 * left can be put together without the others.
 */
export function setAside(
  column: Column,
  isAside: (path: readonly string[]) => boolean,
): { readonly kept: Column; readonly aside: ColumnsAside } {
  const aside: ColumnsAside = [];
  const keep = (from: Column, path: readonly string[]): Column => {
    if (!('columns' in from)) return from;
    const columns: Record<string, Column> = {};
    for (const [key, inner] of Object.entries(from.columns)) {
      const innerPath = [...path, key];
      if (isAside(innerPath)) aside.push([innerPath, inner]);
      else columns[key] = keep(inner, innerPath);
    }
    return { ...from, columns };
  };
  return { kept: keep(column, []), aside };
}

/** Puts columns that were set aside back into the column that was left. */
export function putBack(kept: Column, aside: ColumnsAside): void {
  for (const [path, column] of aside) {
    let parent = kept as ObjectColumn;
    for (const key of path.slice(0, -1)) parent = parent.columns[key] as ObjectColumn;
    parent.columns[path.at(-1) as string] = column;
  }
}
