import type { EngineId } from '../../../../schema/media/engines.ts';
import type { Samples } from '../../../services/docs/stand-ins.ts';
import type { JsonSchema } from '../component-schemas.ts';
import type { Endpoint } from '../endpoint.ts';
import type { Block } from '../print/block.ts';

/** What a page may say about the service that prints it. */
export interface Site {
  /** Public origin of the service, without a trailing slash. */
  url: string;
  /** Every schema of the OpenAPI document by name, with all fields. */
  schemas: Record<string, JsonSchema>;
  /** Endpoints that are not operations. */
  endpoints: readonly Endpoint[];
  /** Media that tasks can read without any of the reader's own; absent where there is none. */
  samples: Samples;
  /** Files of `/examples` that were made for this installation. */
  madeExamples: ReadonlySet<string>;
  /** Posters of these that were made. */
  madePictures: ReadonlySet<string>;
  /** Whether each engine is available; absent if no transcoder has said so. */
  engines: Readonly<Partial<Record<EngineId, boolean>>>;
}

/** One page of the documentation, at `path` for people and at `path.md` for programs. */
export interface DocPage {
  path: string;
  title: string;
  /** One sentence for lists of pages and search engines. */
  summary: string;
  /** Whether it only lists other pages. A search finds those instead. */
  lists?: true;
  body: (site: Site) => readonly Block[];
}

export interface DocGroup {
  title: string;
  pages: readonly DocPage[];
}
