import type { FastifyInstance, FastifyRequest } from 'fastify'

type Served = { shape: RegExp; methods: Set<string> }

/** By the listener, which all scopes of an app share. */
const known = new WeakMap<object, Map<string, Served>>()

const bare = (path: string): string => path.replace(/\/$/, '')

const shapeOf = (url: string): string =>
  bare(url)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+')

/** Learns from the routes which methods an address answers. Folders of files know only when they look. */
export const trackAllowedMethods = (app: FastifyInstance): void => {
  const byShape = new Map<string, Served>()
  known.set(app.server, byShape)
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const shape = shapeOf(url)
    const served: Served = byShape.get(shape) ?? { shape: new RegExp(`^${shape}$`), methods: new Set() }
    for (const one of [method].flat()) served.methods.add(one)
    byShape.set(shape, served)
  })
}

/** The methods that the address of a call answers; none when nobody serves it. */
export const allowedMethods = ({ server, url }: FastifyRequest): string[] => {
  const path = bare(url.split('?')[0] ?? '')
  const serving = [...(known.get(server.server)?.values() ?? [])].filter(({ shape }) => shape.test(path))
  return [...new Set(serving.flatMap(({ methods }) => [...methods]))].toSorted()
}
