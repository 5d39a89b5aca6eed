import type { Scale } from './scale.ts';

/** The properties of an axis. */
interface AxisProps {
  readonly scale: Scale;
  readonly format: (value: number) => string;
  /** The name of the values. */
  readonly name?: string;
}

/** A horizontal axis at a height: the value of each tick below it. */
export function BottomAxis({ scale, at, format, name }: AxisProps & { readonly at: number }) {
  const last = scale.ticks.at(-1);
  return (
    <g aria-hidden="true">
      {scale.ticks.map((tick) => (
        <text key={tick} x={scale(tick)} y={at + 14} textAnchor="middle" className="fill-quiet">
          {format(tick)}
        </text>
      ))}
      {name !== undefined && last !== undefined && (
        <text x={scale(last)} y={at + 29} textAnchor="end" className="fill-quiet">
          {name} →
        </text>
      )}
    </g>
  );
}

interface LeftAxisProps extends AxisProps {
  /** The ends of its lines, across the axis, in pixels. */
  readonly from: number;
  readonly to: number;
}

/** A vertical axis at the left of a drawing: a thin line to the right at each tick, its value at the left. */
export function LeftAxis({ scale, from, to, format, name }: LeftAxisProps) {
  return (
    <g aria-hidden="true">
      {scale.ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${scale(tick)})`}>
          <line x1={from} x2={to} className="stroke-line" />
          <text x={from - 6} y={4} textAnchor="end" className="fill-quiet">
            {format(tick)}
          </text>
        </g>
      ))}
      {name !== undefined && (
        <text x={0} y={10} className="fill-quiet">
          ↑ {name}
        </text>
      )}
    </g>
  );
}
