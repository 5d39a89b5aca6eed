import type { CheckedConfig } from '../../library/config/config.ts';
import type { InputOf } from '../program/input.ts';
import type { telemetryInputs } from '../program/shared-inputs.ts';
import { TouchstoneError } from '../../core/errors.ts';
import type { TelemetrySettings } from '../../exchange/telemetry/with-telemetry.ts';

/** The options on OpenTelemetry spans; `otel` is true for the address of the config or the environment. */
export type TelemetryFlags = InputOf<typeof telemetryInputs>;

/**
 * Returns where spans are sent; undefined when neither the command line nor the config asks for any. Throws
 * `usage-invalid` for `--otel-content` without spans.
 */
export function telemetryOf(
  { otel, otelContent }: TelemetryFlags,
  configured: CheckedConfig['telemetry'],
): TelemetrySettings | undefined {
  if (otel === undefined && configured === undefined) {
    if (otelContent !== true) return undefined;
    throw new TouchstoneError('usage-invalid', '`--otel-content` needs `--otel`.', {
      remedy: 'Add `--otel`.',
    });
  }
  const content = otelContent ?? configured?.content;
  // The headers in the config may be secrets for its own address, so another address does not get them.
  if (typeof otel === 'string') return { otlp: otel, content };
  return { ...configured, content };
}
