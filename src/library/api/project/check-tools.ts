import { TouchstoneError } from '../../../core/errors.ts';
import type { ListedServer } from '../../../core/schema/tools/listed-server.ts';
import { loadEvaluation } from '../../config/load-evaluation.ts';

/** Starts or reaches every server of tools in a config, and lists its tools. Throws `config-invalid` without any, and `target-unreachable`. */
export async function checkTools(config: string | undefined): Promise<ListedServer[]> {
  const { evaluation } = await loadEvaluation(config);
  const { tools } = evaluation;
  if (tools === undefined || tools.record.servers.length === 0) {
    throw new TouchstoneError('config-invalid', 'The config has no servers of tools.', {
      remedy:
        'Name them: `tools: { servers: { orders: { http: https://orders.internal/v2 } } }` (docs/tools.md).',
    });
  }
  const servers = await tools.list();
  const failed = servers.find(({ failure }) => failure !== undefined);
  if (failed !== undefined) throw failed.failure;
  return servers;
}
