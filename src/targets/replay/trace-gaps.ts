import { formatPlace, type Place } from '../../errors.ts';
import { isRecordedTrace } from '../../schema/recorded-trace.ts';
import type { ConversationRow } from './shapes/conversation-row.ts';
import { unknownQuestion } from './shapes/trace-row.ts';
import { isFields } from './traces/attribute-values.ts';

const mostNamed = 3;

/** Traces of which something is missing: those that are about no answer, and those that do not hold their question. */
export class TraceGaps {
  readonly #left: string[] = [];
  readonly #unasked: string[] = [];
  #leftCount = 0;
  #unaskedCount = 0;

  /** Looks at a row and at what was made of it. */
  add(
    { value, place }: { readonly value: unknown; readonly place: Place },
    read: ConversationRow | undefined,
  ): void {
    if (!isFields(value) || !isRecordedTrace(value)) return;
    const name = `${value.conversationId ?? value.spans[0]?.traceId} (${formatPlace(place)})`;
    if (read === undefined) {
      this.#leftCount += 1;
      if (this.#left.length < mostNamed) this.#left.push(name);
    } else if (read.value['question'] === unknownQuestion) {
      this.#unaskedCount += 1;
      if (this.#unasked.length < mostNamed) this.#unasked.push(name);
    }
  }

  /** Tells of each kind in one sentence; says nothing where there are none. */
  report(onNotice: (text: string) => void): void {
    const [left, unasked] = [this.#leftCount, this.#unaskedCount];
    if (left > 0) {
      const are = left === 1 ? '1 trace is' : `${left} traces are`;
      const them = left === 1 ? 'it' : 'them';
      const why = `left out, because no model, no agent and no tool is in ${them}`;
      onNotice(`${are} ${why}: ${listed(this.#left, left)}`);
    }
    if (unasked > 0) {
      const hold =
        unasked === 1
          ? '1 trace does not hold the words of its question'
          : `${unasked} traces do not hold the words of their questions`;
      onNotice(`${hold}, which were not recorded: ${listed(this.#unasked, unasked)}`);
    }
  }
}

function listed(names: readonly string[], count: number): string {
  const more = count - names.length;
  return more === 0 ? names.join(', ') : `${names.join(', ')} and ${more} more`;
}
