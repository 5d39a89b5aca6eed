import { TouchstoneError } from '../../../core/errors.ts';
import { redactorOf } from '../../../evaluate/judges/asking/call-model.ts';
import { ModelFailure } from '../../../evaluate/models/model-failure.ts';
import type { TextVectors } from '../../../people/reviews/cluster-answers.ts';
import type { Config } from '../../config/config.ts';
import { explainProblems } from '../../config/config-problem.ts';
import { readConfig } from '../../config/load-config.ts';
import { checkConfig } from '../../config/resolve.ts';
import { resolveEmbedder } from '../../config/resolve-metrics.ts';

/** The number of texts of one request. */
const batchSize = 64;

/** The time limit of a request. */
const timeLimitMs = 60_000;

/**
 * Loads the embedding model of a config. Its dataset, targets and metrics are not opened. Throws `embedder-missing` when the config
 * names none.
 */
export async function loadVectors(
  config: Config | string | undefined,
  folder?: string,
): Promise<TextVectors & { readonly name: string }> {
  const loaded = await readConfig(config, folder);
  const environment = process.env;
  const embedder = await explainProblems(loaded.locate, async () =>
    resolveEmbedder(checkConfig(loaded.written), { folder: loaded.folder, environment }),
  );
  if (embedder === undefined) {
    throw new TouchstoneError('embedder-missing', 'The config names no embedder.');
  }
  const redactor = redactorOf(environment);
  return {
    name: embedder.name,
    fingerprint: embedder.fingerprint,
    embed: async (texts) => {
      await embedder.open?.();
      try {
        const vectors: (readonly number[])[] = [];
        for (let start = 0; start < texts.length; start += batchSize) {
          const some = texts.slice(start, start + batchSize).map((text) => redactor.text(text));
          const reply = await embedder.embed(some, { signal: AbortSignal.timeout(timeLimitMs) });
          vectors.push(...reply.vectors);
        }
        return vectors;
      } catch (error) {
        if (!(error instanceof ModelFailure)) throw error;
        throw new TouchstoneError('model-unreachable', `${embedder.name} gave no vectors: ${error.message}`);
      } finally {
        await embedder.close?.();
      }
    },
  };
}
