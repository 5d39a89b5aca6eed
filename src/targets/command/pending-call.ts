import { addLogs, addLogsToFailure } from '../reply/add-logs.ts';
import type { Reply } from '../target.ts';
import { RecentText } from './recent-text.ts';

/** A question that a process has been asked and not answered yet, with what it has written meanwhile. */
export class PendingCall {
  readonly id: string;
  readonly logs: RecentText;
  readonly reply: Promise<Reply>;
  readonly #settlers: PromiseWithResolvers<Reply>;
  #timer: NodeJS.Timeout | undefined;

  /** @param redact - Takes secrets out of what the process writes. */
  constructor(id: string, redact: (text: string) => string) {
    this.id = id;
    this.logs = new RecentText(redact);
    this.#settlers = Promise.withResolvers<Reply>();
    this.reply = this.#settlers.promise;
  }

  /** Fulfils the reply with what `read` makes of it, or rejects it with what `read` throws. */
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

  /** Does something when the call is still not settled after a while; only the first such wish counts. */
  unlessSettledWithin(timeMs: number, action: () => void): void {
    this.#timer ??= setTimeout(action, timeMs);
  }
}
