import type { ReplyRules } from '../read-reply.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import {
  abortedFailure,
  type Reply,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
  type TargetTools,
} from '../target.ts';
import { fillEnvironment, refuseAddresses } from './tool-addresses.ts';
import { createAttachmentCopies, hasFiles } from '../attachment-copies.ts';
import { createTrackRecord, keepsDying, LineProcess } from './line-process.ts';
import { settlesWithin } from '../../../core/lib/programs/process-group.ts';
import type { Launch } from '../../../core/lib/programs/process-group.ts';

/** The settings of a pool of processes. */
export interface LinePoolSettings extends ReplyRules {
  readonly launch: Launch;
  readonly processes: number;
  readonly inFlight: number;
  /** The time a process may take to write `{"ready": true}`; undefined when it is not expected to write it. */
  readonly startupTimeLimitMs: number | undefined;
  readonly closeTimeLimitMs: number;
  readonly strayGraceMs?: number;
}

/** The time within which a process that cannot run at all usually ends. */
const earlyExitMs = 250;

/** A pool of processes of the lines protocol that share the questions of one target. Processes that end are replaced. */
export class LinePool {
  readonly #settings: LinePoolSettings;
  readonly #record = createTrackRecord();
  readonly #slots: (LineProcess | undefined)[];
  readonly #running = new Set<LineProcess>();
  readonly #copies = createAttachmentCopies();
  #launch: Launch;
  #lastId = 0;
  #isClosed = false;

  constructor(settings: LinePoolSettings) {
    this.#settings = settings;
    this.#launch = settings.launch;
    this.#slots = Array.from({ length: settings.processes });
  }

  /** Starts all processes and makes sure that they keep running. Throws `target-unreachable`, and `target-invalid` for an unknown address of a tool. */
  async open(tools?: TargetTools): Promise<void> {
    this.#isClosed = false;
    const { launch } = this.#settings;
    if (tools === undefined) refuseAddresses(launch.environment);
    this.#launch = { ...launch, environment: fillEnvironment(launch.environment, tools) };
    await Promise.all(this.#slots.map((_, slot) => this.#checkStart(this.#start(slot))));
  }

  /** Writes the copies of the files of a question. */
  async prepare(request: TargetRequest, context: Pick<TargetContext, 'readBlob'>): Promise<void> {
    await this.#copies.prepare(request, context);
  }

  async call(request: TargetRequest, context: TargetContext): Promise<Reply> {
    const { signal, onLate } = context;
    const attachments = hasFiles(request) ? await this.#copies.give(request, context) : [];
    if (signal.aborted) throw abortedFailure(signal);
    const process = this.#pick();
    this.#lastId += 1;
    const id = String(this.#lastId);
    const { caseId, input, messages, metadata, attempt, seed, tools } = request;
    const session = { id: request.session.id, turn: request.session.turn };
    const files = attachments.length > 0 && { attachments };
    const own = { id, caseId, input, messages, session, metadata, attempt, seed, tools: tools?.addresses };
    const line = toLine({ ...own, ...files });
    const call = process.ask(id, line);
    const onAbort = () => process.abandon(call, abortedFailure(signal), onLate);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await call.reply;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends all processes, gently at first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#copies.close();
    await Promise.all([...this.#running].map((process) => process.stop(this.#settings.closeTimeLimitMs)));
  }

  /** Returns the process with the fewest calls; among equals, one that is already running. */
  #pick(): LineProcess {
    if (this.#isClosed) throw new TouchstoneError('target-closed', 'The target has been closed.');
    const loads = this.#slots.map((process) => (process?.isUsable ? process.load : 0.5));
    const slot = loads.indexOf(Math.min(...loads));
    const process = this.#slots[slot];
    if (process?.isUsable) return process;
    if (keepsDying(this.#record)) {
      const { deathsInARow, lastDeath } = this.#record;
      const message = `The process died ${deathsInARow} times, without any answer.`;
      throw new TargetFailure('process-keeps-dying', `${message}\n${lastDeath}`);
    }
    return this.#start(slot);
  }

  #start(slot: number): LineProcess {
    const { inFlight, strayGraceMs = 10_000, toolCalls } = this.#settings;
    const process = new LineProcess({
      launch: this.#launch,
      inFlight,
      strayGraceMs,
      toolCalls,
      record: this.#record,
    });
    this.#slots[slot] = process;
    this.#running.add(process);
    void process.ended.then(() => {
      this.#running.delete(process);
      this.#replace(slot, process);
    });
    return process;
  }

  /** Replaces a process that died while working at once, so that the next question need not wait for the start. */
  #replace(slot: number, ended: LineProcess): void {
    const isEmpty = this.#slots[slot] === ended;
    if (isEmpty && ended.isNeeded && !this.#isClosed && !keepsDying(this.#record)) this.#start(slot);
  }

  async #checkStart(process: LineProcess): Promise<void> {
    const { startupTimeLimitMs, launch } = this.#settings;
    let hasEnded = false;
    const ended = process.ended.then(() => {
      hasEnded = true;
    });
    const isDecided = await settlesWithin(
      Promise.race([process.ready, ended]),
      startupTimeLimitMs ?? earlyExitMs,
    );
    const command = [launch.program, ...launch.arguments].join(' ');
    if (hasEnded) {
      throw new TouchstoneError(
        'target-unreachable',
        `\`${command}\` cannot be used. ${this.#record.lastDeath}`,
        {
          remedy: 'Run the command by hand; it must keep reading questions from stdin until that ends.',
        },
      );
    }
    if (isDecided || startupTimeLimitMs === undefined) return;
    throw new TouchstoneError(
      'target-unreachable',
      [`\`${command}\` was not ready within ${startupTimeLimitMs} ms.`, process.lastLines]
        .filter(Boolean)
        .join('\n'),
      { remedy: 'Make it write {"ready": true} when it is, or raise or remove `startupTimeLimitMs`.' },
    );
  }
}

/**
 * Returns a line of JSON in ASCII, which arrives intact whatever encoding a bot reads its stdin in. Some programs would
 * also treat U+2028 and similar characters as the end of a line.
 */
function toLine(value: object): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value).replaceAll(/[\u007f-\uffff]/g, escape)}\n`;
}
