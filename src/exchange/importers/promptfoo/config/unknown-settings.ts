import { didYouMean } from '../../../../core/lib/text/nearest-name.ts';
import type { Ledger } from '../../ledger.ts';
import { asArray, asObject, type Fields, objectsIn } from '../../values.ts';
import { typeOf } from '../assertions/assertion.ts';
import { assertionTypes } from '../assertions/assertion-types.ts';

/** The settings of a test in promptfoo 0.123.1. */
const ofTest = [
  'description',
  'vars',
  'assert',
  'assertScoringFunction',
  'options',
  'threshold',
  'metadata',
  'provider',
  'providers',
  'prompts',
  'providerOutput',
  'repeat',
  'tags',
];

/** The settings of an assertion, and of a set of them. */
const ofAssertion = [
  'type',
  'value',
  'config',
  'threshold',
  'weight',
  'provider',
  'rubricPrompt',
  'metric',
  'transform',
  'contextTransform',
  'assert',
];

/** Names the settings of a test and its assertions that promptfoo does not have, and assertions in a place where it reads none. */
export function nameUnknown(test: Fields, place: string, ledger: Ledger): void {
  for (const key of Object.keys(test)) nameKey(key, 'test', { known: ofTest, place, ledger });
  nameAssertions(test.assert, place, ledger);
  for (const [name, value] of Object.entries(asObject(test.vars) ?? {})) {
    if (!isAssertions(value)) continue;
    const note = 'promptfoo checks nothing by it: it is a variable. Move it out of `vars`, and import again.';
    ledger.leaveOut(`assertions in the variable ${name}`, { note, place });
  }
}

function nameAssertions(assertions: unknown, place: string, ledger: Ledger): void {
  for (const assertion of objectsIn(assertions)) {
    for (const key of Object.keys(assertion))
      nameKey(key, 'assertion', { known: ofAssertion, place, ledger });
    nameAssertions(assertion.assert, place, ledger);
  }
}

function nameKey(
  key: string,
  of: string,
  {
    known,
    place,
    ledger,
  }: { readonly known: readonly string[]; readonly place: string; readonly ledger: Ledger },
): void {
  if (known.includes(key)) return;
  const note = `promptfoo has no such setting, and does nothing by it.${didYouMean(key, known)}`;
  ledger.leaveOut(`${key} of ${of === 'test' ? 'a test' : 'an assertion'}`, { note, place });
}

/** Returns whether a value is a list of assertions: objects with a type that promptfoo has. */
function isAssertions(value: unknown): boolean {
  const items = asArray(value);
  return items.length > 0 && objectsIn(items).filter(hasKnownType).length === items.length;
}

function hasKnownType(item: Fields): boolean {
  return Object.hasOwn(assertionTypes, typeOf(item).type);
}
