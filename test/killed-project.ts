import path from 'node:path';
import { expect } from 'vitest';
import { type Audit, auditStore } from './audit-store.ts';
import type { Moment } from './kill-moments.ts';
import { type PaidProject, untilSilent } from './paid-project.ts';
import { type Ended, touchstone } from './run-cli.ts';

/** A project whose processes are killed, with an audit of its store after each of them. */
export interface KilledProject {
  readonly file: string;
  /** Returns the content of the store after the last process. */
  audit(): Audit;
  /** Starts a process and kills it at a moment unless it has ended. Returns whether it was killed. */
  kill(args: readonly string[], moment: Moment): Promise<boolean>;
  /** Runs a process to its end, which must be a success. */
  finish(args: readonly string[]): Promise<Ended>;
}

/**
 * Watches the paid calls of the processes of a project. It checks after each process that every stored answer is still
 * there, and that no more calls were lost than were in flight at the kill; none without a kill.
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
