import { useState } from 'react';

/**
 * Reads a value that this browser keeps; undefined when there is none, and where the browser keeps nothing. The caller checks
 * the value, since another version of the page may have written it.
 */
export function readKept(name: string): unknown {
  try {
    const text = localStorage.getItem(`touchstone-${name}`);
    return text === null ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keeps a value in this browser, or no longer when it is undefined. A browser that refuses to is left alone. */
export function writeKept(name: string, value: unknown): void {
  try {
    if (value === undefined) localStorage.removeItem(`touchstone-${name}`);
    else localStorage.setItem(`touchstone-${name}`, JSON.stringify(value));
  } catch {
    // Private windows may have no room; the page works without it.
  }
}

/** Returns a choice that this browser keeps from page to page, and a function that changes it. */
export function useKept(name: string, usual: boolean): [boolean, (value: boolean) => void] {
  const [value, setValue] = useState(() => {
    const kept = readKept(name);
    return typeof kept === 'boolean' ? kept : usual;
  });
  return [
    value,
    (next) => {
      writeKept(name, next);
      setValue(next);
    },
  ];
}
