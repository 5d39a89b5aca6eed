import { TouchstoneError } from '../../errors.ts';

/** How much of a file is looked at: the beginning of its first span is in it. */
const looked = 65_536;

const request =
  /^\s*\[?\s*\{\s*("trace"\s*:\s*\{\s*)?"(resource_?(Spans|spans|Logs|logs|Metrics|metrics)|batches)"\s*:\s*\[/;

/** Whether a text begins like the requests that an exporter of OpenTelemetry sends: `{ "resourceSpans": [ … ] }`. */
export function holdsRequests(head: string): boolean {
  return request.test(head.slice(0, looked));
}

/** Whether a text begins like traces of OpenTelemetry as JSON. Throws `dataset-format` for those of Jaeger. */
export function looksLikeTraces(head: string, name: string): boolean {
  const text = head.slice(0, looked);
  if (/^\s*\{\s*"data"\s*:\s*\[\s*\{\s*"traceID"\s*:/.test(text)) {
    throw new TouchstoneError('dataset-format', `${name}: these are traces as Jaeger downloads them`, {
      remedy:
        'Export them as OTLP JSON, for instance with the `file` exporter of an OpenTelemetry Collector.',
    });
  }
  return holdsRequests(text) || looksLikeSpan(text);
}

/** A span that stands alone: an object that names its trace and itself and says when it began. */
function looksLikeSpan(text: string): boolean {
  const hasAll = [
    /"trace_?[iI]d"\s*:/,
    /"span_?[iI]d"\s*:/,
    /"start_?[tT]ime(_?[uU]nix_?[nN]ano)?"\s*:/,
    /"attributes"\s*:/,
  ];
  return /^\s*\[?\s*\{/.test(text) && hasAll.every((sign) => sign.test(text));
}
