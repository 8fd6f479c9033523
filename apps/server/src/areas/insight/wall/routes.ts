import { wallFollows, wallLinks } from '@tocsin/contract/insight/wall'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { createTileSource, type MapSources } from '../map/tiles.ts'
import { openWallBoard } from './wall-board.ts'
import { listWallsToFollow, showOnWalls, startWallFollow, stopWallFollow } from './wall-follow.ts'
import { createWallLink, pageWallLinks, revokeWallLink } from './wall-links.ts'
import { assertWallTiles } from './wall-sight.ts'

type WallDeps = { db: Db; map?: MapSources | undefined }

export const wallRoutes = ({ db, map = {} }: WallDeps): Route[] => {
  const tiles = createTileSource(map)
  return [
    route(wallLinks.page, ({ query, actor }) => pageWallLinks(db, actor, query)),
    route(wallLinks.create, ({ body, caller }) => createWallLink(db, body, caller)),
    route(wallLinks.revoke, ({ body, caller }) => revokeWallLink(db, body.id, caller)),
    route(wallLinks.open, ({ body, origin }) => openWallBoard(db, body.token, origin.ip)),
    route(wallLinks.base, async ({ body, origin }) => {
      await assertWallTiles(db, body.token, origin.ip)
      return tiles.describe()
    }),
    route(wallLinks.tile, async ({ body: { token, ...tile }, origin }) => {
      await assertWallTiles(db, token, origin.ip)
      return tiles.tile(tile)
    }),
    route(wallFollows.list, ({ actor }) => listWallsToFollow(db, actor)),
    route(wallFollows.start, ({ body, caller }) => startWallFollow(db, body, caller)),
    route(wallFollows.show, ({ body, caller }) => showOnWalls(db, body.recordId, caller)),
    route(wallFollows.stop, ({ body, caller }) => stopWallFollow(db, body.linkId, caller)),
  ]
}
