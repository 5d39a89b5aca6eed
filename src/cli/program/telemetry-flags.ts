import type { CheckedConfig } from '../../config/config.ts';
import { TouchstoneError } from '../../errors.ts';
import type { TelemetrySettings } from '../../telemetry/with-telemetry.ts';

/** What the command line says of OpenTelemetry spans. */
export interface TelemetryFlags {
  /** An address, or that of the config or the environment. */
  readonly otel?: string | true;
  readonly otelContent?: boolean;
}

/** Where spans are to be sent; undefined when neither the command line nor the config asks for any. */
export function telemetryOf(
  { otel, otelContent }: TelemetryFlags,
  configured: CheckedConfig['telemetry'],
): TelemetrySettings | undefined {
  if (otel === undefined && configured === undefined) {
    if (otelContent !== true) return undefined;
    throw new TouchstoneError('usage-invalid', '`--otel-content` is about spans, and none are asked for.', {
      remedy: 'Add `--otel`.',
    });
  }
  const content = otelContent ?? configured?.content;
  // The headers of the config are meant for its own address.
  if (typeof otel === 'string') return { otlp: otel, content };
  return { ...configured, content };
}
