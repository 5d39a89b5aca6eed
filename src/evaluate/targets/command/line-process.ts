import { StringDecoder } from 'node:string_decoder';
import { readReply, type ReplyRules } from '../read-reply.ts';
import { addLogs, addLogsToFailure } from '../reply/read-reply-text.ts';
import { answerTooLarge } from '../reply/read-text.ts';
import { type Reply, TargetFailure } from '../target.ts';
import {
  describeExit,
  endGroup,
  type Launch,
  type ProcessExit,
  type ProcessGroup,
  startProcessGroup,
} from '../../../core/lib/programs/process-group.ts';
import {
  createLineSplitter,
  findId,
  invalidUtf8,
  readWireLine,
  RecentText,
  strayLine,
  unreadableReply,
  type WireLine,
} from './wire.ts';

/** The settings of a process of the lines protocol. */
export interface LineProcessSettings extends ReplyRules {
  readonly launch: Launch;
  readonly inFlight: number;
  /** The time in milliseconds that a target which has never replied has to send a reply after a line that is not one. */
  readonly strayGraceMs: number;
  readonly record: TrackRecord;
}

/** A process that reads one question a line and writes one reply a line, matched by their ids. */
export class LineProcess {
  /** Fulfilled once the process has ended and the calls in flight have failed. */
  readonly ended: Promise<void>;
  /** Fulfilled when the process writes `{"ready": true}`. */
  readonly ready: Promise<void>;
  readonly #settings: LineProcessSettings;
  readonly #group: ProcessGroup;
  readonly #calls = new Map<string, PendingCall>();
  /** Abandoned questions that the process may still be working on, each with the function to call when a late reply arrives. */
  readonly #abandoned = new Map<string, (() => void) | undefined>();
  /** Answered calls for which the last output of stderr is still being read. */
  readonly #settling = new Set<PendingCall>();
  readonly #output: RecentText;
  readonly #markReady: () => void;
  #isStopping = false;
  #wasAsked = false;

  constructor(settings: LineProcessSettings) {
    this.#settings = settings;
    this.#output = new RecentText(settings.launch.redact);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#markReady = resolve;
    this.#group = startProcessGroup(settings.launch);
    const decoder = new StringDecoder('utf8');
    this.#group.stderr.on('data', (chunk: Buffer) => this.#note(decoder.write(chunk)));
    this.#group.stdout.on(
      'data',
      createLineSplitter({
        onLine: (line) => this.#handle(readWireLine(line)),
        onLongLine: (head) => this.#findCall(findId(head.toString()))?.fail(answerTooLarge()),
      }),
    );
    this.ended = this.#group.ended.then((exit) => this.#onEnd(exit));
  }

  get isUsable(): boolean {
    return !this.#isStopping && this.#group.isRunning();
  }

  /** True when it has been asked a question and was not asked to end. */
  get isNeeded(): boolean {
    return this.#wasAsked && !this.#isStopping;
  }

  /** The number of questions that it is working on. */
  get load(): number {
    return this.#calls.size + this.#abandoned.size;
  }

  /** The last lines that it wrote besides its replies. */
  get lastLines(): string {
    return this.#output.lastLines();
  }

  ask(id: string, line: string): PendingCall {
    const call = new PendingCall(id, this.#settings.launch.redact);
    this.#calls.set(id, call);
    this.#wasAsked = true;
    this.#group.stdin.write(line);
    return call;
  }

  /**
   * Stops waiting for a call; `onLate` is called when a reply arrives later. A process that works on nothing but
   * abandoned calls is stuck, and is killed.
   */
  abandon(call: PendingCall, reason: TargetFailure, onLate?: () => void): void {
    if (!this.#calls.delete(call.id)) return;
    this.#abandoned.set(call.id, onLate);
    call.fail(reason);
    if (this.#calls.size > 0 || this.#abandoned.size < this.#settings.inFlight) return;
    this.#isStopping = true;
    this.#group.kill('SIGKILL');
  }

  /** Ends the process: it closes its stdin first, then sends SIGTERM and SIGKILL, with the time limit for each step. */
  async stop(timeLimitMs: number): Promise<void> {
    this.#isStopping = true;
    await endGroup(this.#group, timeLimitMs, this.ended);
  }

  #handle(line: WireLine): void {
    if (line.type === 'ready') this.#markReady();
    if (line.type === 'reply') this.#onReply(line);
    if (line.type === 'broken') this.#onBroken(line);
    if (line.type === 'stray') this.#onStray(line);
  }

  #onReply({ id, value, isValidUtf8, text }: WireLine & { type: 'reply' }): void {
    const call = this.#calls.get(id);
    if (call === undefined && !this.#abandoned.has(id)) {
      return this.#onStray({ text, reason: `with the id ${JSON.stringify(id)}, which was not asked` });
    }
    this.#settings.record.replies += 1;
    this.#settings.record.deathsInARow = 0;
    if (call === undefined) return this.#dropLate(id);
    this.#finish(call, () => {
      if (!isValidUtf8) throw invalidUtf8();
      return readReply(value, this.#settings);
    });
  }

  #dropLate(id: string): void {
    this.#abandoned.get(id)?.();
    this.#abandoned.delete(id);
  }

  #onBroken({ id, text, reason, isValidUtf8 }: WireLine & { type: 'broken' }): void {
    const call = this.#findCall(id);
    if (call === undefined) return this.#note(`${text}\n`);
    const { launch } = this.#settings;
    this.#finish(call, () => {
      throw isValidUtf8 ? unreadableReply(launch.redact(text), reason) : invalidUtf8();
    });
  }

  /**
   * Notes a line that is not a reply. It does no harm when the target is known to speak the protocol. A target that has
   * never replied may write nothing else, so the only call in flight is failed rather than left waiting.
   */
  #onStray({ text, reason }: { readonly text: string; readonly reason: string }): void {
    this.#note(`${text}\n`);
    const { launch, record, strayGraceMs } = this.#settings;
    const call = this.#findCall(undefined);
    if (call === undefined || record.replies > 0) return;
    call.unlessSettledWithin(record.strayFailures > 0 ? 0 : strayGraceMs, () => {
      record.strayFailures += 1;
      this.#calls.delete(call.id);
      this.#abandoned.set(call.id, undefined);
      call.fail(strayLine(launch.redact(text), reason));
    });
  }

  /** Returns the call with an id; when the id is unknown, the only call in flight. */
  #findCall(id: string | undefined): PendingCall | undefined {
    const named = id === undefined ? undefined : this.#calls.get(id);
    return named ?? (this.#calls.size === 1 ? this.#calls.values().next().value : undefined);
  }

  /** Settles a call one turn later, when what was written to stderr before the reply has been read. */
  #finish(call: PendingCall, read: Parameters<PendingCall['settle']>[0]): void {
    this.#calls.delete(call.id);
    this.#settling.add(call);
    setImmediate(() => {
      this.#settling.delete(call);
      call.settle(read);
    });
  }

  #note(text: string): void {
    this.#output.append(text);
    for (const call of this.#calls.values()) call.logs.append(text);
    for (const call of this.#settling) call.logs.append(text);
  }

  #onEnd(exit: ProcessExit): void {
    const how = describeExit(exit);
    const { record } = this.#settings;
    if (!this.#isStopping) {
      record.deathsInARow += 1;
      record.lastDeath = [`It ended ${how}.`, this.lastLines].filter(Boolean).join('\n');
    }
    for (const call of this.#calls.values()) {
      const message = [`The process ended ${how} before it answered.`, this.lastLines]
        .filter(Boolean)
        .join('\n');
      call.fail(new TargetFailure('process-exited', message, { retryable: true }));
    }
    this.#calls.clear();
  }
}

/** A question that a process has not answered yet, with the output it has written meanwhile. */
class PendingCall {
  readonly id: string;
  readonly logs: RecentText;
  readonly reply: Promise<Reply>;
  readonly #settlers: PromiseWithResolvers<Reply>;
  #timer: NodeJS.Timeout | undefined;

  /** @param redact - Removes secrets from the output of the process. */
  constructor(id: string, redact: (text: string) => string) {
    this.id = id;
    this.logs = new RecentText(redact);
    this.#settlers = Promise.withResolvers<Reply>();
    this.reply = this.#settlers.promise;
  }

  /** Fulfils the reply with the value of `read`, or rejects it with the error that `read` throws. */
  settle(read: () => Reply): void {
    clearTimeout(this.#timer);
    try {
      this.#settlers.resolve(addLogs(read(), this.logs.text));
    } catch (error) {
      this.#settlers.reject(addLogsToFailure(error, this.logs.text));
    }
  }

  fail(error: Error): void {
    this.settle(() => {
      throw error;
    });
  }

  /** Calls `action` when the call is still not settled after a while. Only the first request counts. */
  unlessSettledWithin(timeMs: number, action: () => void): void {
    this.#timer ??= setTimeout(action, timeMs);
  }
}

/** The behaviour of the processes of one target so far. */
interface TrackRecord {
  /** The number of replies whose id had been asked. A target with at least one is known to speak the protocol. */
  replies: number;
  /** The number of processes that have ended by themselves since the last reply. */
  deathsInARow: number;
  lastDeath: string;
  /** The number of calls given up because only lines that are not replies were written. */
  strayFailures: number;
}

/** Creates the record of a target that has not shown any behaviour yet. */
export function createTrackRecord(): TrackRecord {
  return { replies: 0, deathsInARow: 0, lastDeath: '', strayFailures: 0 };
}

const maxDeaths = 5;

/** Returns whether starting another process is pointless: none has ever answered, and several have died. */
export function keepsDying({ replies, deathsInARow }: TrackRecord): boolean {
  return replies === 0 && deathsInARow >= maxDeaths;
}
