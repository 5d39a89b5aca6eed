import { formatDuration } from '../../../../src/look/report/format.ts';
import type { DescribedTrace } from '../../../../src/core/schema/trace/described-trace.ts';
import { DataTable } from '../../parts/data-table.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

type Step = DescribedTrace['steps'][number];

/** A span at its place in a timeline. */
interface PlacedSpan extends Step {
  /** The number of spans that it is inside of. */
  readonly depth: number;
  /** The start and the length as shares of the whole trace; null without times. */
  readonly bar: { readonly from: number; readonly length: number } | null;
}

/** Returns the spans with those inside of them below each, in the order in which they began. */
export function placeSpans(steps: readonly Step[]): PlacedSpan[] {
  const known = new Set(steps.map(({ spanId }) => spanId));
  const inside = Map.groupBy(steps, ({ parentId }) =>
    parentId !== null && known.has(parentId) ? parentId : null,
  );
  const barOf = createBars(steps);
  const placed = new Map<string, PlacedSpan>();
  const place = (first: readonly Step[]): void => {
    const left = first.map((step) => ({ step, depth: 0 })).toReversed();
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const { step, depth } = next;
      if (placed.has(step.spanId)) continue;
      placed.set(step.spanId, { ...step, depth, bar: barOf(step) });
      const children = inside.get(step.spanId) ?? [];
      left.push(...children.map((child) => ({ step: child, depth: depth + 1 })).toReversed());
    }
  };
  place(inside.get(null) ?? []);
  // Spans that name each other as parents are inside of none that begins the trace.
  place(steps);
  return [...placed.values()];
}

function createBars(steps: readonly Step[]): (step: Step) => PlacedSpan['bar'] {
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { startMs, endMs } of steps) {
    if (startMs !== null) first = Math.min(first, startMs);
    last = Math.max(last, endMs ?? startMs ?? last);
  }
  const whole = Math.max(last - first, 1);
  return ({ startMs, endMs }) => {
    if (startMs === null) return null;
    return { from: (startMs - first) / whole, length: Math.max(0, (endMs ?? startMs) - startMs) / whole };
  };
}

/** The spans of a trace over time, as a table: each has a bar from its start to its end, below the span that it is inside of. */
export function SpanTimeline({ steps }: Pick<DescribedTrace, 'steps'>) {
  return (
    <DataTable
      label="Spans over time"
      rows={placeSpans(steps)}
      keyOf={({ spanId }) => spanId}
      columns={[
        {
          title: 'Span',
          isName: true,
          cell: ({ name, depth, error }) => (
            <span
              className="block max-w-96 wrap-anywhere"
              style={{ paddingLeft: `${Math.min(depth, 12)}rem` }}
            >
              {depth > 0 && <span className="sr-only">inside, level {depth}: </span>}
              <PlainText text={name} />
              {error !== null && (
                <span className="text-bad">
                  {' '}
                  ✗ failed: <PlainText text={error} />
                </span>
              )}
            </span>
          ),
        },
        {
          title: 'Over time',
          isOptional: true,
          cell: ({ bar, error }) => <Bar bar={bar} isFailed={error !== null} />,
        },
        {
          title: 'Time',
          align: 'right',
          cell: ({ startMs, endMs }) =>
            startMs === null || endMs === null ? '–' : formatDuration(endMs - startMs),
        },
      ]}
    />
  );
}

/** The bar of a span. The table says the same in numbers. */
function Bar({ bar, isFailed }: Pick<PlacedSpan, 'bar'> & { readonly isFailed: boolean }) {
  if (bar === null) return null;
  const percent = (share: number) => `${(100 * share).toFixed(2)}%`;
  return (
    <svg aria-hidden className="block h-3 w-full min-w-48" preserveAspectRatio="none">
      <rect width="100%" height="100%" className="fill-surface" />
      <rect
        x={percent(Math.min(bar.from, 0.995))}
        width={percent(Math.max(bar.length, 0.005))}
        height="100%"
        className={isFailed ? 'fill-bad' : 'fill-accent'}
      />
    </svg>
  );
}
