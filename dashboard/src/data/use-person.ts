import { useState } from 'react';
import { z } from 'zod';
import { readKept, writeKept } from './kept-value.ts';

/** Returns the name of the person who labels and decides in this browser, and a function that changes it. */
export function usePerson(): [string | undefined, (name: string | undefined) => void] {
  const [person, setPerson] = useState(() => z.string().safeParse(readKept('person')).data);
  return [
    person,
    (name) => {
      writeKept('person', name);
      setPerson(name);
    },
  ];
}
