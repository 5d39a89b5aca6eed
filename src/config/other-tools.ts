import type { DatasetExporter } from '../exporters/datasets/dataset-exporter.ts';
import * as datasetExporterExports from '../exporters/datasets/registry.ts';
import type { Exporter } from '../exporters/exporter.ts';
import * as exporterExports from '../exporters/registry.ts';
import type { Importer } from '../importers/importer.ts';
import * as importerExports from '../importers/registry.ts';

// Apart from the other registries: a run needs none of these, and would take longer to start.

/** The importers of other tools' files, in the order in which they are asked. */
export const importers: readonly Importer[] = Object.values(importerExports);

/** The exporters to other tools, by name. */
export const exporters: readonly Exporter[] = Object.values(exporterExports).toSorted((a, b) =>
  a.name.localeCompare(b.name),
);

/** The exporters of datasets to other tools, by name. */
export const datasetExporters: readonly DatasetExporter[] = Object.values(datasetExporterExports);
