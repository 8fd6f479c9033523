import { homeCards } from '@tocsin/contract/insight/home/home-cards'
import { homeStart } from '@tocsin/contract/insight/home/start-steps'
import type { Db } from '#db/db'
import { type Route, route } from '#http/route'
import { getBatteries, getBullying, getFalseRate, getGaps } from './figure-cards.ts'
import { getLogged, getSeals, loggedVerbs } from './log-cards.ts'
import { getDispatch, getUnits } from './police-cards.ts'
import { getStart } from './start.ts'

export const homeCardRoutes = ({ db }: { db: Db }): Route[] => [
  route(homeCards.bullying, ({ actor }) => getBullying(db, actor, new Date())),
  route(homeCards.dispatch, ({ actor }) => getDispatch(db, actor)),
  route(homeCards.units, ({ actor }) => getUnits(db, actor)),
  route(homeCards.falseRate, ({ actor }) => getFalseRate(db, actor, new Date())),
  route(homeCards.batteries, ({ actor }) => getBatteries(db, actor)),
  route(homeCards.gaps, ({ actor }) => getGaps(db, actor, new Date())),
  route(homeCards.exports, ({ actor }) => getLogged(db, actor, loggedVerbs.exports, new Date())),
  route(homeCards.personalReads, ({ actor }) => getLogged(db, actor, loggedVerbs.personalReads, new Date())),
  route(homeCards.seals, () => getSeals(db)),
  route(homeStart.get, ({ actor }) => getStart(db, actor)),
]
