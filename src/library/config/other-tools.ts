import type { DatasetExporter } from '../../exchange/exporters/datasets/dataset-exporter.ts';
import * as datasetExporterExports from '../../exchange/exporters/datasets/registry.ts';
import type { Exporter } from '../../exchange/exporters/exporter.ts';
import * as exporterExports from '../../exchange/exporters/registry.ts';
import type { Importer } from '../../exchange/importers/importer.ts';
import * as importerExports from '../../exchange/importers/registry.ts';

// Apart from the other registries: a run needs none of these, and would take longer to start.

/** The importers of other tools' files, in the order in which they are asked. */
export const importers: readonly Importer[] = Object.values(importerExports);

/** The exporters to other tools, by name. */
export const exporters: readonly Exporter[] = Object.values(exporterExports).toSorted((a, b) =>
  a.name.localeCompare(b.name),
);

/** The exporters of datasets to other tools, by name. */
export const datasetExporters: readonly DatasetExporter[] = Object.values(datasetExporterExports);
