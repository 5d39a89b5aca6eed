import type { Reading, Wish } from './reading/read-message.ts';
import type { Draft, Question } from './session.ts';

/** Whether a message says anything about a meeting. */
export function saysSomething({ names, minutes, days, clock, zone, zoneOf, isFlexible }: Wish): boolean {
  const said = [minutes, days, clock, zone, zoneOf, isFlexible];
  return names.length > 0 || said.some((part) => part !== undefined);
}

/** What the user wants after a message: something new, or what was wanted before with what the message adds. */
export function nextDraft(before: Draft | undefined, { task, wish, subject }: Reading): Draft {
  const isNew = before === undefined || (task !== undefined && task !== 'book' && task !== before.task);
  return isNew
    ? { task: task ?? 'book', subject, wish, invited: [] }
    : { ...before, wish: merge(before.wish, wish) };
}

/** What is asked for while the draft is not complete. */
export function missingPart({ wish, invited }: Draft): Question['about'] | undefined {
  if (invited.length === 0) return 'people';
  return wish.days === undefined ? 'time' : undefined;
}

/** Later words count. Who names another time no longer wants any time. */
function merge(before: Wish, after: Wish): Wish {
  const hasNewTime = after.days !== undefined || after.clock !== undefined;
  return {
    text: after.text,
    names: [...before.names, ...after.names],
    minutes: after.minutes ?? before.minutes,
    days: after.days ?? before.days,
    clock: after.clock ?? before.clock,
    zone: after.zone ?? before.zone,
    zoneOf: after.zoneOf ?? before.zoneOf,
    title: before.title ?? after.title,
    isFlexible: after.isFlexible ?? (hasNewTime ? undefined : before.isFlexible),
  };
}
