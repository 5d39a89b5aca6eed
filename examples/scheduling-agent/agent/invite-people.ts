import { foldText } from '../calendar/fold-text.ts';
import { sayName, sayNames } from './phrases.ts';
import type { Draft, Invited } from './session.ts';
import { ask, type Turn } from './turn.ts';

/** Looks up the names that a draft holds. Gives a question where nobody, or more than one person, has such a name. */
export async function invitePeople(turn: Turn, draft: Draft): Promise<string | undefined> {
  const { wish } = draft;
  await readClocks(turn, draft);
  if (wish.names.length === 0) return undefined;
  const found = await turn.toolbox.use('find_people', { names: wish.names });
  for (const { name, matches } of found) {
    const [first, ...others] = matches;
    wish.names = wish.names.slice(1);
    if (first === undefined)
      return ask(turn, { about: 'people' }, `I know nobody called ${sayName(name)}. Whom do you mean?`);
    if (others.length === 0) invite(draft, first);
    else return askWhich(turn, name, matches);
  }
  return undefined;
}

/** Whom an answer to "which Sam?" means, by a name or by the place. */
export function pickPerson(text: string, candidates: Invited[]): Invited | undefined {
  const folded = foldText(text);
  const scores = candidates.map(({ name, zone }) => {
    const words = [...foldText(name).split(' '), foldText(zone.split('/').at(-1) ?? '').replace('_', ' ')];
    return words.filter((word) => folded.includes(word)).length;
  });
  const best = Math.max(...scores);
  return best > 0 && scores.filter((score) => score === best).length === 1
    ? candidates[scores.indexOf(best)]
    : undefined;
}

/** Adds somebody to a draft, once. */
export function invite(draft: Draft, { id, name, zone }: Invited): void {
  if (draft.invited.every((person) => person.id !== id)) draft.invited.push({ id, name, zone });
}

function askWhich(turn: Turn, name: string, candidates: Invited[]): string {
  const names = sayNames(
    candidates.map((person) => person.name),
    'or',
  );
  return ask(
    turn,
    { about: 'which-person', name, candidates },
    `Which ${sayName(name)} do you mean: ${names}?`,
  );
}

/** "At 9 on Kenji's clocks": the zone of whoever is named. */
async function readClocks({ toolbox }: Turn, { wish }: Draft): Promise<void> {
  if (wish.zoneOf === undefined) return;
  const [found] = await toolbox.use('find_people', { names: [wish.zoneOf] });
  if (found?.matches.length === 1) wish.zone = found.matches[0]?.zone;
  delete wish.zoneOf;
}
