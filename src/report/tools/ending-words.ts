import type { Ending } from '../../schema/conversation.ts';

/** The reason why a conversation ended, and the side that ended it, if one did. */
export const endingWords: Readonly<Record<Ending, { readonly text: string; readonly side: string }>> = {
  'script-over': { text: 'the script was over', side: 'user' },
  'goal-met': { text: 'the user reached the goal', side: 'user' },
  'gave-up': { text: 'the user gave up', side: 'user' },
  'turn-limit': { text: 'the limit of turns was reached', side: '–' },
  recorded: { text: 'it was recorded earlier', side: '–' },
  failed: { text: 'the target failed', side: 'target' },
  cancelled: { text: 'the run was stopped', side: '–' },
  spoilt: { text: 'the simulated user was at fault', side: 'user' },
};
