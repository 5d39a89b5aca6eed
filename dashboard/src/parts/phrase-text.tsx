import { Fragment } from 'react';
import type { Phrase } from '../../../src/look/report/phrase.ts';
import { PlainText } from './plain-text.tsx';

/** A sentence of a report: own words, and names from outside set apart from them. */
export function PhraseText({ phrase }: { readonly phrase: Phrase }) {
  return phrase.map((part, index) => {
    if (typeof part === 'string') return <Fragment key={index}>{part}</Fragment>;
    return part.isText === true ? (
      <q key={index}>
        <PlainText text={part.quoted} />
      </q>
    ) : (
      <span key={index} className="font-medium">
        <PlainText text={part.quoted} />
      </span>
    );
  });
}
