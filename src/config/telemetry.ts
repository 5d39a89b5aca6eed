import { z } from 'zod';

/** The user's own OpenTelemetry collector, as a config names it. */
export const telemetrySchema = z.lazy(() =>
  z.strictObject({
    otlp: z
      .url()
      .optional()
      .describe(
        'Address of the collector, OTLP over HTTP: `http://localhost:4318`. That of OTEL_EXPORTER_OTLP_ENDPOINT when left out.',
      ),
    headersFromEnv: z
      .record(z.string().min(1), z.string().min(1))
      .default({})
      .describe('Headers to send: the header and the environment variable that holds its value.'),
    content: z
      .boolean()
      .default(false)
      .describe('Whether questions, answers, prompts, arguments and results of tools are sent too.'),
  }),
);
