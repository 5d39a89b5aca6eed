import type { Message } from '../../../../src/schema/message.ts';
import type { ReviewCardView } from '../../../../src/schema/api/review/card.ts';
import { MessageBlock } from '../../parts/transcript/message-block.tsx';
import { Spoken } from './spoken.tsx';

type SpokenAnswer = Pick<ReviewCardView, 'transcript' | 'answer'>;

/** The options of {@link PairView}. */
interface PairViewOptions {
  readonly first: SpokenAnswer;
  readonly second: SpokenAnswer;
}

/** Two answers to the same question side by side: what they share above them, then each without a name. */
export function PairView({ first, second }: PairViewOptions) {
  const shared = countShared(first.transcript, second.transcript);
  return (
    <>
      {shared > 0 && (
        <section aria-label="Question">
          <ol className="space-y-3">
            {first.transcript.slice(0, shared).map((message, index) => (
              <li key={index}>
                <MessageBlock message={message} path={`/transcript/${index}`} isAnswer={false} />
              </li>
            ))}
          </ol>
        </section>
      )}
      <div className="mt-4 grid gap-4 md:grid-cols-2">
        <Side title="First answer" arrow="←" spoken={first} path="" from={shared} />
        <Side title="Second answer" arrow="→" spoken={second} path="/second" from={shared} />
      </div>
    </>
  );
}

/** The options of {@link Side}. */
interface SideOptions {
  readonly title: string;
  /** The key that prefers it. */
  readonly arrow: string;
  readonly spoken: SpokenAnswer;
  readonly path: string;
  readonly from: number;
}

function Side({ title, arrow, spoken, path, from }: SideOptions) {
  return (
    <section aria-label={title} className="min-w-0 rounded-lg border border-line p-3">
      <h2 className="mb-2 text-xs font-medium text-quiet">
        {title} <kbd className="font-mono">{arrow}</kbd>
      </h2>
      <Spoken spoken={spoken} path={path} from={from} />
    </section>
  );
}

/** Returns how many messages two conversations begin with that are the same and not of an assistant. */
function countShared(one: readonly Message[], other: readonly Message[]): number {
  const differs = one.findIndex(
    (message, index) =>
      message.role === 'assistant' || JSON.stringify(message) !== JSON.stringify(other[index]),
  );
  return differs < 0 ? one.length : differs;
}
