import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type BenchServer, startBenchServer } from '../bench-server.ts'

type Start = () => Promise<BenchServer>

/** Where a version keeps the start of its own server with its own devices, newest first. */
const places: readonly { file: string; name: string }[] = [
  { file: 'bench/bench-server.ts', name: 'startBenchServer' },
  { file: 'bench/stage.ts', name: 'openStage' },
]

/** The start of this version's server, or of the version in another folder, which has its packages installed. */
export const findBenchStart = async (folder: string | undefined): Promise<Start> => {
  if (folder === undefined) return startBenchServer
  const place = places.find(({ file }) => existsSync(join(folder, file)))
  if (!place) throw new Error(`${resolve(folder)} has none of ${places.map(({ file }) => file).join(', ')}`)
  const module = (await import(pathToFileURL(resolve(folder, place.file)).href)) as Record<string, Start>
  const start = module[place.name]
  if (!start) throw new Error(`${resolve(folder, place.file)} does not export ${place.name}`)
  return start
}
