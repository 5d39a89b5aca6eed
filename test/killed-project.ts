import path from 'node:path';
import { expect } from 'vitest';
import { type Audit, auditStore } from './audit-store.ts';
import type { Moment } from './kill-moments.ts';
import { type PaidProject, untilSilent } from './paid-project.ts';
import { type Ended, touchstone } from './run-cli.ts';

/** A project whose processes are killed, and whose store is gone through after every one of them. */
export interface KilledProject {
  readonly file: string;
  /** The store as it was when the last process had ended. */
  audit(): Audit;
  /** Starts a process and kills it at a moment, unless it ends before; says whether it was killed. */
  kill(args: readonly string[], moment: Moment): Promise<boolean>;
  /** Lets a process come to its end, which has to be a good one. */
  finish(args: readonly string[]): Promise<Ended>;
}

/**
 * Watches what the processes of a project are paid for. After each of them: every answer that was kept is kept, and what
 * was called without being kept is no more than was in flight when it was killed, and nothing when it was not.
 */
export function watchPayments(project: PaidProject): KilledProject {
  const { folder: cwd, bot, judge, concurrency } = project;
  const file = path.join(cwd, '.touchstone', 'touchstone.db');
  const everAnswered = new Set<string>();
  let last: Audit = { runs: [], answers: new Map(), judgements: new Set() };

  const launch = async (args: readonly string[], moment?: Moment): Promise<Ended> => {
    const before = { bot: bot.requests.length, judge: judge.requests.length, answered: everAnswered.size };
    const ended = await touchstone(args, {
      cwd,
      onStarted: async (child) => {
        if (moment === undefined) return;
        const over = new AbortController();
        child.once('exit', () => over.abort());
        await moment.reached(over.signal);
        child.kill('SIGKILL');
      },
    });
    await untilSilent(project);
    const now = await auditStore(file);
    for (const [trial, answer] of last.answers) expect(now.answers.get(trial)).toBe(answer);
    for (const judgement of last.judgements) expect(now.judgements).toContain(judgement);
    for (const answer of now.answers.values()) everAnswered.add(answer);
    const lost = {
      answers: bot.requests.length - before.bot - (everAnswered.size - before.answered),
      judgements: judge.requests.length - before.judge - (now.judgements.size - last.judgements.size),
    };
    const inFlight = ended.code === null ? concurrency : 0;
    expect(lost.answers).toBeLessThanOrEqual(inFlight);
    expect(lost.judgements).toBeLessThanOrEqual(inFlight);
    last = now;
    return ended;
  };

  return {
    file,
    audit: () => last,
    kill: async (args, moment) => (await launch(args, moment)).code === null,
    finish: async (args) => {
      const ended = await launch(args);
      expect(ended).toMatchObject({ code: 0 });
      return ended;
    },
  };
}
