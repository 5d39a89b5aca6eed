import type { Message } from '../../schema/message.ts';
import type { Part } from '../user.ts';
import type { Fault } from './fault.ts';
import { foldMessage } from './fold-message.ts';
import { hiddenValues } from './hidden-values.ts';

/**
 * Finds what a user says without being able to know it: a secret of theirs, or a value of what the case expects, that
 * neither their part nor anything said before holds.
 */
export function findLeak(message: string, part: Part, heard: readonly Message[]): Fault | undefined {
  const { user, case: testCase } = part;
  const { goal = '', persona = '', knowledge = [], patience = '', secrets = [] } = user;
  const said = heard.map(({ content }) => content ?? '');
  const known = foldMessage([goal, persona, ...knowledge, String(patience), ...said].join('\n'));
  const folded = foldMessage(message);
  const leaked = [...secrets, ...hiddenValues(testCase.expected)].find((value) => {
    const wanted = foldMessage(value);
    return stands(wanted, folded) && !stands(wanted, known);
  });
  return leaked === undefined
    ? undefined
    : { kind: 'leaked', reason: `said "${leaked}", which the user was not told` };
}

/** Whether a text holds another that begins and ends where words do. */
function stands(wanted: string, text: string): boolean {
  if (wanted === '') return false;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const isInside = isWord(text[at - 1]) && isWord(wanted[0]);
    const goesOn = isWord(text[at + wanted.length]) && isWord(wanted.at(-1));
    if (!isInside && !goesOn) return true;
  }
  return false;
}

function isWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}]/u.test(character);
}
