import { useState } from 'react';
import { z } from 'zod';
import { readKept, writeKept } from './kept-value.ts';

/** The name that the server knows: of the person who is signed in, or who started it. */
interface KnownPerson {
  readonly person?: string;
  readonly isSignedIn?: true;
}

/**
 * Returns the name of the person who labels and decides in this browser, and a function that changes it; undefined where people are
 * signed in, and act under their own names.
 */
export function usePerson(
  known: KnownPerson | undefined,
): [string | undefined, ((name: string | undefined) => void) | undefined] {
  const [person, setPerson] = useState(() => z.string().safeParse(readKept('person')).data);
  if (known?.isSignedIn === true) return [known.person, undefined];
  return [
    person,
    (name) => {
      writeKept('person', name);
      setPerson(name);
    },
  ];
}
