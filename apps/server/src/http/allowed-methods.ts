import type { FastifyInstance, FastifyRequest } from 'fastify'

type Served = { shape: RegExp; methods: Set<string> }

/** Keyed by the listener, which all scopes of an app share. */
const known = new WeakMap<object, Map<string, Served>>()

const bare = (path: string): string => path.replace(/\/$/, '')

const shapeOf = (url: string): string =>
  bare(url)
    .replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/:\w+/g, '[^/]+')

/** Records from the routes which methods an address supports. Static folders only know when they look. */
export const trackAllowedMethods = (app: FastifyInstance): void => {
  const byShape = new Map<string, Served>()
  known.set(app.server, byShape)
  app.addHook('onRoute', ({ url, method }) => {
    if (url.includes('*')) return
    const shape = shapeOf(url)
    const served: Served = byShape.get(shape) ?? { shape: new RegExp(`^${shape}$`), methods: new Set() }
    for (const item of [method].flat()) served.methods.add(item)
    byShape.set(shape, served)
  })
}

/** The methods that an address supports; none for an unknown address. */
export const allowedMethods = ({ server, url }: FastifyRequest): string[] => {
  const path = bare(url.split('?')[0] ?? '')
  const serving = [...(known.get(server.server)?.values() ?? [])].filter(({ shape }) => shape.test(path))
  return [...new Set(serving.flatMap(({ methods }) => [...methods]))].toSorted()
}
