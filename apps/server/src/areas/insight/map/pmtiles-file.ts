import type { MapArchive, TileQuery } from '@tocsin/contract/insight/map'
import { open } from 'node:fs/promises'
import { EtagMismatch, PMTiles, ResolvedValueCache, type Source, TileType } from 'pmtiles'
import sanitizeHtml from 'sanitize-html'
import { z } from 'zod'

/** The deepest zoom that maps ask for. */
const MAX_ZOOM = 18

const types: Partial<Record<TileType, string>> = {
  [TileType.Mvt]: 'application/vnd.mapbox-vector-tile',
  [TileType.Png]: 'image/png',
  [TileType.Jpeg]: 'image/jpeg',
  [TileType.Webp]: 'image/webp',
}

/** What is used of the metadata; writers of such files may leave out any of it. */
const Metadata = z.object({
  attribution: z.string().catch(''),
  vector_layers: z.array(z.object({ id: z.string() })).catch([]),
})

export const isPmtiles = (path: string): boolean => path.toLowerCase().endsWith('.pmtiles')

/** Opens the file for each read, so that another file can be put in its place while the server runs. */
const createSource = (path: string): Source => ({
  getKey: () => path,
  getBytes: async (offset, length, _signal, etag) => {
    const file = await open(path)
    try {
      const { mtimeMs, size } = await file.stat()
      const current = `${mtimeMs}-${size}`
      if (etag !== undefined && etag !== current) throw new EtagMismatch(current)
      // A damaged directory may name any length.
      const data = new ArrayBuffer(Math.max(0, Math.min(length, size - offset)))
      await file.read(new Uint8Array(data), 0, data.byteLength, offset)
      return { data, etag: current }
    } finally {
      await file.close()
    }
  },
})

/** Tiles of one PMTiles file: pictures or vectors, as its header says. */
export const openPmtiles = (path: string) => {
  // The other cache of the library keeps a failure.
  const archive = new PMTiles(createSource(path), new ResolvedValueCache())
  return {
    /** @returns undefined when the file cannot be read. */
    describe: async (): Promise<MapArchive | undefined> => {
      try {
        // First, since it notices another file; a header alone does not.
        const { attribution, vector_layers: layers } = Metadata.parse(await archive.getMetadata())
        const { tileType, minZoom, maxZoom } = await archive.getHeader()
        const isVector = tileType === TileType.Mvt
        if (!types[tileType]) return undefined
        return {
          minZoom,
          maxZoom: Math.min(maxZoom, MAX_ZOOM),
          vectorLayers: isVector ? layers.map(({ id }) => id) : [],
          // Often a link; the map shows text.
          attribution: sanitizeHtml(attribution, { allowedTags: [] }),
        }
      } catch {
        return undefined
      }
    },
    /** @returns undefined when the file has no such tile, or cannot be read. */
    tile: async ({ z: zoom, x, y }: TileQuery): Promise<{ type: string; bytes: Buffer } | undefined> => {
      try {
        const found = await archive.getZxy(zoom, x, y)
        const type = types[(await archive.getHeader()).tileType]
        return type && found ? { type, bytes: Buffer.from(found.data) } : undefined
      } catch {
        return undefined
      }
    },
  }
}
