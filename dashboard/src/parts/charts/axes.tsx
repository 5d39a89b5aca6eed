import type { Scale } from './scale.ts';

/** The properties of an axis. */
interface AxisProps {
  readonly scale: Scale;
  /** The ends of its lines, across the axis, in pixels. */
  readonly from: number;
  readonly to: number;
  readonly format: (value: number) => string;
  /** The name of the values. */
  readonly name?: string;
}

/** A horizontal axis below a drawing: a thin line upwards at each tick, its value below. */
export function BottomAxis({ scale, from, to, format, name }: AxisProps) {
  const last = scale.ticks.at(-1);
  return (
    <g aria-hidden="true">
      {scale.ticks.map((tick) => (
        <g key={tick} transform={`translate(${scale(tick)} 0)`}>
          <line y1={from} y2={to} className="stroke-line" />
          <text y={to + 14} textAnchor="middle" className="fill-quiet">
            {format(tick)}
          </text>
        </g>
      ))}
      {name !== undefined && last !== undefined && (
        <text x={scale(last)} y={to + 29} textAnchor="end" className="fill-quiet">
          {name} →
        </text>
      )}
    </g>
  );
}

/** A vertical axis at the left of a drawing: a thin line to the right at each tick, its value at the left. */
export function LeftAxis({ scale, from, to, format, name }: AxisProps) {
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
