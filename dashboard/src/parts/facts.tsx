import { Fragment, type ReactNode } from 'react';
import { PlainText } from './plain-text.tsx';

/**
 * Facts in one line, with a dot between them. Each is set apart from its neighbours, so that one that is read from right to left does not
 * change their order.
 */
export function Facts({ facts }: { readonly facts: readonly ReactNode[] }) {
  return facts.map((fact, index) => (
    <Fragment key={index}>
      {index > 0 && ' · '}
      {typeof fact === 'string' ? <PlainText text={fact} /> : fact}
    </Fragment>
  ));
}
