import { useState } from 'react';
import { z } from 'zod';
import { readKept, writeKept } from '../../data/kept-value.ts';

/** The settings of a reviewer for all tasks; this browser keeps them. */
export interface ReviewChoices {
  /** True to show the verdict of the judge after each label. */
  readonly isRevealed: boolean;
  /** True to go on as soon as every question has an answer. */
  readonly isQuick: boolean;
}

const choicesSchema = z.object({ isRevealed: z.boolean(), isQuick: z.boolean() });

/** Returns what the reviewer chose, and a function that changes it. */
export function useReviewChoices(): [ReviewChoices, (change: Partial<ReviewChoices>) => void] {
  const [choices, setChoices] = useState<ReviewChoices>(
    () => choicesSchema.safeParse(readKept('review')).data ?? { isRevealed: true, isQuick: false },
  );
  const change = (part: Partial<ReviewChoices>): void => {
    const next = { ...choices, ...part };
    writeKept('review', next);
    setChoices(next);
  };
  return [choices, change];
}
