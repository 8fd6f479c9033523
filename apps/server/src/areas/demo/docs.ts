import type { Endpoint } from '@tocsin/contract/endpoint'
import { apiDocs } from '@tocsin/contract/demo/api-docs'
import type { Db } from '#db/db'
import { openapi } from '#http/openapi'
import { type Route, route } from '#http/route'
import { onlyWhenDemo } from '#areas/settings/demo-switch'

type Deps = { db: Db; version: string }

/** Documents the mounted calls. @param mounted every call but this one */
export const docsRoutes = ({ db, version }: Deps, mounted: readonly Endpoint[]): Route[] => {
  let printed: Record<string, unknown> | undefined
  return onlyWhenDemo(db, [
    route(apiDocs.get, async () => {
      printed ??= openapi([...mounted, apiDocs.get], version)
      return printed
    }),
  ])
}
